/*
 * cargo_notes.c - what a program that cargo built lacks for a good profile.
 *
 * lld, which rustc uses on some systems, loads the text of a program at another distance from its place in the
 * file than the tables of call frames. The unwinders of some builds of perf take both distances for the same, and
 * find no callers. Ours reads the segments.
 */
#include "record/cargo_notes.h"

#include <ctype.h>

#include "record/perf.h"
#include "symbols/elf_file.h"

static void say_debug_info(const struct cargo_options *c)
{
	const char *profile = cargo_profile(c);
	struct buf line;
	buf_init(&line);
	buf_addf(&line,
	         "the profile '%s' has no debug information, so lines and inlined functions are missing: put "
	         "'[profile.%s] debug = true' into Cargo.toml, or CARGO_PROFILE_",
	         profile, profile);
	for (const char *p = profile; *p; p++)
		buf_addc(&line, *p == '-' ? '_' : (char)toupper((unsigned char)*p));
	buf_adds(&line, "_DEBUG=true into the environment");
	err_print(buf_str(&line));
	buf_deinit(&line);
}

static uint64_t distance(const struct elf_segment *s)
{
	return s->vaddr - s->offset;
}

/* Do text and call frame tables lie at different distances from their places in the file? */
static bool is_shifted(const char *path)
{
	struct elf_file elf;
	struct err err;
	const struct elf_segment *text = NULL, *frames = NULL;
	if (!elf_file_open(&elf, path, &err))
		return false;
	for (size_t i = 0; i < elf.n_segments; i++) {
		const struct elf_segment *s = &elf.segments[i];
		if (s->type == ELF_SEGMENT_LOAD && s->flags & ELF_SEGMENT_EXECUTABLE && !text)
			text = s;
		else if (s->type == ELF_SEGMENT_FRAMES)
			frames = s;
	}
	bool is_found = text && frames && distance(text) != distance(frames);
	elf_file_close(&elf);
	return is_found;
}

void cargo_say_advice(const struct options *o, const struct cargo_artifact *found)
{
	if (o->quiet)
		return;
	if (!found->has_debug_info)
		say_debug_info(&o->cargo);
	if (perf_script_is_needed(o) && is_shifted(found->executable))
		err_print("some builds of perf find no callers in programs that lld links, as this one: if so, build with "
		          "RUSTFLAGS=-Clink-arg=-Wl,--no-rosegment, or let flametop read the recording");
}
