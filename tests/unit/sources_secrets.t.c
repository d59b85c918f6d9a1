/* What a server sends back of the user's credentials, in the places where its words enter a message. */
#include "sources/secrets.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "sources/answer.h"
#include "sources/clickhouse_rows.h"
#include "sources/known_users.h"
#include "sources/talk.h"
#include "tests/tap.h"

#define ADDRESS "http://h/?token=a%2Bbc+d;sig=9&x=plain"

static const char *const headers[] = {"X-Scope-OrgID: 4", "X-Key: sk-4a4b",           "X-Other: four",
                                      "X-Api-Key: 77",    "Cookie: id=12345678; x=1", NULL};
static struct credentials who = {.headers = headers, .user = "me", .password = "pass", .bearer = "bearing"};
static struct url url;
static struct secrets secrets = {&url, &who, NULL};

static void hides(const char *text, const char *expected)
{
	char copy[400];
	snprintf(copy, sizeof copy, "%s", text);
	secrets_hide(&secrets, copy, strlen(copy));
	is_str(copy, expected, "%s", text);
}

static void test_places(void)
{
	hides("", "");
	hides("nothing to hide, 4", "nothing to hide, 4");
	hides("sk-4a4b four 4 77", "******* **** 4 **");
	hides("pass bearing", "**** *******");
	hides("passpasspass", "************");
	hides("bWU6cGFzcw== bWU6cGFzcw", "************ **********");
	hides("a%2Bbc+d a+bc+d a+bc d plain", "******** ****** ****** plain");
	hides("sig=9;x", "sig=*;x");
	hides("token=a%2Bbc+d;sig=9", "token=**************");
	hides("Basic abc, bearer: x BEARER y", "Basic ***, bearer: x BEARER *");
	hides("session 12345678", "session ********");
}

/* Hides the values of this header in a copy of the text. */
static void hides_header(const char *header, const char *text, const char *expected)
{
	char copy[200];
	const char *const list[] = {header, NULL};
	struct credentials with = {.headers = list};
	snprintf(copy, sizeof copy, "%s", text);
	secrets_hide(&(struct secrets){&url, &with, NULL}, copy, strlen(copy));
	is_str(copy, expected, "%s: %s", header, text);
}

static void test_base64_of_addresses(void)
{
	hides_header(
		"Authorization: Basic bWU6cGE/Pz4+c3N+fg==", "bWU6cGE/Pz4+c3N+fg== bWU6cGE_Pz4-c3N-fg== bWU6cGE_Pz4-c3N-fg",
		"******************** ******************** ******************");
}

/* Servers do not agree on where a value ends, and an address may hold another one. */
static void test_inner_addresses(void)
{
	static const char address[] = "http://h/?next=x%3Ftoken%3Dgeheim%26y%3D123&pw=left;right";
	char copy[] = "geheim left right 123";
	struct url inner;
	struct secrets of_inner = {&inner, &who, NULL};
	ok(url_read(&inner, address, NULL), "an address within an address is read");
	secrets_hide(&of_inner, copy, strlen(copy));
	is_str(copy, "****** **** ***** 123", "pieces of both are hidden");
	url_deinit(&inner);
}

/* A server may send a part of a header's value back. */
static void test_headers(void)
{
	static const char basic[] = "Authorization: Basic YWxpY2U6aHVudGVyMnBhc3M=";
	hides_header(basic, "wrong password hunter2pass for alice", "wrong password *********** for alice");
	hides_header(basic, "hunter2%70ass YWxpY2U6aHVudGVyMnBhc3M", "************* ***********************");
	hides_header("proxy-authorization:basic\tYTpwdw", "a pw", "a **");
	hides_header("X-Auth: Basic !", "Basic is", "Basic **");
	hides_header("Authorization: Basic YWxpY2U=", "alice", "alice");
	hides_header("Authorization: Token abc1234", "Token abc1234, a bad token", "*************, a bad token");
	hides_header("Authorization: Digest username=\"bob\", nonce=\"abc12\"", "nonce abc12", "nonce *****");
	hides_header("Cookie: theme=dark; sid=abc1234", "bad session abc1234", "bad session *******");
	hides_header("Cookie: theme=dark; sid=abc1234", "theme dark", "theme ****");
	hides_header("Cookie: sid=ab=c1; x=yes", "ab=c1 x yes", "***** x yes");
	hides_header("Cookie: a=\"b d\";token=77", "77 b d", "** b d");
	hides_header("Cookie: sid=ab%2fcd", "no ab/cd", "no *****");
	hides_header("X-Api-Key: left,right", "left or right", "**** or *****");
	hides_header("X-Token: a<b'c\"d&e", "<p>a&lt;b&#39;c&#34;d&amp;e a&lt;b&#x27;c&quot;d&amp;e",
	             "<p>************************ **************************");
	hides_header("X-Token: a<b'c\"d&e", "a<b'c\"d&e a&lt;b&apos;c&quot;d&amp;e",
	             "********* **************************");
	hides_header("X-Token: jerry&99", "jerry\\u0026amp;99 jerry&am...", "***************** ********...");
	hides_header("X-Other: left,right", "left or right", "left or right");
}

