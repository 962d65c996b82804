/* The one way tests have of working an editor session without a screen or sound: opening it,
 * with the tiny model of own_folder.h or without any, pressing keys and the mouse in it, looking
 * at it, and waiting for the machine. Scripts of keys with what is expected are in script.h.
 * Include cmocka.h before it. */
#ifndef TESTS_APP_DRIVER_H
#define TESTS_APP_DRIVER_H

#include "app/editor/takes/takes.h"
#include "app/editor/session/edit.h"
#include "tests/app/own_folder.h"
#include "tests/midi/passing.h"
#include "tui/paint/list.h"
#include "tui/base/text.h"
#include "tui/cells/theme.h"
#include "tui/keys/keys.h"
#include "tui/terminal/frame.h"

static struct keymap_state typed; /* of the session that was opened last */
static double next_ms; /* when the next keys come; 0: when they are pressed */

/* -- opening -- */

static struct session_options last_options; /* as well */

/* At 80x24, with one thread. */
static inline void session_begin(struct session *s, struct session_options o)
{
    o.driver = o.driver ? o.driver : "none";
    o.n_threads = o.n_threads ? o.n_threads : 1;
    o.wake_fd = -1;
    typed = (struct keymap_state){0};
    next_ms = 0;
    last_options = o;
    if (session_init(s, &o))
        abort();
    session_resize(s, 80, 24);
}

static inline struct session *session_with(struct session_options o)
{
    struct session *s = malloc(sizeof *s);
    if (!s)
        abort();
    session_begin(s, o);
    return s;
}

/* Without a machine: one track of 480 ticks a quarter. It is kept where there is a folder. */
static inline struct session *keyed_open(void)
{
    return session_with(
        (struct session_options){.model = "/nonexistent.safetensors",
                                 .journals = getenv("XDG_STATE_HOME") != NULL});
}

/* The same as tests' set-ups, and what puts the session away. */
static inline int empty_session(void **state)
{
    *state = keyed_open();
    return 0;
}

/* With the tiny model, one take at a time. */
static inline int model_session(void **state)
{
    struct session *s = session_with(
        (struct session_options){.model = model, .seed = 5, .journals = true});
    act_command_line(s, "style any");
    act_command_line(s, "takes 1");
    *state = s;
    return 0;
}

static inline int close_session(void **state)
{
    session_fini(*state);
    free(*state);
    return 0;
}

/* A test of the session s, which `open` has made: with a body, as TEST. */
#define TEST_WITH(name, open)                                                          \
    static void name##_of(struct session *s);                                          \
    TEST_IN(name, open, close_session)                                                 \
    {                                                                                  \
        name##_of(*state);                                                             \
    }                                                                                  \
    static void name##_of(struct session *s)

/* -- commands and keys -- */

static inline void run_times(struct session *s, enum command_id id, int count)
{
    act_run(s, &(struct command){.id = id, .count = count});
}

static inline void run(struct session *s, enum command_id id)
{
    run_times(s, id, 0);
}

static inline void press_key(struct session *s, struct key key)
{
    struct command c;
    typed.map = s->preferences.keymap;
    if (!keys_feed(&typed, s->view.mode, &key, &c))
        return;
    c.ms = key.ms;
    act_run(s, &c);
}

static inline void press_code(struct session *s, uint32_t code)
{
    press_key(s, (struct key){.code = code, .ms = next_ms});
}

/* The first button at a cell: K_PRESS, K_DRAG, K_RELEASE or a turn of the wheel. */
static inline void point(struct session *s, uint32_t code, int column, int row)
{
    press_key(s, (struct key){.code = code, .column = column, .row = row, .button = 1});
}

/* Does what stands in ‹› and is no key: script.h's. false: it knows no such word. */
static bool (*do_word)(struct session *s, const char *word);

/* Presses the key whose name ends at ›, or does that word; where the rest begins. */
static inline const char *press_named(struct session *s, const char *name)
{
    char word[512];
    uint32_t code[2];
    const char *end = strstr(name, "›");
    assert_non_null(end);
    snprintf(word, sizeof word, "%.*s", (int)(end - name), name);
    if (key_parse(word, code) && !code[1])
        press_code(s, code[0]);
    else if (!do_word || !do_word(s, word))
        fail_msg("%s is no key", word);
    return end + strlen("›");
}

/* Keys as they are typed. Letters stand for themselves and control characters for Ctrl and a
 * letter, but '\r' is Enter, '\033' Escape, '\t' Tab and '\b' Backspace. Others have their
 * names of tui/keys/keys.h: "‹Up›", "‹C-r›". */
