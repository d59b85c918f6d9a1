/*
 * perfdata.c - prints the samples of a recording, one per line, for comparison with perf script: PIECE bytes at a
 * time, and features only of a file.
 *
 *	perfdata FILE|- [PIECE]
 *	comm pid/tid seconds.microseconds: period event: address ...
 *
 * Addresses are printed as by `perf script -F ip`: user-space addresses in chains relative to their file, all
 * others unchanged. Notes and losses go to standard error.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "base/mem.h"
#include "perfdata/perfdata.h"

static void print_address(const struct perfdata_sample *s, uint64_t address)
{
	const struct perfdata_map *map = perfdata_map_at(s->process, address);
	printf(" %" PRIx64, map && !(address >> 63) ? address - map->start + map->pgoff : address);
}

static void print_sample(void *arg, const struct perfdata_sample *s)
{
	struct perfdata *const *p = arg;
	const char *name = perfdata_event(*p, s->event)->name;
	if (s->comm)
		printf("%s", s->comm);
	else
		printf(":%d", s->tid);
	printf(" %d/%d %" PRIu64 ".%06" PRIu64 ": %" PRIu64 " %s:", s->pid, s->tid, s->time / 1000000000,
	       s->time % 1000000000 / 1000, s->period, name ? name : "");
	if (!s->chain)
		printf(" %" PRIx64, s->ip);
	for (size_t i = 0; i < s->n_chain; i++)
		if (s->chain[i] < CHAIN_MARKERS)
			print_address(s, s->chain[i]);
	putchar('\n');
}

static void print_lost(void *arg, enum perfdata_loss loss, uint64_t n)
{
	(void)arg;
	fprintf(stderr, "lost %" PRIu64 " %s\n", n, loss == LOSS_OF_RECORDS ? "records" : "samples");
}

static void print_note(void *arg, enum note_level level, const char *kind, uint64_t offset)
{
	(void)arg;
	fprintf(stderr, "note %d at %" PRIu64 ": %s\n", (int)level, offset, kind);
}

static bool read_at(void *arg, uint64_t offset, void *into, size_t n)
{
	return pread(*(int *)arg, into, n, (off_t)offset) == (ssize_t)n;
}

static bool read_all(struct perfdata *p, int fd, size_t piece, struct err *err)
{
	char *block = mem_alloc(piece);
	ssize_t n;
	bool ok = lseek(fd, 0, SEEK_CUR) < 0 || perfdata_read_features(p, read_at, &fd, err);
	while (ok && (n = read(fd, block, piece)) > 0)
		ok = perfdata_feed(p, block, (size_t)n, err);
	free(block);
	return perfdata_finish(p, ok, ok ? err : NULL) && ok;
}

int main(int argc, char **argv)
{
	struct perfdata *p;
	const struct perfdata_hooks hooks = {.sample = print_sample, .lost = print_lost, .note = print_note};
	struct err err = {""};
	int fd = argc > 1 && strcmp(argv[1], "-") != 0 ? open(argv[1], O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	if (argc < 2 || fd < 0)
		return 2;
	p = perfdata_new(&hooks, &p);
	bool ok = read_all(p, fd, argc > 2 ? (size_t)atol(argv[2]) : 65536, &err);
	if (!ok)
		err_print(err.text);
	perfdata_free(p);
	if (fd != STDIN_FILENO)
		close(fd);
	return ok ? 0 : 1;
}
