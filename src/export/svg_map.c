/*
 * svg_map.c - the palette file of --cp, which keeps the colours of functions between drawings.
 *
 *	_start->rgb(225,85,42)
 *	std::vector<int>::push_back->rgb(233, 12, 7)
 *
 * A name may contain "->" (operator->), so the last "->rgb(" separates name and colour. Lines are sorted by name,
 * so that files can be compared. Names with a line break cannot be kept; they are counted.
 *
 * Lines that are not colours are written back before all others. A file without any colour is not a palette, and is
 * not touched.
 */
#include "base/sort.h"
#include "svg.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/output.h"

#define ARROW "->"

void svg_map_deinit(struct svg_map *map)
{
	symtab_deinit(&map->names);
	free(map->colors);
	free(map->is_set);
	buf_deinit(&map->kept);
}

void svg_map_set(struct svg_map *map, const char *name, size_t len, struct rgb color)
{
	uint32_t id = symtab_intern(&map->names, name, len);
	map->colors = mem_grow(map->colors, &map->cap_colors, id + 1, sizeof *map->colors);
	map->is_set = mem_grow(map->is_set, &map->cap_set, id + 1, sizeof *map->is_set);
	for (; map->n <= id; map->n++)
		map->is_set[map->n] = false;
	map->colors[id] = color;
	map->is_set[id] = true;
}

bool svg_map_get(const struct svg_map *map, const char *name, size_t len, struct rgb *color)
{
	uint32_t id = symtab_find(&map->names, name, len);
	if (id >= map->n || !map->is_set[id])
		return false;
	*color = map->colors[id];
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Reads a number up to 255 with blanks around it, and the character after it. */
static bool read_component(const char **s, const char *end, char after, uint8_t *value)
{
	const char *p = *s, *digits;
	uint64_t v;
	while (p < end && is_blank(*p))
		p++;
	for (digits = p; p < end && *p >= '0' && *p <= '9';)
		p++;
	if (!number_u64(digits, (size_t)(p - digits), &v) || v > 255)
		return false;
	while (p < end && is_blank(*p))
		p++;
	if (p == end || *p != after)
		return false;
	*value = (uint8_t)v;
	*s = p + 1;
	return true;
}

static bool read_color(const char *s, const char *end, struct rgb *c)
{
	while (s < end && is_blank(*s))
		s++;
	if (end - s < 4 || memcmp(s, "rgb(", 4) != 0)
		return false;
	s += 4;
	if (!read_component(&s, end, ',', &c->r) || !read_component(&s, end, ',', &c->g) ||
	    !read_component(&s, end, ')', &c->b))
		return false;
	while (s < end && is_blank(*s))
		s++;
	return s == end;
}

static const char *last_arrow(const char *line, size_t n)
{
	for (size_t i = n; i >= 2; i--)
		if (memcmp(line + i - 2, ARROW, 2) == 0)
			return line + i - 2;
	return NULL;
}

static bool read_line(struct svg_map *map, const char *line, size_t n)
{
	const char *arrow = last_arrow(line, n);
	struct rgb color;
	if (!arrow || !read_color(arrow + 2, line + n, &color))
		return false;
	svg_map_set(map, line, (size_t)(arrow - line), color);
	return true;
}

static void keep_line(struct svg_map *map, const char *line, size_t n)
{
	buf_add(&map->kept, line, n);
	buf_addc(&map->kept, '\n');
}

static bool read_lines(struct svg_map *map, const char *path, const struct buf *text, struct report *report,
                       struct err *err)
{
	uint64_t number = 1;
	for (size_t at = 0, n; at < text->len; at += n + 1, number++) {
		const char *newline = memchr(text->data + at, '\n', text->len - at);
		n = newline ? (size_t)(newline - text->data) - at : text->len - at;
		if (!n || read_line(map, text->data + at, n))
			continue;
		keep_line(map, text->data + at, n);
		report_add(report, NOTE_WARN, "not a colour, kept as it is (expected 'name->rgb(red,green,blue)')", path,
		           number, text->data + at, n);
	}
	return map->n > 0 || map->kept.len == 0 ||
	       fail(err, "%s: not a palette file, and left as it is (expected lines like 'name->rgb(red,green,blue)')",
	            path);
}

bool svg_map_read(struct svg_map *map, const char *path, struct report *report, struct err *err)
{
	struct buf text;
	*map = (struct svg_map){0};
	symtab_init(&map->names);
	buf_init(&map->kept);
	if (access(path, F_OK) != 0 && errno == ENOENT)
		return true;
	if (!output_check_place(path, err)) /* it will not be written either */
		return false;
	buf_init(&text);
	bool is_good = input_read_file(path, SIZE_MAX, &text, err) && read_lines(map, path, &text, report, err);
	buf_deinit(&text);
	return is_good;
}

static int compare_names(const void *a, const void *b)
{
	const struct symbol *x = *(const struct symbol *const *)a, *y = *(const struct symbol *const *)b;
	int order = memcmp(x->name, y->name, x->len < y->len ? x->len : y->len);
	return order ? order : (x->len > y->len) - (x->len < y->len);
}

/* The names with a colour that fit on a line, sorted by bytes. */
static const struct symbol **sorted_names(const struct svg_map *map, const char *path, size_t *n,
                                          struct report *report)
{
	const struct symbol **list = mem_zalloc(map->n + 1, sizeof *list);
	*n = 0;
	for (size_t i = 0; i < map->n; i++) {
		const struct symbol *s = &map->names.symbols[i];
		if (!map->is_set[i])
			continue;
		if (memchr(s->name, '\n', s->len))
			report_add(report, NOTE_WARN, "a name with a line break cannot be kept in the palette", path, 0,
			           s->name, s->len);
		else
			list[(*n)++] = s;
	}
	sort_array(list, *n, sizeof *list, compare_names);
	return list;
}

bool svg_map_write(struct svg_map *map, const char *path, struct report *report, struct err *err)
{
	struct output *out = output_open(path, err);
	const struct symbol **list;
	struct buf text;
	size_t n;
	if (!out)
		return false;
	buf_init(&text);
	buf_add(&text, map->kept.data, map->kept.len);
	list = sorted_names(map, path, &n, report);
	for (size_t i = 0; i < n; i++) {
		buf_add(&text, list[i]->name, list[i]->len);
		buf_adds(&text, ARROW);
		svg_add_rgb(&text, map->colors[list[i] - map->names.symbols]);
		buf_addc(&text, '\n');
	}
	free(list);
	output_flush_buf(out, &text);
	buf_deinit(&text);
	return output_commit(out, err);
}
