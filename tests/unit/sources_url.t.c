/* Addresses: what counts as one, what is asked for, and what is shown of it. */
#include "sources/url.h"

#include <stdlib.h>

#include "tests/tap.h"

static void reads(const char *word, const char *request, const char *shown, const char *user, const char *password)
{
	struct url u;
	struct err err = {""};
	if (!url_read(&u, word, &err)) {
		ok(false, "%s: %s", word, err.text);
		return;
	}
	is_str(u.request, request, "%s: the request", word);
	is_str(u.shown, shown, "%s: what is shown", word);
	is_str(u.user ? u.user : "-", user, "%s: the user", word);
	is_str(u.password ? u.password : "-", password, "%s: the password", word);
	url_deinit(&u);
}

static void refuses(const char *word, const char *why)
{
	struct url u;
	struct err err = {""};
	ok(!url_read(&u, word, &err), "%s is refused", why);
	ok(err.text[0] && !strstr(err.text, "geheim"), "%s: without secrets", why);
}

static void with(const char *word, const char *expected)
{
	struct url u;
	struct buf out;
	buf_init(&out);
	if (!url_read(&u, word, NULL))
		bail_out("%s", word);
	url_add_with(&out, &u, "seconds", "5");
	is_str(buf_str(&out), expected, "%s with a parameter", word);
	buf_deinit(&out);
	url_deinit(&u);
}

static bool is_same(const char *a, const char *b)
{
	struct url u, v;
	if (!url_read(&u, a, NULL) || !url_read(&v, b, NULL))
		bail_out("%s %s", a, b);
	bool is_it = url_is_same_origin(&u, &v);
	url_deinit(&u);
	url_deinit(&v);
	return is_it;
}

static void blots(const char *word, const char *expected)
{
	char *copy = strdup(word);
	url_blot(copy);
	is_str(copy, expected, "%s: blotted", word);
	free(copy);
}

static void test_words(void)
{
	static const char *const yes[] = {"http://h",       "https://h/x",      "HTTP://h",      "ftp://h",
	                                  "localhost:6060", "localhost:6060/x", "127.0.0.1:1/x", "[::1]:80/x",
	                                  "u:p@h:6060/x?y", "a-b.c:65535"};
	static const char *const no[] = {"perf.data", "dir/host:80", "a:b",     "host",     "C:\\x",    "-",    "",
	                                 ":80",       "://x",        "1://x:y", "a b:80/x", "x:123456", "host:"};
	for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
		ok(url_is(yes[i]), "%s is an address", yes[i]);
	for (size_t i = 0; i < sizeof no / sizeof *no; i++)
		ok(!url_is(no[i]), "'%s' is none", no[i]);
}

static void test_reading(void)
{
	reads("http://h", "http://h/", "http://h/", "-", "-");
	reads("h:80/x", "http://h:80/x", "http://h:80/x", "-", "-");
	reads("HTTPS://h?x=1#y", "https://h/?x=1", "https://h/?x=1", "-", "-");
	reads("http://me:geheim@h/x", "http://h/x", "http://h/x", "me", "geheim");
	reads("http://me@h/x@y", "http://h/x@y", "http://h/x@y", "me", "");
	reads("http://a:b@c:d@h/", "http://h/", "http://h/", "a", "b@c:d");
	reads("http://m%65:%41%zz%4@h/", "http://h/", "http://h/", "me", "A%zz%4");
	reads("http://h/x?token=geheim&a=1", "http://h/x?token=geheim&a=1", "http://h/x?token=***&a=1", "-", "-");
	reads("http://h/?a=1&Api-Key=geheim&X-Amz-Signature=geheim#token=x",
	      "http://h/?a=1&Api-Key=geheim&X-Amz-Signature=geheim", "http://h/?a=1&Api-Key=***&X-Amz-Signature=***",
	      "-", "-");
	reads("http://h/?monkey=1&token=&key", "http://h/?monkey=1&token=&key", "http://h/?monkey=1&token=&key", "-",
	      "-");
	refuses("ftp://me:geheim@h/", "another scheme");
	refuses("http://me:geheim@/x", "no host");
	refuses("http://me:ge/geheim@h/", "a slash in a password");
	refuses("http://me:ge?geheim@h/", "a question mark in a password");
	refuses("http://me:#geheim@h", "a hash in a password");
	reads("http://h:80/x:y@z", "http://h:80/x:y@z", "http://h:80/x:y@z", "-", "-");
	reads("http://[::1]/x:y@z", "http://[::1]/x:y@z", "http://[::1]/x:y@z", "-", "-");
	refuses("http://me:geheim@h/a b", "a blank");
	refuses("http://me:geheim\\@h/", "a backslash");
	refuses("http://me:geheim@h/\n", "a newline");
	refuses("http://me:geheim%0a@h/", "an encoded newline in the user's part");
	char *longest = malloc(9001);
	memset(longest, 'a', 9000);
	longest[9000] = '\0';
	memcpy(longest, "http://geheim@h/", 16);
	refuses(longest, "a long one");
	free(longest);
}

