/* Every row of the table of keys, in every mode it is in, is answered: after it the screen
 * is another one, if only by a sentence, or the session is about to do something. A key
 * that does nothing and says nothing is a defect. */
#include "tests/check.h"
#include "tests/app/waiting_takes.h"

enum { COLUMNS = 120, ROWS = 40 };

static struct cells before, after;

/* Something for every key to be about: a second track, tempos and markers, notes that were
 * quantised and found, a selection of before, what was copied, something to undo and to
 * redo. The cursor is in the middle of a note. */
static void fill(struct session *s)
{
    keys(s, ":track two\ri\r\r");
    keys(s, "\033‹S-Tab›");
    keys(s, "gg:tempo 90\rLmhere\rHLLmthere\r:tempo 70\rgg");
    keys(s, ":quantise 50%\r:velocity 60\r/C4\r:scale C\rvllyv");
    keys(s, "\033");
    keys(s, "4l\\:set follow no\r}}u:grid 1/16\rzizizizigg3Lwl");
}

/* From the filled session; false: there is no way of keys into it. */
static bool enter(struct session *s, enum mode mode)
{
    static const char *const WAY[MODE_COUNT] = {
        [MODE_NORMAL] = "",    [MODE_DRAW] = "i",     [MODE_SELECT] = "vl",
        [MODE_TAKES] = "",     [MODE_STEER] = "Pjh",  [MODE_TRACKS] = "B",
        [MODE_MAP] = "gmk",    [MODE_HISTORY] = "Uj", [MODE_LANE] = "El",
        [MODE_PLAY] = "q",     [MODE_STEP] = "Q",     [MODE_HELP] = "?j",
        [MODE_PROMPT] = ":te", [MODE_PALETTE] = "",   [MODE_INSPECT] = "I",
    };
    keys(s, WAY[mode]);
    if (mode == MODE_TAKES) {
        s->steering.n_draws = 1; /* "ww" leads into the middle of a bar */
        ask(s);
        keys(s, "ww");
    } else if (mode == MODE_PROMPT) {
        keys(s, "‹Up›‹Left›");
    } else if (mode == MODE_PALETTE) {
        keys(s, "‹C-p›a note‹Down›‹Left›");
    }
    return s->view.mode == mode;
}

/* What is not on the screen, of what a key may bring about. */
static bool is_unseen(const struct session *s, const struct binding *b)
{
    switch (b->id) {
    case CMD_TAKE: /* is shown already */
        return s->takes.shown == (int)b->keys[0] - '1';
    case CMD_ESCAPE: /* out of nothing */
        return s->view.mode == MODE_NORMAL;
    case CMD_INPUT_COMPLETE: /* what is complete */
        return true;
    case CMD_INSPECT_POINT: /* beside it */
        return true;
    case CMD_LIST_PREVIOUS: /* from the first line, */
        return b->keys[0] == K_WHEEL_UP && s->view.mode == MODE_TRACKS;
    case CMD_LIST_PAGE_UP: /* and by keys that do not go round */
    case CMD_LIST_FIRST:
        return s->view.mode == MODE_TRACKS;
    case CMD_REDRAW:
        return s->view.is_sent_whole;
    case CMD_QUIT:
    case CMD_QUIT_NOW:
    case CMD_SAVE_QUIT:
        return s->quit || s->view.message.text[0];
    case CMD_PANIC:   /* heard, not seen */
    case CMD_RELEASE: /* of nothing */
    case CMD_DRAG:
    case CMD_REGISTER: /* waits for what is to be done */
        return true;
    default:
        return false;
    }
}

static bool is_same(const struct cell *a, const struct cell *b)
{
    return a->glyph == b->glyph && a->mark == b->mark && a->fg == b->fg &&
           a->bg == b->bg && a->attr == b->attr;
}

static bool is_seen(void)
{
    bool is_same_all = before.cursor_column == after.cursor_column &&
                       before.cursor_row == after.cursor_row;
    for (int i = 0; i < COLUMNS * ROWS && is_same_all; i++)
        is_same_all = is_same(&before.at[i], &after.at[i]);
    return !is_same_all;
}

/* Of the mouse, at a place on the screen; keys have none. */
static void press(struct session *s, uint32_t key)
{
    const bool has_place = key >= K_PRESS && key <= K_WHEEL_RIGHT;
    point(s, key, has_place ? 60 : 0, has_place ? 14 : 0);
}

static bool is_answered(struct session *s, const struct binding *b)
{
    s->view.message.text[0] = '\0';
    paint(s, &before);
    press(s, b->keys[0]);
    if (b->keys[1])
        press(s, b->keys[1] == K_LETTER ? 'a' : b->keys[1]);
    paint(s, &after);
    return is_seen() || s->view.message.text[0] || typed.count || is_unseen(s, b);
}

/* The test can fail: a button that was not pressed is let go in silence. */
static void nothing_is_silent(struct session *s)
{
    const struct binding nothing = {.keys = {K_RELEASE}, .id = CMD_NONE};
    if (is_answered(s, &nothing))
        fail_msg("the screen of %s is never the same", mode_name(s->view.mode));
}

/* Its name appears when it is loaded. */
static void wait_for_model(struct session *s)
{
    WAIT_FOR(s, *view_of(s)->machine.model_name);
}

static struct session *open_filled(enum mode mode)
{
    const bool needs_model = mode == MODE_TAKES || mode == MODE_INSPECT;
    void *state = NULL;
    if (needs_model)
        assert_ok(open_session(&state));
    struct session *s =
        needs_model ? state : session_with((struct session_options){.model = "/none"});
    assert_true(needs_model || add_music(s));
    session_resize(s, COLUMNS, ROWS);
    if (needs_model)
        wait_for_model(s);
    fill(s);
    if (!enter(s, mode))
        fail_msg("%s is not reached, but %s: %s", mode_name(mode),
                 mode_name(s->view.mode), s->view.message.text);
    return s;
}

TEST(every_key_is_answered)
{
    int n_silent = 0;
    assert_true(cells_init(&before, COLUMNS, ROWS) &&
                cells_init(&after, COLUMNS, ROWS));
    for (int mode = 0; mode < MODE_COUNT; mode++)
        for (size_t i = 0; i < n_bindings; i++) {
            if (!(bindings[i].modes & IN(mode)))
                continue;
            struct session *s = open_filled((enum mode)mode);
            char name[64];
            nothing_is_silent(s);
            if (!is_answered(s, &bindings[i]) && ++n_silent)
                print_error("%s in %s is silent\n", keys_name(bindings[i].keys, name),
                            mode_name((enum mode)mode));
            close_session((void **)&s);
        }
    cells_fini(&before);
    cells_fini(&after);
    assert_int_equal(n_silent, 0);
}

/* A key of no command says so, except where text is typed. */
TEST(other_keys_say_so)
{
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        struct session *s = open_filled((enum mode)mode);
        press_code(s, K_F12);
        bool is_text = mode == MODE_PROMPT || mode == MODE_PALETTE;
        assert_int_equal(
            !strcmp(s->view.message.text, "no key F12 here; ? lists the keys"),
            !is_text);
        close_session((void **)&s);
    }
}

GROUP(make_model, remove_own_folder)
