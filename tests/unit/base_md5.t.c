/* The checksum of source files. */
#include "base/md5.h"

#include "tests/tap.h"

static void is_md5(const char *bytes, size_t n, const char *expected, const char *name)
{
	uint8_t sum[MD5_BYTES];
	char text[2 * MD5_BYTES + 1];
	md5(bytes, n, sum);
	for (unsigned i = 0; i < MD5_BYTES; i++)
		snprintf(text + 2 * i, 3, "%02x", sum[i]);
	is_str(text, expected, "%s", name);
}

static void is_md5_of(const char *text, const char *expected)
{
	is_md5(text, strlen(text), expected, text);
}

int main(void)
{
	static char many[1000000];

	/* The test suite of RFC 1321. */
	is_md5(NULL, 0, "d41d8cd98f00b204e9800998ecf8427e", "nothing");
	is_md5_of("a", "0cc175b9c0f1b6a831c399e269772661");
	is_md5_of("abc", "900150983cd24fb0d6963f7d28e17f72");
	is_md5_of("message digest", "f96b697d7cb7938d525a2f31aaf161d0");
	is_md5_of("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b");
	is_md5_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "d174ab98d277d9f5a5611c2c9f419d9f");
	is_md5_of("12345678901234567890123456789012345678901234567890123456789012345678901234567890",
	          "57edf4a22be3c955ac49da2e2107b67a");

	/* Around the ends of blocks; the sums are md5sum's. */
	memset(many, 'a', sizeof many);
	is_md5(many, 55, "ef1772b6dff9a122358552954ad0df65", "55 bytes");
	is_md5(many, 56, "3b0c8ac703f828b04c6c197006d17218", "56 bytes");
	is_md5(many, 63, "b06521f39153d618550606be297466d5", "63 bytes");
	is_md5(many, 64, "014842d480b571495a4a0363793f7367", "64 bytes");
	is_md5(many, 65, "c743a45e0d2e6a95cb859adae0248435", "65 bytes");
	is_md5(many, 119, "8a7bd0732ed6a28ce75f6dabc90e1613", "119 bytes");
	is_md5(many, 120, "5f61c0ccad4cac44c75ff505e1f1e537", "120 bytes");
	is_md5(many, 128, "e510683b3f5ffe4093d021808bc6ff70", "128 bytes");
	is_md5(many, 1000000, "7707d6ae4e027c70eea2a935c2296f21", "1000000 bytes");
	return done_testing();
}
