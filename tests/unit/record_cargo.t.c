/*
 * record_cargo.t.c - what cargo prints as JSON: targets of packages, and the programs of a build.
 */
#include "record/cargo_messages.h"
#include "tests/tap.h"

/* ---- packages ------------------------------------------------------------------------------------------------ */

static void test_targets(void)
{
	static const char text[] =
		"{\"packages\":["
		"{\"targets\":[{\"name\":\"a\",\"kind\":[\"proc-macro\"]},{\"kind\":[\"cdylib\",\"rlib\"],\"name\":\"b\"},"
		"{\"kind\":[\"custom-build\"],\"name\":\"build\"}],\"default_run\":\"b\",\"name\":\"one\",\"manifest_path\":"
		"\"/w/\\u006fne/Cargo.toml\",\"dependencies\":[{\"name\":\"x\",\"kind\":\"dev\"}],\"metadata\":{\"name\":[1]}},"
		"{\"name\":\"two\",\"default_run\":null,\"targets\":[{\"kind\":[\"bin\"],\"name\":\"c\",\"new\":{\"kind\":"
		"[\"lib\"]}}]}],\"version\":1}\n";
	struct cargo_targets list = {NULL, 0, 0};
	struct arena arena;
	struct err err = {""};
	arena_init(&arena);
	ok(cargo_read_targets(&list, &arena, text, strlen(text), &err), "metadata are read");
	is_int(list.n, 4, "with all targets");
	is_int(list.v[0].kinds, CARGO_LIB, "a procedural macro is a library");
	is_int(list.v[1].kinds, CARGO_LIB, "and so is a target of several kinds of them");
	is_int(list.v[2].kinds, 0, "a build script is nothing to record");
	is_str(list.v[0].package, "one", "a name that follows the targets is theirs");
	is_str(list.v[0].manifest, "/w/one/Cargo.toml", "and so is the path of Cargo.toml");
	is_str(list.v[1].default_run, "b", "and default-run");
	is_str(list.v[3].package, "two", "the next package has its own name");
	ok(list.v[3].default_run == NULL, "and no default-run");
	is_int(list.v[3].kinds, CARGO_BIN, "members that are unknown count for nothing");
	ok(!cargo_read_targets(&list, &arena, text, strlen(text) - 4, &err),
	   "metadata that end too early are an error");
	ok(!cargo_read_targets(&list, &arena, "{\"packages\":]", 13, &err), "and so is what is no JSON");
	ok(strncmp(err.text, "cargo metadata: line 1: ", 24) == 0, "which is said");
	free(list.v);
	arena_deinit(&arena);
}

/* ---- a build ------------------------------------------------------------------------------------------------- */

static void reads(const char *line, const char *expected, const char *name)
{
	struct cargo_artifacts list = {NULL, 0, 0};
	struct arena arena;
	struct buf found;
	buf_init(&found);
	arena_init(&arena);
	cargo_read_artifacts(&list, &arena, line, strlen(line));
	for (size_t i = 0; i < list.n; i++) {
		const struct cargo_artifact *a = &list.v[i];
		buf_addf(&found, "%s %s %u%s%s %s;", a->package, a->name, a->kinds, a->has_harness ? " tests" : "",
		         a->has_debug_info ? " debug" : "", a->executable ? a->executable : "-");
	}
	is_str(buf_str(&found), expected, "%s", name);
	free(list.v);
	arena_deinit(&arena);
	buf_deinit(&found);
}

#define REASON "{\"reason\":\"compiler-artifact\","
#define TARGET "\"target\":{\"kind\":[\"test\"],\"name\":\"it\"},"

static void test_artifacts(void)
{
	reads(REASON "\"package_id\":\"path+file:///w/dir#one@0.1.0\"," TARGET
	             "\"profile\":{\"debuginfo\":2,\"test\":true},\"executable\":\"/w/it\"}\n",
	      "one it 8 tests debug /w/it;", "an artifact is read");
	reads(REASON "\"executable\":\"/w/it\",\"profile\":{\"test\":false,\"debuginfo\":null}," TARGET
	             "\"package_id\":\"path+file:///w/one#0.1.0\"}",
	      "one it 8 /w/it;", "in any order, and without a newline at the end");
	reads(REASON "\"package_id\":\"one 0.1.0 (path+file:///w/dir)\"," TARGET
	             "\"profile\":{\"debuginfo\":\"line-tables-only\"},\"executable\":null}\n",
	      "one it 8 debug -;", "line tables are debug information, and a package has an older kind of name");
	reads(REASON "\"package_id\":\"#\"," TARGET "\"profile\":{\"debuginfo\":0,\"test\":false}}\n", " it 8 -;",
	      "a strange package id leaves the name empty");
	reads("{\"reason\":\"build-script-executed\",\"package_id\":\"one\"}\n", "", "other messages are skipped");
	reads("Executable\n\n" REASON "\"package_id\":}\n{", "", "and so is what is no message");
	reads(REASON TARGET "\"executable\":\"/a\"}\nx\n" REASON TARGET "\"executable\":\"/b\"}\n",
	      " it 8 /a; it 8 /b;", "each line is read");
}

int main(void)
{
	test_targets();
	test_artifacts();
	return done_testing();
}
