/*
 * sources.c - reads any bytes as an address and as a page that lists profiles: no secret may be in what is shown, and
 * no name may lead to another host.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sources/endpoints.h"
#include "sources/title.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool held)
{
	if (!held)
		abort();
}

/* The address with its parameters in another order is one, too, with the same host. */
static void use(const struct url *u)
{
	struct url again;
	struct buf out;
	buf_init(&out);
	url_add_with(&out, u, "seconds", "5");
	if (url_read(&again, buf_str(&out), NULL)) {
		check(url_is_same_origin(u, &again) && !again.user);
		check(endpoint_kind(u) == endpoint_kind(&again) && endpoint_seconds(&again) == 5);
		url_deinit(&again);
	}
	buf_deinit(&out);
	endpoint_advice(u);
}

static void check_title(const struct url *u)
{
	struct buf title;
	buf_init(&title);
	title_add(&title, u->shown);
	check(title.len > 0);
	buf_deinit(&title);
}

/* What is shown of an address with this text in its user's part and in a parameter. */
static void hide(const char *text)
{
	static const char mark[] = "geheim";
	struct url u;
	struct buf word;
	buf_init(&word);
	buf_addf(&word, "http://%s:%s@h/%s?token=%s&x=1", mark, mark, text, mark);
	bool has_query = strpbrk(text, "?#&"), has_mark = strstr(text, mark);
	if (!has_query && !has_mark && url_read(&u, buf_str(&word), NULL)) {
		check(!strstr(u.shown, mark));
		url_deinit(&u);
		char *copy = mem_strdup(buf_str(&word));
		url_blot(copy);
		check(!strstr(copy, mark));
		free(copy);
	}
	buf_deinit(&word);
}

static void follow(const struct url *list, const struct endpoints *e)
{
	struct url u;
	struct menu m = {0};
	endpoints_make_menu(&m, list, e);
	check(m.n == e->n);
	for (size_t i = 0; i < m.n; i++) {
		check(url_read(&u, m.v[i].address, NULL) && url_is_same_origin(list, &u));
		check(strncmp(u.request, list->request, list->query) == 0);
		url_deinit(&u);
	}
	menu_deinit(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct url u;
	struct endpoints e = {0};
	char *word = mem_strndup((const char *)data, size);
	url_is(word);
	if (url_read(&u, word, NULL)) {
		use(&u);
		check_title(&u);
		url_deinit(&u);
	}
	hide(word);
	free(word);
	endpoints_read(&e, (const char *)data, size);
	if (url_read(&u, "http://h/debug/pprof/", NULL)) {
		follow(&u, &e);
		url_deinit(&u);
	}
	endpoints_deinit(&e);
	return 0;
}
