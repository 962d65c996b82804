/* Bytes to keys to commands: sequences terminals send, counts, two-key commands,
 * pasting, and noise. */
#include "tui/keys/bindings.h"
#include "tui/keys/key_reader.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* The only key `bytes` make, with nothing left over. */
static struct key one_key(const char *bytes)
{
    struct key_reader r = {0};
    struct key key = {0}, more;
    assert_int_equal(key_reader_feed(&r, bytes, strlen(bytes)), strlen(bytes));
    assert_true(key_reader_next(&r, true, &key));
    assert_false(key_reader_next(&r, true, &more));
    assert_int_equal(r.n, 0);
    return key;
}

static void plain_keys(void **state)
{
    (void)state;
    assert_int_equal(one_key("x").code, 'x');
    assert_int_equal(one_key("\x12").code, KEY_CTRL('R'));
    assert_int_equal(one_key("\r").code, K_ENTER);
    assert_int_equal(one_key("\x7f").code, K_BACKSPACE);
    assert_int_equal(one_key("\t").code, K_TAB);
    assert_int_equal(one_key("é").code, 0xE9);
    assert_int_equal(one_key("𝄞").code, 0x1D11E);
    assert_int_equal(one_key("\033").code, K_ESCAPE);
}

static void special_keys(void **state)
{
    (void)state;
    assert_int_equal(one_key("\033[A").code, K_UP);
    assert_int_equal(one_key("\033OD").code, K_LEFT);
    assert_int_equal(one_key("\033[1;5C").code, K_RIGHT | K_WITH_CTRL);
    assert_int_equal(one_key("\033[1;2D").code, K_LEFT | K_WITH_SHIFT);
    assert_int_equal(one_key("\033[Z").code, K_BACKTAB);
    assert_int_equal(one_key("\033[3~").code, K_DELETE);
    assert_int_equal(one_key("\033[6~").code, K_PAGE_DOWN);
    assert_int_equal(one_key("\033[24~").code, K_F12);
    assert_int_equal(one_key("\033OP").code, K_F1);
    assert_int_equal(one_key("\033[[A").code, K_F1);
}

static void mouse(void **state)
{
    (void)state;
    struct key k = one_key("\033[<0;12;34M");
    assert_int_equal(k.code, K_PRESS);
    assert_int_equal(k.column, 11);
    assert_int_equal(k.row, 33);
    assert_int_equal(k.button, 1);
    k = one_key("\033[<34;300;1M");
    assert_int_equal(k.code, K_DRAG);
    assert_int_equal(k.column, 299);
    assert_int_equal(k.button, 3);
    assert_int_equal(one_key("\033[<2;1;1m").code, K_RELEASE);
    assert_int_equal(one_key("\033[<64;1;1M").code, K_WHEEL_UP);
    assert_int_equal(one_key("\033[<69;1;1M").code, K_WHEEL_DOWN | K_WITH_SHIFT);
    assert_int_equal(one_key("\033[<66;1;1M").code, K_WHEEL_LEFT);
    assert_int_equal(one_key("\033[<67;1;1M").code, K_WHEEL_RIGHT);
    assert_int_equal(one_key("\033[<66;1;1M").button, 0);
}

/* Every button with every modifier, pressed, moved and let go, at the far end of a wide
 * screen. */
static void mouse_modifiers(void **state)
{
    (void)state;
    for (int button = 0; button < 3; button++)
        for (int with = 0; with < 32; with += 4)
            for (int kind = 0; kind < 3; kind++) {
                char bytes[40];
                snprintf(bytes, sizeof bytes, "\033[<%d;2000;1500%c",
                         button | with | (kind == 1 ? 32 : 0), kind == 2 ? 'm' : 'M');
                struct key k = one_key(bytes);
                uint32_t base = kind == 0 ? K_PRESS : kind == 1 ? K_DRAG : K_RELEASE;
                uint32_t want = base | (with & 4 ? (uint32_t)K_WITH_SHIFT : 0) |
                                (with & 8 ? (uint32_t)K_WITH_ALT : 0) |
                                (with & 16 ? (uint32_t)K_WITH_CTRL : 0);
                assert_int_equal(k.code, want);
                assert_int_equal(k.button, button + 1);
                assert_int_equal(k.column, 1999);
                assert_int_equal(k.row, 1499);
            }
}

static struct command command_of(enum mode mode, const char *bytes)
{
    struct keymap_state s = {0};
    struct command c;
    struct key k = one_key(bytes);
    assert_true(keys_feed(&s, mode, &k, &c));
    return c;
}

