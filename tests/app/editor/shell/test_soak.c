/* Random keys into a whole session: every key that is bound where it is, others, typed
 * lines, the mouse, screens of every size, takes that arrive meanwhile. Nothing may break,
 * what a score promises holds after each handful, and undoing all of it gives the bytes
 * that were opened. `make soak` presses a hundred thousand, with ASan. */
#include "tests/check.h"
#include "tests/app/driver.h"
#include "tests/app/invariants.h"
#include "model/decoder/sampler.h"
#include "tui/keys/bindings.h"
#include "tui/terminal/frame.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { KEYS = 20000, KEYS_A_LOOK = 8 };

struct soak {
    struct session *session;
    struct keymap_state keys;
    struct rng rng;
    struct cells cells;
    char last[32][32]; /* what was pressed of late, for a message */
    unsigned n_pressed;
};

static int below(struct soak *k, int n)
{
    return (int)(rng_next(&k->rng) % (uint32_t)n);
}

static bool may_press(const struct soak *k, enum command_id id)
{
    switch (id) {
    case CMD_QUIT:
    case CMD_QUIT_NOW:
    case CMD_SAVE_QUIT:
        return false;
    case CMD_SUBMIT: /* not what opens another piece, or writes anywhere */
        return k->session->prompt.kind != PROMPT_OPEN &&
               k->session->prompt.kind != PROMPT_SAVE_AS;
    default:
        return true;
    }
}

static void press(struct soak *k, struct key key)
{
    struct command c;
    key_name(key.code, k->last[k->n_pressed++ % 32]);
    if (keys_feed(&k->keys, k->session->mode, &key, &c) && may_press(k, c.id))
        act_run(k->session, &c);
}

static void press_at_random(struct soak *k, uint32_t code)
{
    press(k, (struct key){.code = code,
                          .column = below(k, k->cells.columns + 4) - 2,
                          .row = below(k, k->cells.rows + 4) - 2,
                          .button = 1 + below(k, 3)});
}

/* One that is bound in this mode; with a count before it now and then. */
static void press_bound(struct soak *k)
{
    const struct binding *b;
    do
        b = &bindings[below(k, (int)n_bindings)];
    while (!(b->modes & IN(k->session->mode)));
    if (b->takes_count && below(k, 4) == 0)
        press_at_random(k, (uint32_t)('1' + below(k, 9)));
    press_at_random(k, b->keys[0]);
    if (b->keys[1])
        press_at_random(k, b->keys[1]);
}

static void press_any(struct soak *k)
{
    static const uint32_t KINDS[] = {0x20, 0x100, 0x2000, 0x1f300, K_UP, K_UP};
    uint32_t code = KINDS[below(k, 6)] + (uint32_t)below(k, 96);
    if (code >= K_UP && below(k, 2))
        code |= (uint32_t)(1 + below(k, 7)) << 24;
    press_at_random(k, code);
}

static void type_text(struct soak *k, const char *text)
{
    for (; *text; text++)
        press_at_random(k, (uint32_t)(uint8_t)*text);
}

/* A line that is understood, often with another value than it shows. */
static void type_line(struct soak *k)
{
    static const char *const VALUES[] = {
        "1",   "0",   "-3",      "999999999999", "1/16t", "C minor", "50% start",
        "C4",  "2/4", "96-120",  "any",          "",      "m7",      "velocity>60",
        "len", "~",   "\xc3\xa9"};
    const char *line = typed_lines[below(k, (int)n_typed_lines)].line;
    char text[64];
    size_t n = strcspn(line + 1, " ");
    if (line[1] == 'e' || line[1] == 'w' || line[1] == 'q')
        return;
    if (below(k, 2))
        snprintf(text, sizeof text, "%s", line);
    else
        snprintf(text, sizeof text, "%.*s %s", (int)n + 1, line,
                 VALUES[below(k, (int)(sizeof VALUES / sizeof *VALUES))]);
    press_at_random(k, K_ESCAPE);
    press_at_random(k, K_ESCAPE);
    type_text(k, text);
    press_at_random(k, K_ENTER);
}

static void gesture(struct soak *k)
{
    press_at_random(k, K_PRESS);
    for (int i = below(k, 5); i > 0; i--)
        press_at_random(k, K_DRAG);
    press_at_random(k, K_RELEASE);
}

static void resize(struct soak *k)
{
    int columns = 1 + below(k, 220), rows = 1 + below(k, 70);
    assert_true(cells_resize(&k->cells, columns, rows));
    session_resize(k->session, columns, rows);
}

static void step(struct soak *k)
{
    int which = below(k, 100);
    if (which < 72)
        press_bound(k);
    else if (which < 82)
        press_any(k);
    else if (which < 90)
        type_line(k);
    else if (which < 94)
        gesture(k);
    else if (which < 98) /* or it would seldom be in NORMAL */
        press_at_random(k, K_ESCAPE);
    else
        resize(k);
}

static void look(struct soak *k)
{
    session_tick(k->session);
    paint(k->session, &k->cells);
    check_invariants(k->session);
}

static void write_bytes(struct session *s, uint8_t **bytes, size_t *n)
{
    assert_int_equal(smf_write(s->project.score, bytes, n), MIDI_OK);
}

/* At the start of its history; waits for the machine first. */
static void check_undone(struct soak *k, const uint8_t *bytes, size_t n)
{
    struct session *s = k->session;
    uint8_t *now;
    size_t n_now;
    run(s, CMD_STOP);
    wait_for_end(s);
    assert_int_equal(history_go(s->project.history, s->project.score, 0), MIDI_OK);
    write_bytes(s, &now, &n_now);
    assert_int_equal(n_now, n);
    assert_memory_equal(now, bytes, n);
    free(now);
}

static int n_keys(void)
{
    const char *text = getenv("CONTINUO_KEYS");
    return text ? atoi(text) : KEYS;
}

static uint64_t seed(void)
{
    const char *text = getenv("CONTINUO_SEED");
    return text ? strtoull(text, NULL, 10) : 6;
}

TEST_IN(nothing_breaks_and_all_of_it_undoes, model_session, close_session)
{
    struct soak k = {.session = *state};
    uint8_t *bytes;
    size_t n;
    rng_seed(&k.rng, seed());
    session_open(k.session, getenv("CONTINUO_SOAK_FILE"));
    assert_true(cells_init(&k.cells, 80, 24));
    write_bytes(k.session, &bytes, &n);
    for (int i = 0; i < n_keys(); i++) {
        step(&k);
        if (i % KEYS_A_LOOK == 0)
            look(&k);
    }
    print_message("%zu states\n", history_n_states(k.session->project.history));
    assert_true(history_n_states(k.session->project.history) > (size_t)n_keys() / 100);
    check_undone(&k, bytes, n);
    free(bytes);
    cells_fini(&k.cells);
}

/* In a folder of its own, since what is typed may write; on a copy of the example. */
static int make_folder(void **state)
{
    char command[9000], where[4096];
    char *home =
        realpath(getenv("CONTINUO_HOME") ? getenv("CONTINUO_HOME") : ".", NULL);
    if (!home || make_model(state) || chdir(folder))
        return -1;
    setenv("HOME", folder, 1);
    setenv("XDG_STATE_HOME", folder, 1);
    setenv("XDG_CONFIG_HOME", folder, 1);
    snprintf(where, sizeof where, "%s/soak.mid", folder);
    snprintf(command, sizeof command, "cp '%s/models/example.mid' '%s'", home, where);
    free(home);
    setenv("CONTINUO_SOAK_FILE", where, 1);
    return system(command);
}

GROUP(make_folder, remove_own_folder)
