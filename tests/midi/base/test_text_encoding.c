/* Names in old encodings, as short as the names of tracks are. */
#include "tests/check.h"
#include "midi/base/text_encoding.h"

#include <iconv.h>

static size_t encode(const char *to, const char *text, char out[128])
{
    char *in = (char *)text, *at = out;
    size_t left = strlen(text), room = 128;
    iconv_t cd = iconv_open(to, "UTF-8");
    assert_true(cd != (iconv_t)-1);
    assert_int_equal(iconv(cd, &in, &left, &at, &room), 0);
    iconv_close(cd);
    return (size_t)(at - out);
}

static void assert_read(const char *encoding, const char *text)
{
    char bytes[128], back[128], name[32];
    const size_t n = encode(encoding, text, bytes);
    assert_false(text_is_utf8((const uint8_t *)bytes, n));
    text_encoding_guess((const uint8_t *)bytes, n, name);
    text_to_utf8(back, sizeof back, (const uint8_t *)bytes, n, name);
    assert_string_equal(back, text);
}

TEST(names_of_tracks)
{
    static const char *const NAMES[][2] = {
        {"SHIFT_JIS", "ピアノの右手、主旋律"},
        {"SHIFT_JIS", "ピアノ"},
        {"SHIFT_JIS", "第一ヴァイオリン"},
        {"SHIFT_JIS", "メロディ 1"},
        {"ISO-8859-1", "Flöte für die zweite Stimme"},
        {"ISO-8859-1", "Flöte"},
        {"ISO-8859-1", "Trompette en si bémol, première"},
        {"ISO-8859-1", "Contrabajo y niño"},
        {"ISO-8859-1", "FLÖTE"},
        {"WINDOWS-1251", "Скрипка первая"},
        {"WINDOWS-1251", "Бас"},
        {"WINDOWS-1251", "Фортепиано, правая рука"},
        {"GBK", "钢琴右手"},
        {"GBK", "小提琴"},
        {"GBK", "主旋律 长笛"},
        {"GBK", "贝斯"},
    };
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        assert_read(NAMES[i][0], NAMES[i][1]);
}

TEST(a_mark_says_what_it_is)
{
    static const uint8_t VIOLA[] = {0xFF, 0xFE, 'V', 0, 0xF6, 0, 'l', 0};
    static const uint8_t BIG[] = {0xFE, 0xFF, 0, 'V', 0, 0xF6};
    char text[32];
    text_to_utf8(text, sizeof text, VIOLA, sizeof VIOLA, "WINDOWS-1252");
    assert_string_equal(text, "Völ");
    text_to_utf8(text, sizeof text, BIG, sizeof BIG, "WINDOWS-1252");
    assert_string_equal(text, "Vö");
}

TEST(long_and_broken_texts)
{
    char text[8];
    static const uint8_t TE[] = {0x83, 'e', 0x83, 'e', 0x83, 'e', 0x83};
    text_to_utf8(text, sizeof text, TE, sizeof TE, "SHIFT_JIS"); /* whole characters */
    assert_string_equal(text, "テテ");
    text_to_utf8(text, sizeof text,
                 (const uint8_t *)"\xFF\xFF"
                                  "a",
                 3, "UTF-8");
    assert_true(text_is_utf8((const uint8_t *)text, strlen(text)));
    assert_true(text_is_utf8((const uint8_t *)"h\xC3\xB6", 3));
    assert_false(text_is_utf8((const uint8_t *)"h\xC3", 2));
}
