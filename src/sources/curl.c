/*
 * curl.c - loads libcurl, built with whichever library for TLS is there.
 */
#include "sources/curl.h"

#include "base/library.h"

#define EVERYTHING 3 /* CURL_GLOBAL_ALL */

static bool take(void *library, struct curl *c)
{
	int (*begin)(long);
	return library_take(library, "curl_global_init", &begin) &&
	       library_take(library, "curl_easy_init", &c->transfer_new) &&
	       library_take(library, "curl_easy_cleanup", &c->transfer_free) &&
	       library_take(library, "curl_easy_setopt", &c->set) &&
	       library_take(library, "curl_easy_getinfo", &c->get) &&
	       library_take(library, "curl_easy_strerror", &c->words) &&
	       library_take(library, "curl_slist_append", &c->list_add) &&
	       library_take(library, "curl_slist_free_all", &c->list_free) &&
	       library_take(library, "curl_multi_init", &c->group_new) &&
	       library_take(library, "curl_multi_cleanup", &c->group_free) &&
	       library_take(library, "curl_multi_add_handle", &c->group_add) &&
	       library_take(library, "curl_multi_remove_handle", &c->group_remove) &&
	       library_take(library, "curl_multi_perform", &c->group_work) &&
	       library_take(library, "curl_multi_poll", &c->group_wait) &&
	       library_take(library, "curl_multi_info_read", &c->group_message) && begin(EVERYTHING) == 0;
}

bool curl_load(struct curl *c, struct err *err)
{
	static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl-nss.so.4", NULL};
	void *library = library_open(names, "libcurl4", err);
	return library && (take(library, c) || fail(err, "%s cannot be used: it is older than 7.66", names[0]));
}