static void test_escapes(void)
{
	struct credentials odd = {.bearer = "p&\"s\\/'"};
	const char *const texts[] = {"p&\"s\\/'", "p\\u0026\\\"s\\\\\\/'", "p%26%22s%5C%2f%27", "%70&\"s\\/\\u0027"};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		char copy[100];
		snprintf(copy, sizeof copy, "x%sy", texts[i]);
		secrets_hide(&(struct secrets){&url, &odd, NULL}, copy, strlen(copy));
		is_int((long long)strspn(copy + 1, "*"), (long long)strlen(texts[i]), "%s is hidden", texts[i]);
		ok(copy[0] == 'x' && strcmp(copy + strlen(copy) - 1, "y") == 0, "and nothing else");
	}
}

/* Hides the bearer's token in a copy of the text, which has at most 199 bytes. */
static void hides_token(const char *token, const char *text, const char *expected)
{
	char copy[200];
	struct credentials odd = {.bearer = token};
	snprintf(copy, sizeof copy, "%s", text);
	secrets_hide(&(struct secrets){&url, &odd, NULL}, copy, strlen(copy));
	is_str(copy, expected, "%s", text);
}

/* Templates escape more than XML needs, and JSON may hold HTML, or HTML JSON. */
static void test_entities(void)
{
	hides_token("ab/cd+ef=gh", "ab/cd&#43;ef=gh ab&#x2F;cd&#43;ef&#x3D;gh.",
	            "*************** *************************.");
	hides_token("ab/cd+ef=gh", "ab&sol;cd&plus;ef&equals;gh&#x2f;", "***************************&#x2f;");
	hides_token("ab/cd+ef=gh", "ab\\u0026#47;cd\\u0026plus;ef&#0061;gh", "************************************");
	hides_token("p\"q\\r's", "p\\&quot;q\\\\r&#39;s p\\&#34;q\\\\r\\&apos;s",
	            "****************** *******************");
	hides_token("pass wort", "pass&#43;wort pass&nbsp;wort", "************* pass&nbsp;wort");
	hides_token("gr\303\266\303\237er\360\237\230\200", "gr&ouml;&szlig;er&#128512; gr&#xF6;\303\237er&#x1f600;",
	            "************************** *********************");
	hides_token("Sommer\342\202\2542024", "Sommer&euro;2024 Sommer&euro;2025", "**************** Sommer&euro;2025");
	hides_token("\316\261-pass\342\200\223\304\215", "&alpha;-pass&ndash;&ccaron;", "***************************");
	hides_token("ab\342\211\202\314\270cd", "ab&NotEqualTilde;cd ab&EqualTilde;cd",
	            "******************* ab&EqualTilde;cd");
	hides_token("ab/fjord_1", "ab/&fjlig;ord_1 ab&sol;fj&lig;", "*************** ab&sol;fj&lig;");
	hides_token("gr\366\337er", "gr&ouml;&#223;er", "****************");
	hides_token("a&amp;b&c", "a&amp;b&c a&amp;amp;b&amp;c", "********* *****************");
	hides_token("ab/cd+ef=gh", "ab/cd&#44;ef=gh &; &#; &#x;", "ab/cd&#44;ef=gh &; &#; &#x;");
}

static void test_cut_entities(void)
{
	hides_token("abcd/ef<gh", "'abcd&#4' 'abcd&#x2F;ef&l' 'abcd\\u0026' 'abcd\\u002'",
	            "'*******' '**************' '**********' '*********'");
	hides_token("abcd/ef<gh", "abcd&#47;ef...", "***********...");
	hides_token("ab/cd+ef=gh", "...2B;ef&#61;gh ...&#43;ef=gh ...ef\\u0026#x3d;gh",
	            "...************ ...********** ...***************");
	hides_token("ab/cd+ef=gh", "...p;gh ef;gh", "...p;gh ef;gh");
	hides_token("ab\303\266cdef", "...&ouml;cdef ...ml;cdef ...b\\u0026#246;cdef",
	            "...********** ...******* ...****************");
}

