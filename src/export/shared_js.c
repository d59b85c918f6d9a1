/*
 * shared_js.c - the scripts that a drawing and a page have in common.
 *
 * Labels, numbers and colours are the same in both.
 */
#include "shared_js.h"

#include "viewer_change_js.h"
#include "viewer_label_js.h"
#include "viewer_text_js.h"
#include "viewer_tree_js.h"

void shared_js_add(struct buf *b)
{
	buf_adds(b, viewer_text_js);
	buf_adds(b, viewer_label_js);
	buf_adds(b, viewer_tree_js);
	buf_adds(b, viewer_change_js);
}
