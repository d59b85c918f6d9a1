/*
 * numbers.c - `numbers FILE BASE`: prints 1.5 in the locale of the environment, then what a comparison of the files
 * is in several kinds of files, then 1.5 again.
 */
#include <flametop.h>
#include <locale.h>
#include <stdio.h>

static int put(void *arg, const void *bytes, size_t n)
{
	(void)arg;
	return fwrite(bytes, 1, n, stdout) == n ? 0 : -1;
}

static int show(struct flametop_profile *p)
{
	static const char *const kinds[] = {"json", "svg", "top", "speedscope", "html"};
	struct flametop_view *v = flametop_view_new(p);
	int status = flametop_view_set_time(v, 1.5, 2.5);
	printf("set_time: %d %s\n", status, flametop_profile_error(p));
	flametop_view_set_time(v, 0, 0);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		status = flametop_view_export(v, kinds[i], put, NULL);
	flametop_view_free(v);
	return status;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return FLAMETOP_USAGE;
	setlocale(LC_ALL, "");
	printf("%.1f\n", 1.5);
	struct flametop_profile *p = flametop_profile_new();
	flametop_profile_set(p, "jobs", "2");
	flametop_profile_add_file(p, argv[1], FLAMETOP_NEW);
	flametop_profile_add_file(p, argv[2], FLAMETOP_BASELINE);
	int status = flametop_profile_load(p);
	if (status == FLAMETOP_OK)
		status = show(p);
	flametop_profile_free(p);
	printf("%.1f\n", 1.5);
	return status;
}
