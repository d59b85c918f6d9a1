/*
 * service.c - the table of services.
 */
#include "sources/service.h"

#define SERVICE_ADDRESS(name, port) &service_##name,

const struct service *service_of(enum scheme scheme)
{
	static const struct service *const services[N_SCHEMES] = {NULL, SCHEMES(SERVICE_ADDRESS)};
	return services[scheme];
}
