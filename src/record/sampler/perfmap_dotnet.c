/*
 * perfmap_dotnet.c - the command EnablePerfMap of .NET's diagnostics.
 *
 *	TMPDIR/dotnet-diagnostic-PID-BEGUN-socket
 *
 *	"DOTNET_IPC_V1\0", u16 size of all, u8 set, u8 command, u16 0; then for EnablePerfMap u32 kind
 *
 * The answer has the same form, with the set 0xff and the command 0, or 0xff for an error. .NET writes what it has
 * compiled, and then adds each function. At the end of the recording that is switched off again.
 */
#include <string.h>
#include <unistd.h>

#include "record/sampler/perfmap_ask.h"

#define HEAD 20u
#define SET_PROCESS 4u
#define ENABLE 5u
#define DISABLE 6u
#define KIND_MAP 3u /* 1: a jitdump, too */
#define SET_SERVER 0xffu

static const unsigned char magic[14] = "DOTNET_IPC_V1";

/* -1 as in perfmap_connect(). */
static int connect_to(const struct perfmap_target *t, struct err *err)
{
	char name[96];
	snprintf(name, sizeof name, "dotnet-diagnostic-%ld-%llu-socket", (long)t->inner,
	         (unsigned long long)t->request->begun);
	return perfmap_connect(t, name, err);
}

static bool command(const struct perfmap_target *t, int fd, unsigned char which, struct err *err)
{
	unsigned char bytes[HEAD + 4] = {0}, answer[HEAD];
	size_t n = which == ENABLE ? HEAD + 4 : HEAD;
	memcpy(bytes, magic, sizeof magic);
	bytes[14] = (unsigned char)n;
	bytes[16] = SET_PROCESS;
	bytes[17] = which;
	bytes[HEAD] = KIND_MAP;
	if (!perfmap_send(t, fd, bytes, n, err))
		return false;
	if (perfmap_receive(t, fd, answer, HEAD) < HEAD || memcmp(answer, magic, sizeof magic) != 0 ||
	    answer[16] != SET_SERVER)
		return fail(err, "it does not answer");
	return answer[17] == 0 || fail(err, "only .NET 8 and newer can write it on demand");
}

enum perfmap_result perfmap_ask_dotnet(struct perfmap_target *t, struct err *err)
{
	bool is_ours = !perfmap_is_told(t, "PerfMapEnabled="); /* else it writes one anyway, and goes on with that */
	unsigned char which = t->request->is_first ? ENABLE : DISABLE;
	if (!is_ours || (!t->request->is_first && !t->request->is_last))
		return PERFMAP_DONE;
	int fd = connect_to(t, err);
	if (fd < 0 && !err->text[0] && t->request->is_last)
		fail(err, "it does not listen for diagnostics");
	if (fd < 0)
		return err->text[0] ? PERFMAP_FAILED : PERFMAP_LATER;
	if (which == ENABLE && !perfmap_make_place(t, err)) {
		close(fd);
		return PERFMAP_FAILED;
	}
	if (!command(t, fd, which, err)) {
		perfmap_give_up_place(t);
		return PERFMAP_FAILED;
	}
	if (which == ENABLE && t->request->is_last && (fd = connect_to(t, err)) >= 0)
		command(t, fd, DISABLE, err);
	return PERFMAP_DONE;
}
