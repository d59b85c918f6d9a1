/*
 * The growable buffer, and hashing.
 */
#include "tests/tap.h"

#include "base/buf.h"
#include "base/hash.h"

static void test_adding(void)
{
	struct buf b;
	buf_init(&b);
	is_str(buf_str(&b), "", "an empty buffer is the empty string");
	buf_add(&b, NULL, 0);
	buf_pad(&b, 'x', 0);
	is_int(b.len, 0, "adding nothing adds nothing");
	buf_adds(&b, "one");
	buf_addc(&b, ' ');
	buf_add(&b, "t\0o", 3);
	buf_pad(&b, '-', 3);
	is_mem(b.data, b.len, "one t\0o---", 10, "strings, characters, bytes and padding follow each other");
	b.len = 0;
	buf_addu(&b, 0);
	buf_addc(&b, ' ');
	buf_addu(&b, 1234567890);
	buf_addc(&b, ' ');
	buf_addu(&b, UINT64_MAX);
	is_buf(b, "0 1234567890 18446744073709551615", "numbers are written in full");
	b.len = 0;
	buf_addf(&b, "%s=%d", "a", 5);
	buf_addf(&b, ";%c", 'z');
	is_buf(b, "a=5;z", "formatted text is added");
	b.len = 0;
	buf_addf(&b, "%*d|", 5000, 7);
	is_int(b.len, 5001, "formatted text may be longer than the room there was");
	is_int(b.data[4999], '7', "and is complete");
	b.len = 0;
	buf_addf(&b, "%s", "");
	is_int(b.len, 0, "formatting to nothing adds nothing");
	buf_deinit(&b);
	ok(b.data == NULL && b.cap == 0, "a freed buffer is empty");
}

static void test_exact_room(void)
{
	bool is_right = true;
	for (size_t n = 0; n < 200; n++) {
		struct buf b;
		buf_init(&b);
		buf_pad(&b, 'a', n);
		buf_addf(&b, "%.*s", (int)n, "0123456789012345678901234567890123456789012345678901234567890123456789");
		buf_addc(&b, '!');
		size_t expected = n + (n < 70 ? n : 70) + 1;
		is_right &= b.len == expected && b.data[expected - 1] == '!' && strlen(buf_str(&b)) == expected;
		buf_deinit(&b);
	}
	ok(is_right, "formatted text fits at every fill level");
}

static void test_reserve_and_take(void)
{
	struct buf b;
	buf_init(&b);
	ok(buf_reserve(&b, 0) != NULL, "room for nothing is still a place");
	char *room = buf_reserve(&b, 1000);
	memset(room, 'r', 1000);
	is_int(b.len, 0, "reserving does not add");
	b.len = 1000;
	const char *s = buf_str(&b);
	is_int(strlen(s), 1000, "bytes written into reserved room count once len includes them");
	char *taken = buf_take(&b);
	is_int(strlen(taken), 1000, "the text can be taken away");
	ok(b.data == NULL && b.len == 0, "and leaves the buffer empty");
	free(taken);
	taken = buf_take(&b);
	is_str(taken, "", "an empty buffer gives an empty text");
	free(taken);
}

static void test_hash(void)
{
	char text[] = "a name";
	uint64_t one = hash_bytes(text, 6);
	is_int(hash_bytes("a name", 6), (intmax_t)one, "equal bytes have equal hashes");
	ok(hash_bytes("a namf", 6) != one, "other bytes have another hash");
	ok(hash_bytes("a name", 5) != one, "a prefix has another hash");
	hash_bytes(NULL, 0);
	pass("nothing can be hashed");
	ok(hash_seed[0] != 0 || hash_seed[1] != 0, "the seed is set before main");
	ok(hash_mix(1, 2) != hash_mix(3, 5) && hash_mix(UINT64_MAX, UINT64_MAX) == (1 ^ (UINT64_MAX - 1)),
	   "hash_mix folds the whole product");
}

int main(void)
{
	test_adding();
	test_exact_room();
	test_reserve_and_take();
	test_hash();
	return done_testing();
}
