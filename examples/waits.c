/*
 * waits.c - a small server that is slow for four reasons; examples/record records it with --off-cpu.
 *
 * Its workers wait for requests (a pipe), for each other (the lock around the cache), for the disk (the log), and, as
 * there are more of them than processors, for a processor.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORKERS 6
#define REQUESTS 400

static int requests[2], log_file;
static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t cache[1 << 14];

static uint64_t hash(uint64_t x, unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++)
		x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
	return x;
}

static int read_request(uint64_t *request)
{
	return read(requests[0], request, sizeof *request) == sizeof *request;
}

static uint64_t parse_request(uint64_t request)
{
	return hash(request, 1500000);
}

/* The lock is held while the entry is computed: that is the mistake. */
static uint64_t cache_get(uint64_t key)
{
	pthread_mutex_lock(&cache_lock);
	uint64_t *entry = &cache[key % (sizeof cache / sizeof *cache)];
	if (!*entry)
		*entry = hash(key, 2000000);
	uint64_t value = *entry;
	pthread_mutex_unlock(&cache_lock);
	return value;
}

static void write_log(uint64_t request, uint64_t answer)
{
	char line[64];
	int n = snprintf(line, sizeof line, "%016jx %016jx\n", (uintmax_t)request, (uintmax_t)answer);
	if (write(log_file, line, (size_t)n) != n || (request % 4 == 0 && fdatasync(log_file) != 0))
		abort();
}

static void *worker(void *unused)
{
	uint64_t request;
	while (read_request(&request))
		write_log(request, cache_get(parse_request(request)));
	return unused;
}

/* Requests come in bursts. */
static void send_requests(void)
{
	for (uint64_t i = 0; i < REQUESTS; i++) {
		if (write(requests[1], &i, sizeof i) != sizeof i)
			abort();
		if (i % 20 == 19)
			usleep(150000);
	}
	close(requests[1]);
}

int main(void)
{
	pthread_t threads[WORKERS];
	log_file = open("waits.log", O_CREAT | O_WRONLY | O_TRUNC, 0600);
	if (pipe(requests) != 0 || log_file < 0)
		return 1;
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	send_requests();
	for (int i = 0; i < WORKERS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
