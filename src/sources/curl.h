/*
 * curl.h - the functions of libcurl that are used here, from the library that is loaded when an address is given.
 *
 * Declared as in curl/curl.h, so that its header is not needed to build, nor the library to run.
 */
#ifndef SOURCES_CURL_H
#define SOURCES_CURL_H

#include <stddef.h>

#include "base/err.h"

/* Numbers of libcurl's binary interface. */
enum curl_option {
	CURL_WRITEDATA = 10001,
	CURL_URL = 10002,
	CURL_ERRORBUFFER = 10010, /* CURL_ERROR_BYTES */
	CURL_POSTFIELDS = 10015,  /* not copied */
	CURL_USERAGENT = 10018,
	CURL_HTTPHEADER = 10023,
	CURL_HEADERDATA = 10029,
	CURL_SSLCERT = 10025,
	CURL_KEYPASSWD = 10026,
	CURL_CAINFO = 10065,
	CURL_SSLKEY = 10087,
	CURL_USERNAME = 10173,
	CURL_PASSWORD = 10174,
	CURL_WRITEFUNCTION = 20011,
	CURL_HEADERFUNCTION = 20079,
	CURL_POST = 47,
	CURL_NETRC = 51,
	CURL_FOLLOWLOCATION = 52,
	CURL_SSL_VERIFYPEER = 64,
	CURL_SSL_VERIFYHOST = 81,
	CURL_NOSIGNAL = 99,
	CURL_CONNECTTIMEOUT_MS = 156,
	CURL_PROTOCOLS = 181,      /* bits: 1 http, 2 https */
	CURL_HTTP09_ALLOWED = 285, /* unknown to old libraries, as the next one */
	CURL_QUICK_EXIT = 322,     /* does not wait for a name that is looked up */
	CURL_MAXFILESIZE_LARGE = 30117,
	CURL_POSTFIELDSIZE_LARGE = 30120
};

enum curl_info {
	CURL_RESPONSE_CODE = 0x200000 + 2,
	CURL_REDIRECT_URL = 0x100000 + 31,
	CURL_LENGTH = 0x600000 + 15
};

#define CURL_ERROR_BYTES 256
#define CURL_DONE 1 /* curl_message.what */

enum curl_failure { CURL_OK, CURL_TOO_LARGE = 63 }; /* of many */

struct curl_list;
struct curl_message {
	int what;
	void *transfer;
	union {
		void *any;
		int failure; /* enum curl_failure, or another */
	};
};

/* One library for the process. */
struct curl {
	void *(*transfer_new)(void);
	void (*transfer_free)(void *);
	int (*set)(void *transfer, int option, ...);
	int (*get)(void *transfer, int info, ...);
	const char *(*words)(int failure);
	struct curl_list *(*list_add)(struct curl_list *, const char *);
	void (*list_free)(struct curl_list *);
	void *(*group_new)(void);
	int (*group_free)(void *);
	int (*group_add)(void *, void *transfer);
	int (*group_remove)(void *, void *transfer);
	int (*group_work)(void *, int *n_running);
	int (*group_wait)(void *, void *more, unsigned n_more, int ms, int *n_ready);
	struct curl_message *(*group_message)(void *, int *n_left);
};

/* Loads the library; call it before other threads run. false: err names the package. */
bool curl_load(struct curl *, struct err *err);

#endif