/* \u stands for a character, which has up to four bytes, or for a byte that was taken for one. */
static void test_characters(void)
{
	static const char two[] = "geheimnisv\303\266ll", four[] = "\342\202\254 \360\237\230\200!";
	static const char latin1[] = "v\366llig";
	hides_token(two, "x geheimnisv\\u00f6ll.", "x ******************.");
	hides_token(two, "x geheimnisv\\u00F6l\\u006c.", "x ***********************.");
	hides_token(two, "x geheimnisv%C3%b6ll.", "x ******************.");
	hides_token(two, "x geheimnisv\303\266ll.", "x **************.");
	hides_token(two, "x geheimnisv\\u00c3\\u00b6ll.", "x ************************.");
	hides_token(two, "x geheimnisv\303\203\302\266ll.", "x ****************.");
	hides_token(two, "x geheimnisv\\u00f7ll geheimnisv\\u00c3ll", "x geheimnisv\\u00f7ll geheimnisv\\u00c3ll");
	hides_token(four, "\\u20ac \\ud83d\\ude00!", "********************");
	hides_token(four, "\\u20AC\\u0020\360\237\230\200\\u0021", "**********************");
	hides_token(four, "\\u20ac \\ud83d\\ude01!", "\\u20ac \\ud83d\\ude01!");
	hides_token(latin1, "v\\u00f6llig v\303\266llig v%F6llig v\366llig", "*********** ******* ******** ******");
	hides_token("a\tb\b\f\"c", "a\\tb\\b\\f\\\"c atb", "*********** atb");
	hides_token("\303\203\302\266\303\203", "\\u00c3\\u00b6\\u00c3", "******************");
}

/* A form writes a blank as '+', and JSON may escape that once more. */
static void test_forms(void)
{
	hides_token("pA/ss w+rd", "x pA%2Fss+w%2Brd.", "x **************.");
	hides_token("pA/ss w+rd", "x pA/ss+w+rd pA%2fss%20w+rd pA/ss w%2Brd.",
	            "x ********** ************** ************.");
	hides_token("pA/ss w+rd", "x pA\\/ss\\u002bw\\u002Brd pA\\/ss\\u0020w+rd.",
	            "x ********************* ****************.");
	hides_token("a  long one", "a++long%20one a+ long+one a%20+long\\u0020one",
	            "************* *********** ******************");
	hides_token("a long one", "'a+lon' ...+long+one x", "'*****' ...********* x");
	hides_token("a long one", "...02blong+one x", "...*********** x");
	hides_token("long ones", "'long\\u002'", "'*********'");
	hides_token("a+long+one", "a long one", "a long one");
}