static void mouse_commands(void **state)
{
    (void)state;
    struct command c = command_of(MODE_NORMAL, "\033[<16;5;6M");
    assert_int_equal(c.id, CMD_POINT);
    assert_true(c.with_ctrl && !c.with_shift);
    c = command_of(MODE_LANE, "\033[<36;5;6M");
    assert_int_equal(c.id, CMD_DRAG);
    assert_true(c.with_shift && !c.with_ctrl);
    assert_int_equal(command_of(MODE_DRAW, "\033[<64;5;6M").id, CMD_SCROLL_UP);
    assert_int_equal(command_of(MODE_DRAW, "\033[<68;5;6M").id, CMD_SCROLL_LEFT);
    assert_int_equal(command_of(MODE_DRAW, "\033[<73;5;6M").id, CMD_SCROLL_RIGHT);
    assert_int_equal(command_of(MODE_DRAW, "\033[<80;5;6M").id, CMD_ZOOM_IN_HERE);
    assert_int_equal(command_of(MODE_LANE, "\033[<81;5;6M").id, CMD_ZOOM_OUT_HERE);
    assert_int_equal(command_of(MODE_SELECT, "\033[<84;5;6M").id,
                     CMD_ZOOM_IN_PITCH_HERE);
}

static void mouse_nonsense_is_dropped(void **state)
{
    (void)state;
    static const char *const BAD[] = {"\033[<0;0;5M",   "\033[<0M",
                                      "\033[<35;4;4M",  "\033[<128;4;4M",
                                      "\033[M",         "\033[<96;4;4M",
                                      "\033[<64;4;4m",  "\033[<0;;4M",
                                      "\033[<0;4;4;4M", "\033[<999999999999;4;4M",
                                      "\033[<3;4;4m"};
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        struct key_reader r = {0};
        struct key key;
        key_reader_feed(&r, BAD[i], strlen(BAD[i]));
        key_reader_feed(&r, "q", 1);
        assert_true(key_reader_next(&r, true, &key));
        assert_int_equal(key.code, 'q');
    }
}

/* Cut anywhere, a sequence waits for its rest. */
static void split_sequences(void **state)
{
    (void)state;
    static const char BYTES[] = "\033[<20;1234;5678M";
    for (size_t cut = 1; cut < sizeof BYTES - 1; cut++) {
        struct key_reader r = {0};
        struct key key;
        key_reader_feed(&r, BYTES, cut);
        assert_false(key_reader_next(&r, false, &key));
        key_reader_feed(&r, BYTES + cut, sizeof BYTES - 1 - cut);
        assert_true(key_reader_next(&r, false, &key));
        assert_int_equal(key.code, K_PRESS | K_WITH_SHIFT | K_WITH_CTRL);
        assert_int_equal(key.column, 1233);
    }
}

/* Nothing is bound to Alt: Escape and a letter are two keys. */
static void escape_then_letter(void **state)
{
    (void)state;
    struct key_reader r = {0};
    struct key key;
    key_reader_feed(&r, "\033j", 2);
    assert_true(key_reader_next(&r, false, &key));
    assert_int_equal(key.code, K_ESCAPE);
    assert_true(key_reader_next(&r, false, &key));
    assert_int_equal(key.code, 'j');
}

static void background_report(void **state)
{
    (void)state;
    struct key k = one_key("\033]11;rgb:ffff/ffff/ffff\033\\");
    assert_int_equal(k.code, K_BACKGROUND);
    assert_int_equal(k.column, 255);
    k = one_key("\033]11;rgb:10/10/14\007");
    assert_int_equal(k.code, K_BACKGROUND);
    assert_in_range(k.column, 10, 30);
    assert_int_equal(one_key("\033[0n").code, K_ANSWER);
}

/* What is no colour is no answer: only the key after it is heard. */
static void background_that_is_none(void **state)
{
    (void)state;
    assert_int_equal(one_key("\033]11;rgb:-1/-1/-1\007j").code, 'j');
    assert_int_equal(one_key("\033]11;rgb:+f/+f/+f\007j").code, 'j');
    assert_int_equal(one_key("\033]11;rgb:0x1/0x1/0x1\007j").code, 'j');
    assert_int_equal(one_key("\033]11;rgb:12345/1/1\007j").code, 'j');
    assert_int_equal(one_key("\033]11;rgb:ff/ff\007j").code, 'j');
}

static bool feed(struct keymap_state *s, enum mode mode, uint32_t code,
                 struct command *out)
{
    struct key key = {.code = code};
    return keys_feed(s, mode, &key, out);
}

