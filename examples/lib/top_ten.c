/*
 * top_ten.c - the ten heaviest functions of a profile, and an SVG of it, by libflametop.
 *
 *	cc -o top_ten top_ten.c $(pkg-config --cflags --libs flametop)
 *	./top_ten ../waits.folded.gz waits.svg
 */
#include <flametop.h>
#include <inttypes.h>
#include <stdio.h>

static void say(void *arg, const char *text)
{
	(void)arg;
	fprintf(stderr, "top_ten: %s\n", text);
}

static int write_bytes(void *file, const void *bytes, size_t n)
{
	return fwrite(bytes, 1, n, file) == n ? 0 : -1;
}

static int print_functions(struct flametop_view *view)
{
	struct flametop_function f = {.size = sizeof f};
	size_t n;
	int status = flametop_view_functions(view, &n);
	for (size_t i = 0; status == FLAMETOP_OK && i < n && i < 10; i++) {
		status = flametop_view_function(view, i, &f);
		if (status == FLAMETOP_OK)
			printf("%12" PRIu64 "  %12" PRIu64 "  %s\n", f.self, f.total, f.name);
	}
	return status;
}

static int write_svg(struct flametop_view *view, const char *path)
{
	FILE *file = fopen(path, "wb");
	if (!file) {
		perror(path);
		return FLAMETOP_FAILED;
	}
	int status = flametop_view_set(view, "title", "The same as a picture");
	if (status == FLAMETOP_OK)
		status = flametop_view_export(view, "svg", write_bytes, file);
	if (fclose(file) != 0 && status == FLAMETOP_OK) {
		perror(path);
		status = FLAMETOP_FAILED;
	}
	return status;
}

/* In reverse order of making: views belong to their profile. perror() has printed what is wrong with a file. */
static int end(struct flametop_profile *profile, struct flametop_view *view, int status)
{
	const char *why = flametop_profile_error(profile);
	if (*why)
		say(NULL, why);
	flametop_view_free(view);
	flametop_profile_free(profile);
	return status;
}

int main(int argc, char **argv)
{
	struct flametop_view *view = NULL;
	if (argc != 3) {
		fprintf(stderr, "Usage: top_ten PROFILE SVG\n");
		return FLAMETOP_USAGE;
	}
	struct flametop_profile *profile = flametop_profile_new();
	flametop_profile_on_note(profile, say, NULL);
	int status = flametop_profile_add_file(profile, argv[1], FLAMETOP_NEW);
	if (status == FLAMETOP_OK)
		status = flametop_profile_load(profile);
	if (status == FLAMETOP_OK && !(view = flametop_view_new(profile)))
		status = FLAMETOP_FAILED;
	if (status == FLAMETOP_OK)
		status = print_functions(view);
	if (status == FLAMETOP_OK)
		status = write_svg(view, argv[2]);
	return end(profile, view, status);
}