static inline void keys(struct session *s, const char *text)
{
    while (*text) {
        uint32_t code;
        text += text_decode(text, strlen(text), &code);
        if (code == 0x2039) { /* ‹ */
            text = press_named(s, text);
            continue;
        }
        press_code(s, code == '\r'     ? (uint32_t)K_ENTER
                      : code == '\033' ? (uint32_t)K_ESCAPE
                      : code == '\t'   ? (uint32_t)K_TAB
                      : code == '\b'   ? (uint32_t)K_BACKSPACE
                                       : code);
    }
}

/* A line after `:`, by keys. */
static inline void line(struct session *s, const char *text)
{
    keys(s, ":");
    keys(s, text);
    keys(s, "\r");
}

static inline void put_note(struct session *s, int track, int64_t start, int64_t length,
                            int pitch, int velocity)
{
    struct change *c = change_create("put");
    assert_non_null(c);
    assert_int_equal(
        change_add_note(c, track, edit_new_note(start, length, pitch, velocity)),
        MIDI_OK);
    assert_true(edit_do(s, c));
}

/* -- looking -- */

static inline const struct view *view_of(struct session *s)
{
    static struct view v;
    session_view(s, &v, typed.count);
    return &v;
}

/* Where a list is in that frame. */
static inline struct list_box box_of(struct session *s, enum list_id id)
{
    return list_box(&s->layout, id, &view_of(s)->lists[id]);
}

/* A frame of it. */
static inline void paint(struct session *s, struct cells *c)
{
    const struct theme theme = theme_by_name("auto", DEPTH_TRUE, false, false);
    frame_draw(c, view_of(s), &theme);
}

static inline struct track *track(const struct session *s, int i)
{
    assert_true(i >= 0 && (size_t)i < s->project.score->n_tracks);
    return &s->project.score->tracks[i];
}

static inline const struct note *note_of(const struct session *s, int on, size_t i)
{
    assert_true(i < track(s, on)->n_notes);
    return &track(s, on)->notes[i];
}

static inline size_t n_notes(const struct session *s)
{
    return score_n_notes(s->project.score);
}

/* Of the take that is shown. */
static inline size_t n_ghosts(const struct session *s)
{
    const struct proposal *t = proposals_shown(&s->takes);
    return t ? t->n_waiting : 0;
}

static inline const struct ghost *ghosts(const struct session *s)
{
    return proposals_shown(&s->takes)->ghosts;
}

/* Whether it holds of each ghost g of the take that is shown, and there is one. */
#define ALL_GHOSTS(s, g, holds)                                                        \
    ({                                                                                 \
        bool all = n_ghosts(s) > 0;                                                    \
        for (const struct ghost *g = all ? ghosts(s) : NULL, *end = g + n_ghosts(s);   \
             g < end; g++)                                                             \
            all &= (holds);                                                            \
        all;                                                                           \
    })

static inline void assert_said(const struct session *s, const char *text)
{
    if (!strstr(s->view.message.text, text))
        fail_msg("said \"%s\", not \"%s\"", s->view.message.text, text);
}

/* A command line that is done without an error. */
static inline void obeyed(struct session *s, const char *command)
{
    act_command_line(s, command);
    if (s->view.message.is_error)
        fail_msg("%s: %s", command, s->view.message.text);
}

/* -- waiting -- */

static inline void nap(void)
{
    nap_us(2000);
}

/* So long, with the looks that the loop of the ui would take; it does not take so long. */
static inline void pass_ms(struct session *s, double ms)
{
    for (double end = clock_now_ms() + ms; clock_now_ms() < end; session_tick(s))
        player_skip_ms(s->player, PASSING_STEP_MS);
}

/* Two minutes of naps; TSan makes a model's steps dozens of times as slow. */
#ifdef __SANITIZE_THREAD__
enum { MOST_NAPS = 300000 };
#else
enum { MOST_NAPS = 60000 };
#endif

/* Ticks until it holds. */
#define WAIT_FOR(s, condition)                                                         \
    do {                                                                               \
        for (int waited = 0; waited < MOST_NAPS && !(condition); waited++) {           \
            session_tick(s);                                                           \
            nap();                                                                     \
        }                                                                              \
        assert_true(condition);                                                        \
    } while (0)

/* Until the machine is done. */
static inline void wait_for_end(struct session *s)
{
    session_tick(s);
    WAIT_FOR(s, !s->request.is_running);
}

#endif
