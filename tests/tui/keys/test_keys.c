/* Bytes to keys to commands: sequences terminals send, counts, two-key commands and pasting;
 * in any pieces, and noise: fuzz_keys.c. */
#include "tests/check.h"

#include "tui/keys/keys.h"

static void feed(struct key_reader *r, const char *bytes)
{
    memcpy(r->bytes + r->n, bytes, strlen(bytes));
    r->n += strlen(bytes);
}

/* The only key `bytes` make, with nothing left over. */
static struct key one_key(const char *bytes)
{
    struct key_reader r = {0};
    struct key key = {0}, more;
    feed(&r, bytes);
    assert_true(key_reader_next(&r, true, &key));
    assert_false(key_reader_next(&r, true, &more));
    assert_int_equal(r.n, 0);
    return key;
}

TEST(bytes_are_keys)
{
    static const struct {
        const char *bytes;
        uint32_t code;
    } CASES[] = {
        {"x", 'x'},
        {"\x12", KEY_CTRL('R')},
        {"\r", K_ENTER},
        {"\x7f", K_BACKSPACE},
        {"\t", K_TAB},
        {"é", 0xE9},
        {"𝄞", 0x1D11E},
        {"\033", K_ESCAPE},
        {"\033[A", K_UP},
        {"\033OD", K_LEFT},
        {"\033[1;5C", K_RIGHT | K_WITH_CTRL},
        {"\033[1;2D", K_LEFT | K_WITH_SHIFT},
        {"\033[Z", K_BACKTAB},
        {"\033[3~", K_DELETE},
        {"\033[6~", K_PAGE_DOWN},
        {"\033[24~", K_F12},
        {"\033OP", K_F1},
        {"\033[[A", K_F1},
        {"\033[<2;1;1m", K_RELEASE},
        {"\033[<64;1;1M", K_WHEEL_UP},
        {"\033[<69;1;1M", K_WHEEL_DOWN | K_WITH_SHIFT},
        {"\033[<66;1;1M", K_WHEEL_LEFT},
        {"\033[<67;1;1M", K_WHEEL_RIGHT},
        {"\033[0n", K_ANSWER},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        assert_int_equal(one_key(CASES[i].bytes).code, CASES[i].code);
    assert_int_equal(one_key("\033[<66;1;1M").button, 0);
    /* What is no colour is no answer, and what no mouse does is none: only the key after
     * it counts. */
    static const char *const NONE[] = {"\033]11;rgb:-1/-1/-1\007j",
                                       "\033]11;rgb:+f/+f/+f\007j",
                                       "\033]11;rgb:0x1/0x1/0x1\007j",
                                       "\033]11;rgb:12345/1/1\007j",
                                       "\033]11;rgb:ff/ff\007j",
                                       "\033[<0;0;5Mj",
                                       "\033[<0Mj",
                                       "\033[<35;4;4Mj",
                                       "\033[<128;4;4Mj",
                                       "\033[Mj",
                                       "\033[<96;4;4Mj",
                                       "\033[<64;4;4mj",
                                       "\033[<0;;4Mj",
                                       "\033[<0;4;4;4Mj",
                                       "\033[<999999999999;4;4Mj",
                                       "\033[<3;4;4mj"};
    for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++)
        assert_int_equal(one_key(NONE[i]).code, 'j');
}

TEST(background_report)
{
    struct key k = one_key("\033]11;rgb:ffff/ffff/ffff\033\\");
    assert_int_equal(k.code, K_BACKGROUND);
    assert_int_equal(k.column, 255);
    k = one_key("\033]11;rgb:10/10/14\007");
    assert_int_equal(k.code, K_BACKGROUND);
    assert_in_range(k.column, 10, 30);
}

/* Types bytes, each a key. Only the last completes a command, and leaves nothing typed. */
static struct command type(enum mode mode, const char *bytes)
{
    struct keymap_state s = {0};
    struct command c = {0};
    for (; *bytes; bytes++) {
        const char key[] = {*bytes, '\0'};
        struct key k = one_key(key);
        assert_int_equal(c.id, CMD_NONE);
        if (!keys_feed(&s, mode, &k, &c))
            c.id = CMD_NONE;
    }
    if (c.id)
        assert_true(!s.count && !s.prefix);
    return c;
}

TEST(keys_are_commands)
{
    static const struct {
        enum mode mode;
        const char *keys;
        enum command_id id;
        int count;
    } CASES[] = {
        {MODE_NORMAL, "8C", CMD_CONTINUE, 8},
        {MODE_NORMAL, "0", CMD_LINE_START, 0},
        {MODE_NORMAL, "10l", CMD_RIGHT, 10},
        {MODE_NORMAL, "99999999999999999999l", CMD_RIGHT, KEYS_MAX_COUNT},
        {MODE_NORMAL, "gg", CMD_PIECE_START, 0},
        {MODE_NORMAL, "3zi", CMD_ZOOM_IN, 3},
        {MODE_NORMAL, "3c", CMD_NONE, 0}, /* waits for a motion */
        {MODE_NORMAL, "3cc", CMD_CHANGE_BARS, 3},
        {MODE_SELECT, "2c", CMD_CHANGE_SELECTION, 2}, /* has what it acts on */
        {MODE_NORMAL, "gx", CMD_NO_KEY, 0},           /* g x is nothing, and not x */
        {MODE_HELP, "x", CMD_NO_KEY, 0},
        {MODE_NORMAL, "Z\033", CMD_NONE, 0}, /* takes back the Z */
        {MODE_NORMAL, "Z\033\033", CMD_ESCAPE, 0},
        {MODE_TAKES, "3", CMD_TAKE, 0}, /* where takes wait */
        {MODE_PROMPT, "\x12", CMD_NONE, 0},
        {MODE_HELP, "q", CMD_ESCAPE, 0},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct command c = type(CASES[i].mode, CASES[i].keys);
        if (c.id != CASES[i].id || c.count != CASES[i].count)
            fail_msg("%s: command %d, count %d", CASES[i].keys, c.id, c.count);
    }
    assert_int_equal(type(MODE_TAKES, "3").text, '3');
    assert_int_equal(type(MODE_PROMPT, "x").text, 'x');
}

/* Pasted text is never taken for commands, and does not submit the prompt. */
TEST(pasting)
{
    static const char PASTE[] = "\033[200~x\r\033[201~";
    struct keymap_state s = {0};
    struct command c;
    struct key_reader r = {0};
    struct key key;
    int n = 0;
    feed(&r, PASTE);
    while (key_reader_next(&r, true, &key)) {
        n++;
        assert_true(key.pasted);
        assert_false(keys_feed(&s, MODE_NORMAL, &key, &c));
        assert_int_equal(keys_feed(&s, MODE_PROMPT, &key, &c), key.code == 'x');
    }
    assert_int_equal(n, 2);
    feed(&r, "x");
    assert_true(key_reader_next(&r, true, &key));
    assert_false(key.pasted);
}
