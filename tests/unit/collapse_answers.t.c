/*
 * An input that waits for what others send: the time of samples that have none.
 */
#include "tests/tap.h"

#include "collapse/load/answers.h"
#include "loading.h"

/* A sender that comes late. */
struct sender {
	unsigned n_sent;
	uint64_t came[2]; /* when; nanoseconds */
	enum load_verdict verdict;
};

static uint64_t time_of_day(void)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int fetch(void *arg, const atomic_bool *stop, struct err *err)
{
	static const char text[] = "main;work 5\n";
	static const struct timespec late = {0, 20000000};
	struct sender *s = arg;
	(void)stop;
	err->text[0] = '\0';
	if (s->n_sent == 2)
		return -1;
	nanosleep(&late, NULL);
	int fd = memfd_create("sent", 0);
	if (write(fd, text, sizeof text - 1) < 0 || lseek(fd, 0, SEEK_SET) != 0)
		return -1;
	s->came[s->n_sent++] = time_of_day();
	return fd;
}

static void judge(void *arg, enum load_verdict verdict, const char *why)
{
	struct sender *s = arg;
	(void)why;
	s->verdict = verdict;
}

/* A profile with a label, in which labels seem to take so many bytes. */
static void label(struct profile *p, size_t bytes)
{
	profile_init(p);
	p->tags = tags_new();
	uint32_t tag =
		tags_add_text(p->tags, (struct symbol){.name = "key", .len = 3}, (struct symbol){.name = "v", .len = 1});
	tags_add_set(p->tags, &tag, 1);
	p->tags->names.names.total += bytes;
}

static void test_room(void)
{
	struct profile whole, more;
	label(&whole, (size_t)200 << 20);
	label(&more, (size_t)50 << 20);
	ok(answers_have_room(&whole, &more), "labels of 250 MiB have room");
	more.tags->names.names.total += (size_t)50 << 20;
	ok(!answers_have_room(&whole, &more), "labels of 300 MiB have none");
	more.tags->names.names.total = 0;
	whole.log[0].n = 5 << 20;
	more.log[0].n = 3 << 20;
	ok(answers_have_room(&whole, &more), "eight million samples have room");
	more.log[0].n++;
	ok(!answers_have_room(&whole, &more), "and not one more");
	whole.log[0].n = more.log[0].n = 0;
	profile_deinit(&more);
	profile_deinit(&whole);
}

int main(void)
{
	test_room();
	struct sender s = {.verdict = LOAD_BAD};
	const struct load_fetcher f = {.arg = &s, .fetch = fetch, .judge = judge, .is_passing = true};
	const struct load_input in = {.path = "sent", .fd = -1, .fetcher = &f};
	const struct collapse_options o = {.format = "folded", .jobs = 1};
	struct profile p;
	struct err err = {""};
	profile_init(&p);
	ok(load_all(&p, &in, 1, &o, &err) && s.verdict == LOAD_TAKEN, "what is sent is taken");
	const struct sample_log *log = &p.log[0];
	is_int(log->n, 2, "two profiles have come");
	for (size_t i = 0; i < log->n; i++) {
		uint64_t time = log_time(log, i);
		ok(time >= s.came[i] && time <= time_of_day(), "a sample without a time has that when it came");
	}
	ok(log->n == 2 && log_time(log, 0) < s.came[1], "each its own");
	profile_deinit(&p);
	return done_testing();
}
