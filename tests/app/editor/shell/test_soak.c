/* Random keys into a whole session: every key that is bound where it is, others, typed
 * lines, the mouse, screens of every size, takes that arrive meanwhile and are accepted in
 * part. Nothing may break, what a session promises holds after each step, no two notes of a
 * pitch overlap on a track, and undoing all of it gives the bytes that were opened.
 * `make soak` presses a hundred thousand, with ASan. */
#include "app/editor/takes/takes.h"
#include "tests/check.h"
#include "tests/app/invariants.h"
#include "tests/app/promises.h"

enum { KEYS = 20000, KEYS_A_LOOK = 8, PATIENCE = 500 /* naps */ };

struct soak {
    struct session *session;
    struct keymap_state keys;
    struct rng rng;
    struct cells cells, unkept;
    char last[32][KEYS_NAME_BYTES]; /* what was pressed of late, for a message */
    unsigned n_pressed, n_looks;
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
        return k->session->view.prompt.kind != PROMPT_OPEN &&
               k->session->view.prompt.kind != PROMPT_SAVE_AS;
    default:
        return true;
    }
}

static void press(struct soak *k, struct key key)
{
    struct command c;
    keys_name((const uint32_t[2]){key.code}, k->last[k->n_pressed++ % 32]);
    if (keys_feed(&k->keys, k->session->view.mode, &key, &c) && may_press(k, c.id))
        act_run(k->session, &c);
}

static void fail_with_keys(const struct soak *k, const char *why)
{
    print_error("after");
    for (unsigned i = k->n_pressed > 32 ? k->n_pressed - 32 : 0; i < k->n_pressed; i++)
        print_error(" %s", k->last[i % 32]);
    const struct history_state *now = history_now(k->session->project.history);
    fail_msg("%s since \"%s\"", why, now->change ? now->change->label : "");
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
    while (!(b->modes & IN(k->session->view.mode)));
    if ((commands[b->id].flags & COUNTS) && below(k, 4) == 0)
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
        "1",    "0",   "-3",       "999999999999", "1/16t",   "C minor", "50% start",
        "C4",   "3/4", "96-120",   "any",          "",        "m7",      "velocity>60",
        "len",  "~",   "\xc3\xa9", "rhythm",       "pitches", "0.6",     "2",
        "cello"};
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
    const uint32_t with = below(k, 2) ? (uint32_t)below(k, 8) << 24 : 0;
    press_at_random(k, K_PRESS | with);
    for (int i = below(k, 5); i > 0; i--)
        press_at_random(k, K_DRAG | with);
    press_at_random(k, K_RELEASE | with);
}

static void resize(struct soak *k)
{
    int columns = 1 + below(k, 220), rows = 1 + below(k, 70);
    assert_true(cells_resize(&k->cells, columns, rows) &&
                cells_resize(&k->unkept, columns, rows));
    session_resize(k->session, columns, rows);
}

/* Keeps a ghost, draws a note where it is, or accepts what is around it. */
static void do_at_ghost(struct soak *k)
{
    struct session *s = k->session;
    const struct ghost *g = &ghosts(s)[below(k, (int)n_ghosts(s))];
    const int64_t end = g->note.start + 240 * (1 + below(k, 12));
    s->view.cursor.tick = grid_floor(s, g->note.start);
    s->view.cursor.pitch = g->note.pitch;
    switch (below(k, 3)) {
    case 0:
        run(s, CMD_KEEP);
        break;
    case 1:
        s->view.track = g->track;
        s->view.mode = MODE_NORMAL;
        run(s, CMD_TOGGLE_NOTE);
        break;
    default:
        s->view.mode = MODE_SELECT;
        s->selection.has_box = true;
        s->selection.box =
            (struct box){g->note.start, end, below(k, 2) ? 0 : g->note.pitch, 127};
        run(s, CMD_ACCEPT_PART);
    }
}

