/*
 * service.c - the table of services.
 */
#include "sources/service.h"

#define SERVICE_ADDRESS(name, port, tls_port) &service_##name,

const struct service *service_of(enum scheme scheme)
{
	static const struct service *const services[N_SCHEMES] = {&service_http, SCHEMES(SERVICE_ADDRESS)};
	return services[scheme];
}

void service_add_takers(struct buf *out)
{
	const char *names[N_SCHEMES];
	size_t n = 0;
	for (unsigned s = 0; s < N_SCHEMES; s++)
		if (service_of((enum scheme)s)->push)
			names[n++] = url_scheme_name((enum scheme)s);
	for (size_t i = 0; i < n; i++)
		buf_addf(out, "%s%s://", i == 0 ? "" : i + 1 < n ? ", " : " and ", names[i]);
}
