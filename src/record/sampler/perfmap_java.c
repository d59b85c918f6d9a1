/*
 * perfmap_java.c - `jcmd PID Compiler.perfmap`, without a JDK.
 *
 *	/tmp/.attach_pidPID  a file that the asker creates, and removes
 *	SIGQUIT              makes the JVM look for that file, and listen; without the file it prints a dump of threads
 *	/tmp/.java_pidPID    where it listens from then on
 *
 *	"1\0jcmd\0Compiler.perfmap\0\0\0"  ->  "0\n", or the number of an error and a text
 *
 * Programs that have no handler for SIGQUIT are ended by it: those get none.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/sampler/perfmap_ask.h"

#define STEP_MS 20
#define ANSWER_MOST 1024u

/* Makes the JVM listen, and connects. -1 with err; with an empty err, it is not ready for that. */
static int begin_to_listen(const struct perfmap_target *t, const char *socket, struct err *err)
{
	char file[40];
	int fd = -1;
	if (!perfmap_catches(t, SIGQUIT))
		return -1;
	snprintf(file, sizeof file, ".attach_pid%ld", (long)t->inner);
	int made = openat(t->directory, file, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (made < 0 && errno != EEXIST) {
		fail_errno(err, "%s", file);
		return -1;
	}
	bool goes_on = perfmap_catches(t, SIGQUIT) && perfmap_signal(t, SIGQUIT);
	while (goes_on && fd < 0 && !err->text[0]) {
		goes_on = perfmap_pause(t, STEP_MS);
		fd = perfmap_connect(t, socket, err);
	}
	if (fd < 0 && !err->text[0])
		fail(err, "it does not answer");
	if (made >= 0) {
		unlinkat(t->directory, file, 0);
		close(made);
	}
	return fd;
}

/* Takes the answer to the command. */
static bool command(const struct perfmap_target *t, int fd, struct err *err)
{
	static const char words[] = "1\0jcmd\0Compiler.perfmap\0\0"; /* and the last NUL */
	char answer[ANSWER_MOST + 1];
	if (!perfmap_send(t, fd, words, sizeof words, err))
		return false;
	size_t n = perfmap_receive(t, fd, answer, ANSWER_MOST);
	answer[n] = '\0';
	size_t number = strspn(answer, "0123456789");
	if (!number || answer[number] != '\n' || n == ANSWER_MOST)
		return fail(err, "it gives no answer that makes sense");
	answer[number] = '\0';
	char *text = answer + number + 1;
	text[strcspn(text, "\n")] = '\0';
	if (strstr(text, "Unknown diagnostic command"))
		return fail(err, "only Java 17 and newer can write it");
	return strcmp(answer, "0") == 0 || fail(err, "error %s: %s", answer, text);
}

static enum perfmap_result ask(struct perfmap_target *t, struct err *err)
{
	char socket[40];
	struct buf earlier;
	if (perfmap_is_told(t, "+DisableAttachMechanism")) {
		fail(err, "it was started with -XX:+DisableAttachMechanism");
		return PERFMAP_FAILED;
	}
	if (!t->request->is_first && !t->request->is_alone && perfmap_size(t) > PERFMAP_SMALL)
		return PERFMAP_LARGE;
	if (!perfmap_make_place(t, err))
		return PERFMAP_FAILED;
	if (!perfmap_is_told(t, "+PreserveFramePointer"))
		t->note = "; stacks end at the first of them, unless it is started with -XX:+PreserveFramePointer";
	snprintf(socket, sizeof socket, ".java_pid%ld", (long)t->inner);
	int fd = perfmap_connect(t, socket, err);
	if (fd < 0 && !err->text[0])
		fd = begin_to_listen(t, socket, err);
	if (fd < 0 && !err->text[0] && t->request->is_last)
		fail(err, "it does not listen, and has no handler for SIGQUIT");
	if (fd < 0)
		return err->text[0] ? PERFMAP_FAILED : PERFMAP_LATER;
	buf_init(&earlier);
	if (!t->request->is_first)
		perfmap_read(t, &earlier);
	bool is_good = command(t, fd, err) && perfmap_unite(t, &earlier, err);
	buf_deinit(&earlier);
	return !is_good ? PERFMAP_FAILED : t->lost ? PERFMAP_LOST : PERFMAP_DONE;
}

enum perfmap_result perfmap_ask_java(struct perfmap_target *t, struct err *err)
{
	enum perfmap_result result = ask(t, err);
	if (result == PERFMAP_FAILED || result == PERFMAP_LATER)
		perfmap_give_up_place(t);
	return result;
}
