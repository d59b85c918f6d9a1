/*
 * picture.h - turns the rectangles of a flame graph back into stacks.
 *
 * A frame's caller is the frame one row nearer to the root that contains it. What a frame has beyond the frames on
 * it is its own weight.
 */
#ifndef COLLAPSE_FORMATS_PICTURE_H
#define COLLAPSE_FORMATS_PICTURE_H

#include "base/idmap.h"
#include "collapse/text/frames.h"

/* A decimal number. */
struct amount {
	uint64_t whole;
	uint32_t millionths;
};

struct picture_frame {
	uint64_t x, width; /* times 10^decimals of the picture */
	uint64_t count;    /* times 10^count_decimals */
	uint32_t sym;
	uint32_t row;       /* in picture.rows */
	bool is_everything; /* its share is written as 100%: so is that of the root only */
	bool is_all;        /* its name is "all" */
};

struct picture_row {
	uint64_t y;
	uint32_t frames, first; /* how many, and the first one's number */
	uint32_t depth;
};

enum picture_root { ROOT_UNKNOWN, ROOT_BELOW, ROOT_ABOVE };

/* Zeroed but for the sink it is empty. */
struct picture {
	struct sink *sink;
	bool has_weights; /* x and width of frames are weights; else pixels or percent, and counts are the weights */
	bool has_percent; /* x and width are percent */
	bool is_reversed; /* the root is the leaf of the stacks */
	bool is_whole;    /* no frame is missing: the root's own weight is that of stacks without frames */
	enum picture_root root;
	/* private */
	unsigned decimals, count_decimals;
	bool is_too_large; /* a number is too large for its decimals */
	struct picture_frame *frames;
	size_t n, cap;
	struct picture_row *rows;
	size_t n_rows, cap_rows;
	struct idmap row_of; /* by y in millionths */
};

void picture_deinit(struct picture *);
/* Adds a frame: sym, is_everything and is_all of it are given. */
void picture_add(struct picture *, struct picture_frame, struct amount x, struct amount y, struct amount width,
                 struct amount count);
/* Adds all stacks to the sink, as samples of this series. false: the rectangles are no stacks. */
bool picture_emit(struct picture *, uint32_t series, struct err *);

#endif
