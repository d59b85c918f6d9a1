/*
 * motion.h - cursor motions, the same in every view.
 */
#ifndef TUI_MOTION_H
#define TUI_MOTION_H

enum motion {
	MOVE_LEFT,
	MOVE_RIGHT,
	MOVE_UP,
	MOVE_DOWN,
	MOVE_PARENT,
	MOVE_TOP,
	MOVE_BOTTOM,
	MOVE_FIRST,
	MOVE_LAST,
	MOVE_PAGE_UP,
	MOVE_PAGE_DOWN,
	MOVE_HALF_UP,
	MOVE_HALF_DOWN,
	MOVE_WHEEL_UP,
	MOVE_WHEEL_DOWN,
};

/* Number of lines down for a motion, with `height` lines in sight; 0: the motion is not by lines. */
static inline long motion_lines(enum motion m, long height)
{
	long page = height > 1 ? height - 1 : 1, half = (page + 1) / 2;
	switch (m) {
	case MOVE_UP:
	case MOVE_DOWN:
		return m == MOVE_UP ? -1 : 1;
	case MOVE_PAGE_UP:
	case MOVE_PAGE_DOWN:
		return m == MOVE_PAGE_UP ? -page : page;
	case MOVE_HALF_UP:
	case MOVE_HALF_DOWN:
		return m == MOVE_HALF_UP ? -half : half;
	case MOVE_WHEEL_UP:
	case MOVE_WHEEL_DOWN:
		return m == MOVE_WHEEL_UP ? -3 : 3;
	default:
		return 0;
	}
}

#endif
