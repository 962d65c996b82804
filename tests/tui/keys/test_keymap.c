/* The keys in force: that every command has a name to be given keys by, that changed
 * keys leave the table whole, that keys are read as they are written, and when the box
 * of keys comes. */
#include "tests/check.h"

#include "tui/keys/keys.h"
#include "tui/keys/keymap.h"
#include "tui/base/text.h"
#include "tui/panels/panels.h"

/* Without a name: the mouse, text, and digits that mean themselves. */
static bool is_nameless(enum command_id id)
{
    return (commands[id].flags & MOUSE) || id == CMD_TEXT || id == CMD_TAKE ||
           id == CMD_PIANO || id == CMD_LIST_POINT || id == CMD_REGISTER ||
           id == CMD_INSPECT_POINT;
}

TEST(every_row_is_whole)
{
    for (size_t i = 0; i < n_bindings; i++) {
        const struct binding *b = &bindings[i];
        const char *name = commands[b->id].name;
        char keys[64];
        assert_in_range(b->id, CMD_NONE + 1, CMD_COUNT - 1);
        assert_true(strlen(keys_name(b->keys, keys)) > 0);
        if (!*name && b->group != GROUP_MOUSE && !is_nameless(b->id))
            fail_msg("\"%s\" has no name: give it one in tui/keys/commands.h",
                     b->help ? b->help : "a command");
        assert_true(strlen(name) <= 18);
        if (*name)
            assert_int_equal(command_find(name), b->id);
        /* Elsewhere a digit is a count. */
        if (b->keys[0] >= '1' && b->keys[0] <= '9')
            assert_true(b->modes == IN(MODE_TAKES) || b->id == CMD_PIANO);
    }
    assert_int_equal(command_find("no-such"), CMD_NONE);
    assert_int_equal(command_find(""), CMD_NONE);
    assert_int_equal(command_find("history-older"), CMD_LIST_NEXT); /* as it once was */
}

/* Else the second command would never run. */
TEST(a_key_has_one_command_in_a_mode)
{
    for (size_t i = 0; i < n_bindings; i++) {
        const struct binding *b = &bindings[i],
                             *first = keymap_taken(bindings, b->modes, b->keys);
        char keys[64];
        assert_non_null(first);
        if (first != b && first->id != b->id)
            fail_msg("%s is bound to %s and to %s in the same mode",
                     keys_name(b->keys, keys), commands[first->id].name,
                     commands[b->id].name);
    }
}

/* Whatever a user can ask for has a line in the help, which fits. */
TEST(every_command_has_help)
{
    bool has_help[CMD_COUNT] = {[CMD_TEXT] = true, [CMD_NO_KEY] = true};
    for (size_t i = 0; i < n_bindings; i++) {
        has_help[bindings[i].id] |= bindings[i].help != NULL;
        if (bindings[i].help && text_columns(bindings[i].help) > 60)
            fail_msg("too long for the page of keys: %s", bindings[i].help);
    }
    for (int id = CMD_NONE + 1; id < CMD_COUNT; id++)
        if (!has_help[id])
            fail_msg("command %d has no line in the help", id);
    for (size_t i = 0; i < n_typed_lines; i++)
        if (text_columns(typed_lines[i].help) > 60)
            fail_msg("too long for the page of keys: %s", typed_lines[i].help);
}

TEST(notation_of_all_kinds)
{
    static const struct {
        const char *text;
        uint32_t first, second;
    } CASES[] = {
        {"x", 'x', 0},
        {"gg", 'g', 'g'},
        {" g  g ", 'g', 'g'},
        {"C-p", 16, 0},
        {"ctrl-P", 16, 0},
        {"C-Left", K_LEFT | K_WITH_CTRL, 0},
        {"S-C-Left", K_LEFT | K_WITH_CTRL | K_WITH_SHIFT, 0},
        {"Shift-Tab", K_BACKTAB, 0},
        {"C-i", K_TAB, 0},
        {"F1", K_F1, 0},
        {"F12", K_F12, 0},
        {"Space", ' ', 0},
        {"-", '-', 0},
        {"é", 0xE9, 0},
        {"F0", 'F', '0'},
        {"C-", 'C', '-'},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        uint32_t keys[2] = {0, 0};
        if (!key_parse(CASES[i].text, keys) || keys[0] != CASES[i].first ||
            keys[1] != CASES[i].second)
            fail_msg("\"%s\" is another key", CASES[i].text);
    }
    static const char *const NONE[] = {
        "F13",  "C-é",   "M-x",
        "abc",  "g g g", "",
        "\xFF", "\x01",  "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"};
    for (size_t i = 0; i < sizeof NONE / sizeof NONE[0]; i++) {
        uint32_t keys[2];
        assert_false(key_parse(NONE[i], keys));
    }
}

TEST(the_box_comes_after_a_pause)
{
    struct keymap_state typed = {0};
    struct command c;
    assert_int_equal(which_key_wait(&typed, 5000), -1);
    keys_feed(&typed, MODE_NORMAL, &(struct key){.code = 'z', .ms = 5000}, &c);
    assert_int_equal(which_key_wait(&typed, 5000), WHICH_KEY_PAUSE_MS);
    assert_int_equal(which_key_wait(&typed, 5100), WHICH_KEY_PAUSE_MS - 100);
    assert_int_equal(which_key_wait(&typed, 5399.5), 1);
    assert_int_equal(which_key_wait(&typed, 5400), 0);
    assert_int_equal(which_key_wait(&typed, 9000), 0);
    keys_feed(&typed, MODE_NORMAL, &(struct key){.code = 'i', .ms = 9000}, &c);
    assert_int_equal(which_key_wait(&typed, 9000), -1);
    /* each digit begins the pause anew */
    keys_feed(&typed, MODE_NORMAL, &(struct key){.code = '1', .ms = 9000}, &c);
    keys_feed(&typed, MODE_NORMAL, &(struct key){.code = '2', .ms = 9399}, &c);
    assert_int_equal(which_key_wait(&typed, 9399), WHICH_KEY_PAUSE_MS);
    assert_int_equal(which_key_wait(&typed, 9799), 0);
}

TEST(the_box_leaves_the_cursor_in_sight)
{
    struct layout l = layout_of(&(const struct view){0}, 80, 24);
    for (int row = 0; row < l.roll.rows; row++)
        for (int column = 0; column < l.roll.columns; column++) {
            struct view v = {.port = {0, 120, 80, 1},
                             .cursor.tick = 120 * (int64_t)column,
                             .cursor.pitch = 80 - row,
                             .grid.ticks = 120};
            struct region r = box_in_corner(&l, &v, 30, 8);
            assert_false(region_has(&r, l.roll.column + column, l.roll.row + row));
            assert_true(r.column >= l.roll.column && r.row >= l.roll.row);
            assert_true(r.column + r.columns <= 80);
            assert_true(r.row + r.rows <= l.roll.row + l.roll.rows);
        }
}