static void counts(void **state)
{
    (void)state;
    struct keymap_state s = {0};
    struct command c;
    assert_false(feed(&s, MODE_NORMAL, '8', &c));
    assert_int_equal(keys_count(&s), 8);
    assert_true(feed(&s, MODE_NORMAL, 'C', &c));
    assert_int_equal(c.id, CMD_CONTINUE);
    assert_int_equal(c.count, 8);
    assert_int_equal(keys_count(&s), 0);
    assert_true(feed(&s, MODE_NORMAL, '0', &c));
    assert_int_equal(c.id, CMD_LINE_START);
    feed(&s, MODE_NORMAL, '1', &c);
    assert_false(feed(&s, MODE_NORMAL, '0', &c));
    assert_true(feed(&s, MODE_NORMAL, 'l', &c));
    assert_int_equal(c.count, 10);
    for (int i = 0; i < 30; i++)
        feed(&s, MODE_NORMAL, '9', &c);
    assert_true(feed(&s, MODE_NORMAL, 'l', &c));
    assert_int_equal(c.count, KEYS_MAX_COUNT);
}

static void two_keys(void **state)
{
    (void)state;
    struct keymap_state s = {0};
    struct command c;
    assert_false(feed(&s, MODE_NORMAL, 'g', &c));
    assert_true(feed(&s, MODE_NORMAL, 'g', &c));
    assert_int_equal(c.id, CMD_PIECE_START);
    feed(&s, MODE_NORMAL, '3', &c);
    feed(&s, MODE_NORMAL, 'z', &c);
    assert_true(feed(&s, MODE_NORMAL, 'i', &c));
    assert_int_equal(c.id, CMD_ZOOM_IN);
    assert_int_equal(c.count, 3);
    feed(&s, MODE_NORMAL, '3', &c);
    assert_false(feed(&s, MODE_NORMAL, 'c', &c)); /* waits for a motion */
    assert_true(feed(&s, MODE_NORMAL, 'c', &c));
    assert_int_equal(c.id, CMD_CHANGE_BARS);
    assert_int_equal(c.count, 3);
    assert_true(feed(&s, MODE_SELECT, 'c', &c)); /* has what it acts on */
    assert_int_equal(c.id, CMD_CHANGE_SELECTION);
    feed(&s, MODE_NORMAL, 'g', &c);
    assert_false(feed(&s, MODE_NORMAL, 'x', &c)); /* g x is nothing, and not x */
    feed(&s, MODE_NORMAL, 'Z', &c);
    assert_false(feed(&s, MODE_NORMAL, K_ESCAPE, &c)); /* takes back the Z */
    assert_true(feed(&s, MODE_NORMAL, K_ESCAPE, &c));
    assert_int_equal(c.id, CMD_ESCAPE);
}

/* Digits choose takes where takes wait, and are counts elsewhere. */
static void digits_choose_takes(void **state)
{
    (void)state;
    struct keymap_state s = {0};
    struct command c;
    assert_false(feed(&s, MODE_SELECT, '2', &c));
    assert_true(feed(&s, MODE_SELECT, 'c', &c));
    assert_int_equal(c.count, 2);
    assert_true(feed(&s, MODE_TAKES, '3', &c));
    assert_int_equal(c.id, CMD_TAKE);
    assert_int_equal(c.text, '3');
    assert_true(feed(&s, MODE_TAKES, '0', &c));
    assert_int_equal(c.id, CMD_TAKE_ORIGINAL);
    assert_true(feed(&s, MODE_TAKES, 'k', &c));
    assert_int_equal(c.id, CMD_KEEP);
    assert_true(feed(&s, MODE_TAKES, K_UP, &c));
    assert_int_equal(c.id, CMD_UP);
    assert_true(feed(&s, MODE_NORMAL, 'k', &c));
    assert_int_equal(c.id, CMD_UP);
    assert_true(feed(&s, MODE_TAKES, '+', &c));
    assert_int_equal(c.id, CMD_TAKE_LIKE);
    assert_true(feed(&s, MODE_NORMAL, '+', &c));
    assert_int_equal(c.id, CMD_LOUDER);
}

static void modes(void **state)
{
    (void)state;
    struct keymap_state s = {0};
    struct command c;
    feed(&s, MODE_NORMAL, 'x', &c);
    assert_int_equal(c.id, CMD_DELETE);
    feed(&s, MODE_TAKES, 'x', &c);
    assert_int_equal(c.id, CMD_REJECT);
    feed(&s, MODE_TAKES, 'a', &c);
    assert_int_equal(c.id, CMD_ACCEPT);
    feed(&s, MODE_TAKES, 'w', &c);
    assert_int_equal(c.id, CMD_NOTE_NEXT);
    assert_true(feed(&s, MODE_PROMPT, 'x', &c));
    assert_int_equal(c.id, CMD_TEXT);
    assert_int_equal(c.text, 'x');
    assert_true(feed(&s, MODE_PROMPT, K_ENTER, &c));
    assert_int_equal(c.id, CMD_SUBMIT);
    assert_false(feed(&s, MODE_PROMPT, KEY_CTRL('R'), &c));
    feed(&s, MODE_HELP, 'q', &c);
    assert_int_equal(c.id, CMD_ESCAPE);
}

