/*
 * perl_lines.c - finds the line of an operation within its statement, as Perl does for caller() and warn().
 *
 *	if ($x) {        statement of line 1 -> if -> condition
 *		f();                             block -> nothing, was a statement of line 2
 *	}                                             call of f
 *
 * A block with one statement needs no statement of its own: it becomes an operation that does nothing, but keeps
 * its line. So the tree of the statement is searched, in order, for the operation at work or the one that it
 * leads to. The last such line on the way to it counts.
 */
#include "languages/perl_lines.h"

#include <string.h>

#define DEPTH_MOST 64u
#define VISITS_MOST 600u
#define TYPE_MASK 0x1ffu
#define HAS_SIBLING 0x4000u
#define HAS_KIDS 4u
#define TYPE_NOTHING 0u
#define TYPE_SCOPE_BEHIND 5u /* of a scope, from that of a statement */
#define LINE_MOST 10000000u

struct searching {
	struct memory *memory;
	uint32_t type;
	const struct perl_operation *wanted;
	uint32_t lines[DEPTH_MOST]; /* the last line at each depth */
	uint64_t next[DEPTH_MOST];  /* sibling to go on with; 0: none */
	size_t depth;
	unsigned visits;
};

struct node {
	uint64_t next, sibling, first;
	uint32_t type, line; /* line: of a statement that was left out; else 0 */
};

/* Reads an operation. It may lie at the end of memory, so its kids and line are read only if there are some. */
static bool read_node(const struct searching *s, uint64_t address, struct node *n)
{
	unsigned char bytes[PERL_OP_FIRST + 8];
	if (!memory_is_place(address) || !memory_read(s->memory, address, bytes, PERL_OP_FIRST))
		return false;
	uint32_t flags = memory_u32(bytes, PERL_OP_TYPE);
	uint64_t target = memory_u64(bytes, PERL_OP_TARGET);
	*n = (struct node){.next = memory_u64(bytes, PERL_OP_NEXT), .type = flags & TYPE_MASK};
	if (flags & HAS_SIBLING)
		n->sibling = memory_u64(bytes, PERL_OP_SIBLING);
	if (bytes[PERL_OP_FLAGS] & HAS_KIDS && !memory_pointer(s->memory, address + PERL_OP_FIRST, &n->first))
		return false;
	if (n->type == TYPE_NOTHING && (target == s->type || target == s->type + 1))
		n->line = memory_u32(bytes, PERL_STATEMENT_LINE);
	return true;
}

static bool is_wanted(const struct searching *s, uint64_t address, const struct node *n)
{
	if (!s->wanted->is_next)
		return address == s->wanted->address;
	return n->next == s->wanted->address && n->type != s->type + TYPE_SCOPE_BEHIND;
}

/* Goes down to the kids, on to the sibling, or up and on. 0: all was seen. */
static uint64_t advance(struct searching *s, const struct node *n)
{
	s->next[s->depth] = s->depth ? n->sibling : 0; /* only what is below the first one belongs to the statement */
	if (n->first && s->depth + 1 < DEPTH_MOST) {
		s->depth++;
		s->lines[s->depth] = s->lines[s->depth - 1];
		return n->first;
	}
	while (s->depth && !s->next[s->depth])
		s->depth--;
	return s->next[s->depth];
}

/* The operation that follows the statement; 0: none. */
static uint64_t operation_after(struct memory *m, uint64_t statement)
{
	unsigned char bytes[PERL_OP_FIRST];
	bool is_read = memory_read(m, statement, bytes, sizeof bytes);
	return is_read && memory_u32(bytes, PERL_OP_TYPE) & HAS_SIBLING ? memory_u64(bytes, PERL_OP_SIBLING) : 0;
}

bool perl_line_near(struct memory *m, uint64_t statement, uint32_t type, const struct perl_operation *wanted,
                    uint32_t *line)
{
	struct searching s = {.memory = m, .type = type, .wanted = wanted};
	struct node n;
	uint64_t at = operation_after(m, statement);
	*line = 0;
	while (at && s.visits++ < VISITS_MOST && read_node(&s, at, &n)) {
		if (n.line && n.line < LINE_MOST)
			s.lines[s.depth] = n.line;
		if (is_wanted(&s, at, &n)) {
			*line = s.lines[s.depth];
			return true;
		}
		at = advance(&s, &n);
	}
	return false;
}
