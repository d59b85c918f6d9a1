/*
 * entity.c - characters as XML and HTML write them: "&amp;", "&ouml;", "&#43;", "&#x2B;".
 */
#include "base/entity.h"

#include <string.h>

#include "base/hex.h"

/* From U+00A0 on. */
static const char latin1[] =
	"nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 "
	"sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc "
	"Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve "
	"Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute "
	"acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde "
	"ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";

static const struct {
	const char *name;
	char c;
} ascii[] = {
	{"amp", '&'},    {"AMP", '&'},    {"LT", '<'},     {"GT", '>'},     {"QUOT", '"'},     {"lt", '<'},
	{"gt", '>'},     {"quot", '"'},   {"apos", '\''},  {"Tab", '\t'},   {"NewLine", '\n'}, {"excl", '!'},
	{"num", '#'},    {"dollar", '$'}, {"percnt", '%'}, {"lpar", '('},   {"rpar", ')'},     {"ast", '*'},
	{"plus", '+'},   {"comma", ','},  {"period", '.'}, {"sol", '/'},    {"colon", ':'},    {"semi", ';'},
	{"equals", '='}, {"quest", '?'},  {"commat", '@'}, {"lsqb", '['},   {"lbrack", '['},   {"bsol", '\\'},
	{"rsqb", ']'},   {"rbrack", ']'}, {"Hat", '^'},    {"lowbar", '_'}, {"grave", '`'},    {"lcub", '{'},
	{"lbrace", '{'}, {"verbar", '|'}, {"vert", '|'},   {"rcub", '}'},   {"rbrace", '}'},
};

static bool is_ascii(struct slice name, uint32_t *cp)
{
	for (size_t i = 0; i < sizeof ascii / sizeof *ascii; i++) {
		if (!slice_is(name, ascii[i].name))
			continue;
		*cp = (uint32_t)ascii[i].c;
		return true;
	}
	return false;
}

static bool is_latin1(struct slice name, uint32_t *cp)
{
	struct slice names = slice_of(latin1);
	for (uint32_t c = 0xa0; names.n; c++) {
		struct slice one = slice_take_until(&names, ' ');
		if (one.n != name.n || memcmp(one.s, name.s, name.n) != 0)
			continue;
		*cp = c;
		return true;
	}
	return false;
}

static bool is_number(struct slice digits, uint32_t *cp)
{
	uint64_t v = 0;
	unsigned base = digits.n && (*digits.s | 32) == 'x' ? 16 : 10;
	digits = slice_from(digits, base == 16);
	if (!digits.n)
		return false;
	for (size_t i = 0; i < digits.n; i++) {
		int d = hex_digit(digits.s[i]);
		if (v > 0x10FFFF || d < 0 || (unsigned)d >= base)
			return false;
		v = v * base + (unsigned)d;
	}
	*cp = (uint32_t)v;
	return v > 0 && v <= 0x10FFFF && (v < 0xD800 || v > 0xDFFF);
}

bool entity_read(struct slice text, uint32_t *cp)
{
	return slice_take(&text, "#") ? is_number(text, cp) : is_ascii(text, cp) || is_latin1(text, cp);
}