static void test_cut_characters(void)
{
	static const char two[] = "wort\303\266ll", four[] = "wort\360\237\230\200wort";
	static const char *const texts[][3] = {
		{two, "'wort\\u00f'", "'*********'"},
		{two, "'wort\\u00f6l'", "'***********'"},
		{two, "'wort\\u00c3\\u00b'", "'***************'"},
		{two, "'wort\303'", "'*****'"},
		{two, "'wort\303\203\302'", "'*******'"},
		{two, "'wort\\u00e'", "'wort\\u00e'"},
		{two, "...rt\\u00f6ll x", "...********** x"},
		{two, "...0f6ll x", "...0f6ll x"},
		{four, "'wort\\ud83d\\ud'", "'*************'"},
		{four, "'wort\\ud83d'", "'**********'"},
		{four, "...83d\\ude00wort x", "...************* x"},
		{four, "...\\ude00wort x", "...********** x"},
		{four, "...t\\ud83d\\ude00wort x", "...***************** x"},
		{four, "...83c\\ude00wort x", "...83c\\ude00wort x"},
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		hides_token(texts[i][0], texts[i][1], texts[i][2]);
}

static void test_cuts(void)
{
	hides("a token bear", "a token ****");
	hides("a token bea", "a token bea");
	hides("begins 'x beari' (", "begins 'x *****' (");
	hides("beari...aring", "*****...*****");
	hides("beari, aring", "beari, aring");
	struct buf out;
	char text[401];
	memset(text, 'x', sizeof text);
	memcpy(text + 296, "bearing", 7);
	buf_init(&out);
	secrets_add_said(&out, &secrets, text, sizeof text, SECRETS_MOST_SAID);
	is_str(buf_str(&out) + 294, "xx****", "hidden before it is cut");
	is_int((long long)out.len, 300, "and cut then");
	buf_deinit(&out);
}

static void test_escaped_cuts(void)
{
	static const char secret[] = "ab/cd+ef/gh";
	struct credentials odd = {.bearer = secret};
	static const char *const texts[][2] = {
		{"'ab\\/cd+e'", "'********'"},           {"'ab%2fcd%2Bef'", "'************'"},
		{"'ab%2fcd%2'", "'*********'"},          {"'ab\\u002fcd\\u00'", "'**************'"},
		{"'ab\\u002fcd\\'", "'***********'"},    {"\\u0061b\\/c...", "**********..."},
		{"...d%2Bef\\/gh x", "...********** x"}, {"...Bef%2Fgh x", "...******** x"},
		{"...02bef/gh x", "...******** x"},      {"...\\/gh ab/ x", "...\\/gh ab/ x"},
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		char copy[100];
		snprintf(copy, sizeof copy, "%s", texts[i][0]);
		secrets_hide(&(struct secrets){&url, &odd, NULL}, copy, strlen(copy));
		is_str(copy, texts[i][1], "%s is cut", texts[i][0]);
	}
}

#define MOST_TEXT ((size_t)16 << 10)
#define MOST_STEPS 50u /* for the token, and six forms of the parameters in ADDRESS: about five for each */

/* Fills the text with the piece, again and again, and hides the token. Returns the steps for each byte of the text. */
static unsigned steps_per_byte(const char *token, const char *piece, bool *is_hidden)
{
	static char text[MOST_TEXT + 1], before[MOST_TEXT + 1];
	struct credentials with = {.bearer = token};
	for (size_t i = 0, n = strlen(piece); i < MOST_TEXT; i++)
		text[i] = before[i] = piece[i % n];
	uint64_t steps = secrets_hide(&(struct secrets){&url, &with, NULL}, text, MOST_TEXT);
	*is_hidden = strcmp(text, before) != 0;
	return (unsigned)(steps / MOST_TEXT);
}

/* A server chooses the text, and knows the token. Counts steps, not time. */
static void test_work(void)
{
	static char token[6001], same[2401];
	bool is_hidden;
	uint64_t random = 1;
	for (size_t i = 0; i < sizeof token - 1; i++) {
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
		token[i] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"[random >> 58];
	}
	const char *const pieces[] = {".",   "'", "...%", "...\\", "...\\u00", "...a",     "...'\\u006",  "%",
	                              "\\u", "&", "&;",   "...;",  "&#43;",    "...&#43;", "\\u0026amp;", "...p;"};
	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
		unsigned steps = steps_per_byte(token, pieces[i], &is_hidden);
		ok(steps < MOST_STEPS && !is_hidden, "%s again and again takes %u steps for a byte", pieces[i], steps);
	}
	static const char odd[] = "\303\266\360\237\230\200\342\202\254\303\203";
	const char *const odd_pieces[] = {".",    "...\\u00f6", "\\ud83d\\ude00", "...\\ude00",
	                                  "\303", "...\\u00c3", "\\u20ac"};
	for (size_t i = 0; i < sizeof odd_pieces / sizeof *odd_pieces; i++) {
		unsigned steps = steps_per_byte(odd, odd_pieces[i], &is_hidden);
		ok(steps < MOST_STEPS && !is_hidden, "%s again and again takes %u steps for a byte", odd_pieces[i], steps);
	}
	unsigned steps = steps_per_byte(token, token, &is_hidden);
	ok(steps < MOST_STEPS && is_hidden, "the token itself takes %u", steps);
	steps = steps_per_byte(token, token + 3000, &is_hidden);
	ok(steps < MOST_STEPS && is_hidden, "its end takes %u", steps);
	memset(same, '.', sizeof same - 1);
	same[1200] = 'x';
	steps = steps_per_byte(same, ".", &is_hidden);
	ok(steps < 10 * sizeof same && is_hidden, "a token of equal bytes takes %u, a few for each of its own", steps);
}

static void write_file(const char *path, const char *text, size_t n)
{
	FILE *f = fopen(path, "w");
	if (!f || fwrite(text, 1, n, f) != n || fclose(f) != 0)
		bail_out("%s", path);
}