/* Each is the name of a parameter; is its value a secret? */
static void hides_value_of(const char *name, bool is_secret)
{
	char word[200], shown[200], blotted[200];
	snprintf(word, sizeof word, "http://h/?%s=geheim&a=1", name);
	snprintf(shown, sizeof shown, "http://h/?%s=%s&a=1", name, is_secret ? "***" : "geheim");
	snprintf(blotted, sizeof blotted, "http://h/?%s=%s&a=1", name, is_secret ? "******" : "geheim");
	reads(word, word, shown, "-", "-");
	blots(word, blotted);
}

static void test_names(void)
{
	static const char *const secret[] = {
		"accessToken",
		"authToken",
		"clientSecret",
		"secretKey",
		"AccessKeyId",
		"pass",
		"passphrase",
		"bearer",
		"token[]",
		"tok%65n",
		"X-Amz-Signature",
		"apiKey",
		"user[password]",
		"user%5Bpassword%5D",
		"user%255Bkey%255D",
		"a[token]",
		"a[b][api-key][0]",
		"secretkey",
		"accesskey",
		"awsaccesskeyid",
		"session_id",
		"sessionid",
		"JSESSIONID",
		"PHPSESSID",
		"credentials",
		"pw",
		"db.pw",
		"token_v2",
		"tokens",
		"key",
		"keys",
		"key2",
		"userpass",
		"dbpwd",
		"pass_word",
		"PassWord",
		"KEY",
		"APIKEY",
		"APIKeyValue",
		"key_id",
		"basicauth",
		"oauth_nonce",
		"sid",
		"sig[0]",
		"tokenIssuer",
		"token[izzy]",
		"tokenizer_token",
		"auth.x",
		"kEy",
		"a_name_of_more_than_sixty_four_bytes_at_the_end_of_which_there_is_a_token",
	};
	static const char *const harmless[] = {"monkey",    "compass",     "design",      "keyspace", "tokenizer",
	                                       "secretary", "author",      "passes",      "inside",   "passenger",
	                                       "keyword",   "a[monkey]",   "x",           "%5B%5D",   "authority",
	                                       "signal",    "brassMonkey", "bypass_cache"};
	for (size_t i = 0; i < sizeof secret / sizeof *secret; i++)
		hides_value_of(secret[i], true);
	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
		hides_value_of(harmless[i], false);
}

