/*
 * real.h - functions of other libraries as they are, behind those that the linker puts in their place (--wrap, see
 * wrapped.ld): a call of malloc() in the library is one of __wrap_malloc() in wrap.c, and __real_malloc() is
 * libc's.
 */
#ifndef LIB_ALONE_REAL_H
#define LIB_ALONE_REAL_H

#include <pthread.h>
#include <stddef.h>

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void __real_free(void *);
int __real_close(int);
int __real_pthread_mutex_lock(pthread_mutex_t *);
int __real_pthread_mutex_unlock(pthread_mutex_t *);
int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __real_pthread_join(pthread_t, void **);

#endif