static void step(struct soak *k)
{
    int which = below(k, 100);
    if (k->session->view.mode == MODE_TAKES && n_ghosts(k->session) && below(k, 2) == 0)
        do_at_ghost(k);
    else if (which < 72)
        press_bound(k);
    else if (which < 79)
        press_any(k);
    else if (which < 86)
        type_line(k);
    else if (which < 89) /* into a mode of its own */
        press_at_random(k, (uint32_t)(uint8_t) "EEEivPBUIQ"[below(k, 10)]);
    else if (which < 94)
        gesture(k);
    else if (which < 98) /* or it would seldom be in NORMAL */
        press_at_random(k, K_ESCAPE);
    else
        resize(k);
}

/* Until the takes are there; a hole of hundreds of bars is stopped, as a user would. */
static void wait_a_while(struct session *s)
{
    for (int i = 0; s->request.is_running && i < PATIENCE; i++) {
        session_tick(s);
        nap();
    }
    if (s->request.is_running)
        run(s, CMD_STOP);
    wait_for_end(s);
}

/* What is seen does not depend on the index of notes that is kept from frame to frame. */
static void paint_twice(struct soak *k)
{
    const struct theme theme = theme_by_name("auto", DEPTH_TRUE, false, false);
    struct view v = *view_of(k->session);
    frame_draw(&k->cells, &v, &theme);
    v.survey = NULL;
    frame_draw(&k->unkept, &v, &theme);
    assert_memory_equal(k->cells.at, k->unkept.at,
                        (size_t)k->cells.columns * (size_t)k->cells.rows *
                            sizeof *k->cells.at);
}

static void look(struct soak *k)
{
    session_tick(k->session);
    if (below(k, 32) == 0)
        wait_a_while(k->session);
    if (k->n_looks++ % 4)
        paint(k->session, &k->cells);
    else
        paint_twice(k);
}

/* At the start of its history; waits for the machine first. */
static void check_undone(struct soak *k, const struct music_bytes *start)
{
    struct session *s = k->session;
    run(s, CMD_STOP);
    wait_for_end(s);
    session_drop_take(s);
    for (uint64_t at; (at = history_state(s->project.history)) > 0;) {
        run(s, CMD_UNDO);
        assert_true(history_state(s->project.history) < at);
    }
    assert_same_bytes(s, start);
}

TEST_IN(nothing_breaks_and_all_of_it_undoes, model_session, close_session)
{
    struct soak k = {.session = *state};
    const int n_keys = (int)asked_for("CONTINUO_KEYS", KEYS);
    rng_seed(&k.rng, (uint64_t)asked_for("CONTINUO_SEED", 6));
    session_open(k.session, getenv("CONTINUO_SOAK_FILE"));
    assert_true(cells_init(&k.cells, 80, 24) && cells_init(&k.unkept, 80, 24));
    struct music_bytes start = music_of(k.session);
    for (int i = 0; i < n_keys; i++) {
        step(&k);
        if (i % KEYS_A_LOOK == 0)
            look(&k);
        check_invariants(k.session);
        if (count_overlaps(k.session->project.score))
            fail_with_keys(&k, "notes overlap");
    }
    print_message("%zu states\n", history_n_states(k.session->project.history));
    assert_true(history_n_states(k.session->project.history) > (size_t)n_keys / 100);
    check_undone(&k, &start);
    free(start.at);
    cells_fini(&k.cells);
    cells_fini(&k.unkept);
}

/* In a folder of its own, since what is typed may write; on a copy of the example. */
static int make_folder(void **state)
{
    char command[9000], where[4096];
    char *home =
        realpath(getenv("CONTINUO_HOME") ? getenv("CONTINUO_HOME") : ".", NULL);
    if (!home || make_model(state) || live_in_folder())
        return -1;
    snprintf(where, sizeof where, "%s/soak.mid", folder);
    snprintf(command, sizeof command, "cp '%s/models/example.mid' '%s'", home, where);
    free(home);
    setenv("CONTINUO_SOAK_FILE", where, 1);
    return system(command);
}

GROUP(make_folder, remove_own_folder)