/* In every part of an address. */
static void test_parts(void)
{
	reads("http://h/x;jsessionid=geheim/y;a=1?b=c;token=geheim",
	      "http://h/x;jsessionid=geheim/y;a=1?b=c;token=geheim", "http://h/x;jsessionid=***/y;a=1?b=c;token=***",
	      "-", "-");
	reads("http://h/?token=ge/he?im&a=1", "http://h/?token=ge/he?im&a=1", "http://h/?token=***&a=1", "-", "-");
	blots("http://h/x;sid=geheim/y?token=geheim#access_token=geheim&a=1",
	      "http://h/x;sid=******/y?token=******#access_token=******&a=1");
	blots("http://h#access_token=ge#heim", "http://h#access_token=*******");
	blots("http://h/#/login?access_token=geheim;x=1", "http://h/#/login?access_token=**********");
	blots("http://h/?token=ge;heim&x=1;sig=ge;heim", "http://h/?token=*******&x=1;sig=*******");
	blots("http://h/x?a=1#line=7&?token=", "http://h/x?a=1#line=7&?token=");
	blots("me:geheim@h:80?password=geheim#pw=geheim", "*********@h:80?password=******#pw=******");
}

/* Addresses as values of parameters. */
static void test_inner_addresses(void)
{
	blots("http://h/?next=/x?token=geheim&a=1", "http://h/?next=/x?token=******&a=1");
	blots("http://h/?next=%2Fx%3ftoken%3Dgeheim%26y%3D1&a=1", "http://h/?next=%2Fx%3ftoken%3D**************&a=1");
	blots("http://h/?next=x%253Fa%253D1%2526user%255Bpw%255D%253Dgeheim",
	      "http://h/?next=x%253Fa%253D1%2526user%255Bpw%255D%253D******");
	blots("http://h/?a%3D1%26sig%3Dgeheim", "http://h/?a%3D1%26sig%3D******");
	blots("http://h/x%3Fsig%3Dgeheim/y", "http://h/x%3Fsig%3D******/y");
	blots("http://h/#next=%23token%3Dgeheim", "http://h/#next=%23token%3D******");
	blots("http://h/?next=http://me:geheim@i/&a=1", "http://h/?next=http://************&a=1");
	blots("http://h/?next=http%3A%2F%2Fgeheim%40i%2Fx&a=@", "http://h/?next=http%3A%2F%2F**************&a=@");
	blots("http://h/http://me:geheim@i/x", "http://h/http://***********/x");
	blots("http://h//me@x/a@b//c/d@e?a=b/@c&x=http://i/@", "http://h//****/a@b//c/d@e?a=b/@c&x=http://i/@");
	blots("http://h/?client_assertion=geheim&sas=geheim&sassafras=1",
	      "http://h/?client_assertion=******&sas=******&sassafras=1");
	blots("http://h/?token/x=1&%=%25&%3D&sig=%&pw=%2&a=%25252525",
	      "http://h/?token/x=1&%=%25&%3D&sig=*&pw=**&a=%25252525");
}

int main(void)
{
	test_parts();
	test_inner_addresses();
	test_words();
	test_reading();
	with("http://h/x", "http://h/x?seconds=5");
	with("http://h/x?", "http://h/x?seconds=5");
	with("http://h/x?a=1&seconds=9&b", "http://h/x?a=1&b&seconds=5");
	with("http://h/x?secondss=1", "http://h/x?secondss=1&seconds=5");
	ok(is_same("http://h/x", "http://h:80/y") && is_same("https://h", "https://H:443"), "the usual port");
	ok(!is_same("http://h", "https://h") && !is_same("http://h", "http://h:81") &&
	       !is_same("http://h", "http://hh"),
	   "another scheme, port or host");
	ok(!is_same("http://h", "http://h:8080") && !is_same("https://h", "https://h:80"), "ports that begin alike");
	ok(is_same("http://u:p@h/", "http://h/"), "the user is no part of it");
	test_names();
	reads("http://h/?x=1;token=geheim", "http://h/?x=1;token=geheim", "http://h/?x=1;token=***", "-", "-");
	reads("http://h/?monkey=1&design=2&compass=3", "http://h/?monkey=1&design=2&compass=3",
	      "http://h/?monkey=1&design=2&compass=3", "-", "-");
	blots("http://me:geheim@h/x?token=geheim&y=1", "http://*********@h/x?token=******&y=1");
	blots("perf.data", "perf.data");
	return done_testing();
}