/* What libcurl takes from ~/.netrc, however it is written. */
static void test_netrc(void)
{
	static const char netrc[] = "# password comment\nmachine h login bob password secret1\nmachine i\n\tpassword "
								"\"qu\\\"o ted\" login al\naccount acc1\ndefault login x password abc\0machine j "
								"login y password last1";
	static const struct {
		const char *text, *expected;
	} said[] = {
		{"for bob: secret1", "for bob: *******"},
		{"qu\"o ted, qu\\u0022o+ted", "********, *************"},
		{"acc1 last1 comment abc", "**** ***** comment abc"},
		{"Ym9iOnNlY3JldDE= eDphYmM= YWw6cXUibyB0ZWQ=", "**************** ******** ****************"},
	};
	struct known_users all = {0};
	struct credentials with = {.others = &all};
	char dir[] = "/tmp/flametop-netrc-XXXXXX";
	if (!mkdtemp(dir) || chdir(dir) != 0 || setenv("HOME", dir, 1) != 0)
		bail_out("no directory");
	ok(known_users_add_netrc(&all, NULL) && all.n == 0, "no ~/.netrc");
	write_file(".netrc", netrc, sizeof netrc - 1);
	ok(known_users_add_netrc(&all, NULL), "~/.netrc is read");
	for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
		char copy[100];
		snprintf(copy, sizeof copy, "%s", said[i].text);
		secrets_hide(&(struct secrets){&url, &with, NULL}, copy, strlen(copy));
		is_str(copy, said[i].expected, "%s", said[i].text);
	}
	known_users_deinit(&all);
	char *large = mem_zalloc((64u << 10) + 1, 1);
	write_file(".netrc", large, (64u << 10) + 1);
	free(large);
	struct err err = {""};
	ok(!known_users_add_netrc(&all, &err), "a large one is an error: its passwords might be shown");
	is_str(err.text, "~/.netrc is no regular file of at most 64 KiB", "which is said");
	ok(remove(".netrc") == 0 && chdir("/") == 0 && rmdir(dir) == 0, "nothing is left");
}

static void test_proxies(void)
{
	struct known_users all = {0};
	struct credentials with = {.others = &all};
	char said[] = "bad 'http://bob:se/c%21ret@p:88888', se/c!ret, key12@p, plain";
	setenv("http_proxy", "http://bob:se/c%21ret@p:88888", 1);
	setenv("ALL_PROXY", "key12@p", 1);
	setenv("https_proxy", "plain:80", 1);
	known_users_add_proxies(&all);
	secrets_hide(&(struct secrets){&url, &with, NULL}, said, strlen(said));
	is_str(said, "bad 'http://**************@p:88888', ********, *****@p, plain", "users of proxies");
	known_users_deinit(&all);
}

static void is_refused(const char *heads, const char *body, const char *expected)
{
	struct talk t = {.home = &url, .who = who};
	struct err err = {""};
	talk_begin(&t);
	buf_adds(&t.heads, heads);
	ok(!answer_is(&t, "application/proto", body, strlen(body), &err), "%s: no such answer", heads);
	is_str(err.text, expected, "the message of %s", heads);
	talk_end(&t);
}

static void test_services(void)
{
	struct buf out;
	is_refused("Content-Type: text/x-bearing\r\n", "hi", "the server sends no profile, but 'text/x-*******'");
	is_refused("Content-Type: application/json\r\n",
	           "{\"code\":\"four\",\"message\":\"the ke\\u0079 \\u0062earing\"}",
	           "the server answers: the key ******* (****)");
	buf_init(&out);
	const char *said = "Code: 516. DB::Exception: me: four bearing Code (version 24)";
	ok(clickhouse_explain(&out, &secrets, said, strlen(said)), "an error of ClickHouse");
	ok(strstr(buf_str(&out), "ClickHouse's error 516, me: **** ******* Code (--user"), "%s", buf_str(&out));
	buf_deinit(&out);
}

int main(void)
{
	if (!url_read(&url, ADDRESS, NULL))
		bail_out("%s", ADDRESS);
	test_places();
	test_headers();
	test_base64_of_addresses();
	test_inner_addresses();
	test_escapes();
	test_entities();
	test_cut_entities();
	test_characters();
	test_forms();
	test_cuts();
	test_cut_characters();
	test_escaped_cuts();
	test_work();
	test_services();
	test_netrc();
	test_proxies();
	url_deinit(&url);
	return done_testing();
}