/* Pasted text is never taken for commands, and does not submit the prompt. */
static void pasting(void **state)
{
    (void)state;
    static const char PASTE[] = "\033[200~x\r\033[201~";
    struct keymap_state s = {0};
    struct command c;
    struct key_reader r = {0};
    struct key key;
    int n = 0;
    key_reader_feed(&r, PASTE, sizeof PASTE - 1);
    while (key_reader_next(&r, true, &key)) {
        n++;
        assert_true(key.pasted);
        assert_false(keys_feed(&s, MODE_NORMAL, &key, &c));
        assert_int_equal(keys_feed(&s, MODE_PROMPT, &key, &c), key.code == 'x');
    }
    assert_int_equal(n, 2);
    key_reader_feed(&r, "x", 1);
    assert_true(key_reader_next(&r, true, &key));
    assert_false(key.pasted);
}

static uint32_t noise(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Random bytes, thick with escapes: always ends, always within bounds. */
static void random_bytes(void **state)
{
    (void)state;
    static const char SPICE[] = "\033[]O<;0123456789Mm~\\\a11;rgb:/\xC3\xF0";
    struct key_reader r = {0};
    struct keymap_state s = {0};
    uint32_t seed = 1;
    for (int i = 0; i < 200000; i++) {
        uint32_t x = noise(&seed);
        char byte = x & 256 ? SPICE[x % (sizeof SPICE - 1)] : (char)x;
        struct key key;
        struct command c;
        assert_int_equal(key_reader_feed(&r, &byte, 1), 1);
        while (key_reader_next(&r, x % 17 == 0, &key)) {
            assert_in_range(key.column, 0, 100000);
            if (keys_feed(&s, (enum mode)(x >> 9) % MODE_COUNT, &key, &c))
                assert_in_range(c.id, CMD_NONE + 1, CMD_COUNT - 1);
            assert_in_range(s.count, 0, KEYS_MAX_COUNT);
        }
    }
}

/* Every key of a mode is found once: no two rows share it, and no first key of
 * two is bound alone. */
static bool clash(const struct binding *a, const struct binding *b)
{
    if (!(a->modes & b->modes) || a->keys[0] != b->keys[0])
        return false;
    return a->keys[1] == b->keys[1] || !a->keys[1] || !b->keys[1];
}

static void no_key_twice(void **state)
{
    (void)state;
    char keys[64];
    for (size_t i = 0; i < n_bindings; i++)
        for (size_t j = i + 1; j < n_bindings; j++)
            if (clash(&bindings[i], &bindings[j]))
                fail_msg("%s is bound twice", binding_keys(&bindings[i], keys));
}

static void every_row_is_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_bindings; i++) {
        const struct binding *b = &bindings[i];
        char keys[64];
        assert_true(b->modes != 0 && b->keys[0] != 0);
        assert_in_range(b->id, CMD_NONE + 1, CMD_COUNT - 1);
        assert_true(strlen(binding_keys(b, keys)) > 0);
        /* An alias follows the row it is an alias of. */
        if (!b->help)
            assert_true(i > 0 && bindings[i - 1].id == b->id);
        /* Elsewhere a digit is a count. */
        if (b->keys[0] >= '1' && b->keys[0] <= '9')
            assert_true(b->modes == IN(MODE_TAKES) || b->id == CMD_PIANO);
    }
}

/* Whatever a user can ask for has a line in the help. */
static void every_command_has_help(void **state)
{
    (void)state;
    for (int id = CMD_NONE + 1; id < CMD_COUNT; id++) {
        bool found = id == CMD_TEXT;
        for (size_t i = 0; i < n_bindings; i++)
            found |= (int)bindings[i].id == id && bindings[i].help;
        if (!found)
            fail_msg("command %d has no line in the help", id);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_keys),
        cmocka_unit_test(special_keys),
        cmocka_unit_test(mouse),
        cmocka_unit_test(mouse_modifiers),
        cmocka_unit_test(mouse_commands),
        cmocka_unit_test(mouse_nonsense_is_dropped),
        cmocka_unit_test(split_sequences),
        cmocka_unit_test(escape_then_letter),
        cmocka_unit_test(background_report),
        cmocka_unit_test(background_that_is_none),
        cmocka_unit_test(counts),
        cmocka_unit_test(two_keys),
        cmocka_unit_test(digits_choose_takes),
        cmocka_unit_test(modes),
        cmocka_unit_test(pasting),
        cmocka_unit_test(random_bytes),
        cmocka_unit_test(no_key_twice),
        cmocka_unit_test(every_row_is_whole),
        cmocka_unit_test(every_command_has_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
