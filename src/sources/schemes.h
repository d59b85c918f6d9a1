/*
 * schemes.h - the list of services with schemes of their own, one row each: the scheme, and the port of addresses
 * that have neither one nor TLS.
 *
 * A row `x` makes x:// and x+https:// addresses; the service is one file, which ends with `const struct service
 * service_x` (service.h).
 */
#ifndef SOURCES_SCHEMES_H
#define SOURCES_SCHEMES_H

/* clang-format off */
#define SCHEMES(ROW) \
	ROW(pyroscope, 4040) \
	ROW(parca, 7070)
/* clang-format on */

#define SCHEME_NUMBER(name, port) SCHEME_##name,
enum scheme { SCHEME_HTTP, SCHEMES(SCHEME_NUMBER) N_SCHEMES };
#undef SCHEME_NUMBER

#endif
