/* Tests of an editor session as scripts: tables of keys and of what is expected after them.
 *
 *   SCRIPT(name, open) = {
 *       {"keys", "facts", "message"},
 *       ...
 *   };
 *
 * Keys are as in driver.h. A word in ‹› with its argument (see the table of words below) does
 * something without a key: "‹at 4q›" moves the cursor.
 *
 * Facts are separated by "; ": "at 2b; pitch 64; no selected". A fact is a name (some names end
 * in a number, of a track, say) and its expected value. Without a value it must not be 0; after
 * "no " it must be 0. A number may be a range: "3..8". Ticks are sums of bars, quarters and
 * sixteenths: "40b", "3q", "2b1s", "130" (at 480 ticks a quarter and 4/4). "notes 0+1q 60,
 * 240+1s 62@80" lists all notes of the active track ("notes2": of that track): start, length,
 * pitch, and the velocity if that matters.
 *
 * The message is the whole text; after "~" a part of it, after "!" a part of an error, after
 * "-" what it must not contain. NULL: any message.
 *
 * NUMBER_FACT, TEXT_FACT, WORD and DOES add others. Include it after tests/check.h. */
#ifndef TESTS_APP_SCRIPT_H
#define TESTS_APP_SCRIPT_H

#include "tests/app/driver.h"

#include <ctype.h>

/* Rows end where nothing more is expected. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

struct step {
    const char *keys, *facts, *says;
};

#define SCRIPT(name, open)                                                             \
    static const struct step name##_steps[64];                                         \
    TEST_WITH(name, open)                                                              \
    {                                                                                  \
        play_script(s, name##_steps);                                                  \
    }                                                                                  \
    static const struct step name##_steps[64]

/* A fact by its name: a number or a text. `of` is the number at the name's end, or -1. */
struct fact {
    const char *name;
    int64_t (*number)(struct session *s, int of);
    const char *(*text)(struct session *s, int of);
};

/* A word in ‹›, and what it does; `on` as `of` above. */
struct word {
    const char *name;
    void (*act)(struct session *s, int on, const char *arguments);
};

enum { MOST_NAMES = 128 };
static struct fact all_facts[MOST_NAMES];
static struct word all_words[MOST_NAMES];
static size_t n_facts, n_words;

static inline void add_fact(struct fact f)
{
    assert_true(n_facts < MOST_NAMES);
    all_facts[n_facts++] = f;
}

#define FACT(kind, name, field, value)                                                 \
    static inline kind fact_##name(__attribute__((unused)) struct session *s,          \
                                   __attribute__((unused)) int of)                     \
    {                                                                                  \
        return (kind)(value);                                                          \
    }                                                                                  \
    __attribute__((constructor)) static void add_fact_##name(void)                     \
    {                                                                                  \
        add_fact((struct fact){#name, .field = fact_##name});                          \
    }
/* Of expressions of s and of. */
#define NUMBER_FACT(name, value) FACT(int64_t, name, number, value)
typedef const char *fact_text;
#define TEXT_FACT(name, value) FACT(fact_text, name, text, value)

/* WORD(name) { ... }: a body with s, on and arguments. */
#define WORD(name)                                                                     \
    static inline void word_##name(struct session *s, int on, const char *arguments);  \
    __attribute__((constructor)) static void add_word_##name(void)                     \
    {                                                                                  \
        assert_true(n_words < MOST_NAMES);                                             \
        all_words[n_words++] = (struct word){#name, word_##name};                      \
    }                                                                                  \
    static inline void word_##name(__attribute__((unused)) struct session *s,          \
                                   __attribute__((unused)) int on,                     \
                                   __attribute__((unused)) const char *arguments)

/* Of one statement. */
#define DOES(name, statement)                                                          \
    WORD(name)                                                                         \
    {                                                                                  \
        statement;                                                                     \
    }

/* -- values -- */

/* Reads ticks or another number, and moves past it. */
static inline int64_t read_ticks(const char **at)
{
    static const char UNITS[] = "bqs";
    static const int64_t TICKS[] = {1920, 480, 120};
    int64_t sum = 0;
    do {
        int64_t n = strtoll(*at, (char **)at, 10);
        const char *unit = **at ? strchr(UNITS, **at) : NULL;
        sum += n * (unit ? TICKS[unit - UNITS] : 1);
        *at += unit != NULL;
    } while (isdigit((unsigned char)**at));
    return sum;
}

struct range {
    int64_t least, most;
};

/* "3", or "3..8". */
static inline struct range read_range(const char **at)
{
    struct range r = {read_ticks(at), 0};
    r.most = r.least;
    if (!strncmp(*at, "..", 2)) {
        *at += 2;
        r.most = read_ticks(at);
    }
    return r;
}

static inline bool is_in(struct range r, int64_t n)
{
    return n >= r.least && n <= r.most;
}

struct wanted_note {
    struct range start, length;
    int pitch, velocity; /* velocity 0: not given */
};

/* "start+length pitch@velocity, ..."; false: there is none left. */
static inline bool read_note(const char **at, struct wanted_note *n)
{
    *at += strspn(*at, ", ");
    if (!**at)
        return false;
    n->start = read_range(at);
    assert_int_equal(**at, '+');
    ++*at;
    n->length = read_range(at);
    n->pitch = (int)read_ticks(at);
    n->velocity = 0;
    if (**at == '@') {
        ++*at;
        n->velocity = (int)read_ticks(at);
    }
    return true;
}

/* All notes of a track as such a text. */
static inline const char *note_list(const struct track *t)
{
    static char text[4096];
    size_t n = 0;
    text[0] = '\0';
    for (size_t i = 0; i < t->n_notes && n < sizeof text - 100; i++) {
        const struct note *k = &t->notes[i];
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%lld+%lld %d@%d",
                              i ? ", " : "", (long long)k->start, (long long)k->length,
                              k->pitch, k->velocity);
    }
    return text;
}

static inline bool are_notes(const struct track *t, const char *wanted)
{
    struct wanted_note w;
    size_t i = 0;
    for (; read_note(&wanted, &w); i++) {
        const struct note *n = i < t->n_notes ? &t->notes[i] : NULL;
        if (!n || !is_in(w.start, n->start) || !is_in(w.length, n->length) ||
            n->pitch != w.pitch || (w.velocity && n->velocity != w.velocity))
            return false;
    }
    return i == t->n_notes;
}

/* -- facts -- */

/* Ids stand in order. */
static inline size_t n_selected(const struct session *s)
{
    for (size_t i = 1; i < s->selection.n; i++)
        assert_true(s->selection.ids[i - 1] < s->selection.ids[i]);
    return s->selection.n;
}

NUMBER_FACT(at, s->view.cursor.tick)
NUMBER_FACT(pitch, s->view.cursor.pitch)
NUMBER_FACT(track, s->view.track)
NUMBER_FACT(tracks, s->project.score->n_tracks)
NUMBER_FACT(n, of < 0 ? n_notes(s) : track(s, of)->n_notes)
NUMBER_FACT(selected, n_selected(s))
NUMBER_FACT(of, s->selection.n_tracks)
NUMBER_FACT(state, history_state(s->project.history))
NUMBER_FACT(states, history_n_states(s->project.history))
NUMBER_FACT(error, s->view.message.is_error)
NUMBER_FACT(clean, !project_modified(&s->project))
NUMBER_FACT(loop, s->loop.on)
NUMBER_FACT(loop_from, s->loop.from)
NUMBER_FACT(loop_to, s->loop.to)
NUMBER_FACT(box_from, s->selection.box.from)
NUMBER_FACT(box_to, s->selection.box.to)
NUMBER_FACT(box_low, s->selection.box.pitch_lo)
NUMBER_FACT(box_high, s->selection.box.pitch_hi)
NUMBER_FACT(left, s->view.port.left_tick)
NUMBER_FACT(takes, s->takes.n)
NUMBER_FACT(take, s->has_take)
NUMBER_FACT(from, s->request.from)
NUMBER_FACT(ghosts, n_ghosts(s))
NUMBER_FACT(zoom, s->view.port.ticks_per_column)
NUMBER_FACT(division, s->grid.division)
NUMBER_FACT(bpm, timeline_bpm(&s->project.score->timeline, 0) + 0.01)
NUMBER_FACT(bar_length, timeline_bar(&s->project.score->timeline, of - 1).length)
NUMBER_FACT(plays, player_is_playing(s->player))
NUMBER_FACT(quit, s->quit)
NUMBER_FACT(gone, s->request.rewritten.n_there)
NUMBER_FACT(to, s->request.to)
NUMBER_FACT(seed, s->steering.seed)
NUMBER_FACT(density, s->steering.density)
NUMBER_FACT(program, track(s, of)->program)
NUMBER_FACT(channel, track(s, of)->channel)
NUMBER_FACT(roll_rows, s->layout.roll.rows)
NUMBER_FACT(roll_columns, s->layout.roll.columns)
NUMBER_FACT(kit, view_of(s)->kit.is_shown)
NUMBER_FACT(drafts, view_of(s)->drafts.n)
NUMBER_FACT(draft_length, view_of(s)->drafts.notes[0].note.length)
NUMBER_FACT(replaced, view_of(s)->ghosts.n_replaced)

TEXT_FACT(mode, mode_name(s->view.mode))
TEXT_FACT(prompt, view_of(s)->prompt.label)
TEXT_FACT(input, s->view.prompt.text)
TEXT_FACT(name, track(s, of < 0 ? s->view.track : of)->name)

/* Splits "cc7 90" into a name and a number (-1: none). Returns where the value begins. */
static inline const char *read_name(const char *text, char name[32], int *of)
{
    size_t n = strcspn(text, "0123456789 ");
    assert_true(n < 32);
    snprintf(name, 32, "%.*s", (int)n, text);
    text += n;
    *of = *text && *text != ' ' ? (int)strtol(text, (char **)&text, 10) : -1;
    return text + strspn(text, " ");
}

static inline const struct fact *find_fact(const char *name)
{
    for (size_t i = 0; i < n_facts; i++)
        if (!strcmp(all_facts[i].name, name))
            return &all_facts[i];
    fail_msg("there is no fact %s", name);
    return NULL;
}

/* What the failure is of. */
static const struct step *playing;
#define WRONG(format, ...)                                                             \
    fail_msg("after \"%s\": " format, playing ? playing->keys : "", __VA_ARGS__)

static inline void check_number(int64_t now, bool is_no, const char *value,
                                const char *fact)
{
    bool is_right = is_no ? now == 0 : now != 0;
    if (*value) {
        struct range r = read_range(&value);
        is_right = !*value && is_in(r, now);
    }
    if (!is_right)
        WRONG("%s: it is %lld", fact, (long long)now);
}

static inline void check_text(const char *now, const char *value, const char *fact)
{
    if (*value == '~' ? !strstr(now, value + 1) : strcmp(now, value) != 0)
        WRONG("%s: it is %s", fact, now);
}

static inline void check_fact(struct session *s, const char *fact)
{
    char name[32];
    int of;
    bool is_no = !strncmp(fact, "no ", 3);
    const char *value = read_name(fact + (is_no ? 3 : 0), name, &of);
    if (!strcmp(name, "notes")) {
        const struct track *t = track(s, of < 0 ? s->view.track : of);
        if (!are_notes(t, value))
            WRONG("%s: they are %s", fact, note_list(t));
        return;
    }
    const struct fact *f = find_fact(name);
    if (f->text)
        check_text(f->text(s, of), value, fact);
    else
        check_number(f->number(s, of), is_no, value, fact);
}

static inline void check_facts(struct session *s, const char *text)
{
    char fact[1024];
    while (*text) {
        const char *end = strstr(text, "; ");
        size_t n = end ? (size_t)(end - text) : strlen(text);
        snprintf(fact, sizeof fact, "%.*s", (int)n, text);
        check_fact(s, fact);
        text += n + (end ? 2 : 0);
    }
}

static inline void check_says(const struct session *s, const char *says)
{
    bool is_there = *says && strstr(s->view.message.text, says + 1);
    bool is_right = *says == '~'   ? is_there
                    : *says == '-' ? !is_there
                    : *says == '!' ? is_there && s->view.message.is_error
                                   : !strcmp(s->view.message.text, says);
    if (!is_right)
        WRONG("said \"%s\", not \"%s\"", s->view.message.text, says);
}

/* -- words -- */

DOES(at, s->view.cursor.tick = read_ticks(&arguments))

DOES(pitch, s->view.cursor.pitch = atoi(arguments))

DOES(track, s->view.track = atoi(arguments))

WORD(size)
{
    int columns = 0, rows = 0;
    assert_int_equal(sscanf(arguments, "%dx%d", &columns, &rows), 2);
    session_resize(s, columns, rows);
}

/* Notes of that track, a step of the history each. */
WORD(put)
{
    struct wanted_note n;
    while (read_note(&arguments, &n))
        put_note(s, on < 0 ? s->view.track : on, n.start.least, n.length.least, n.pitch,
                 n.velocity ? n.velocity : 80);
}

/* Until the machine has made what was asked for. */
DOES(made, wait_for_end(s))

DOES(drop_take, session_drop_take(s))

/* So many milliseconds. */
DOES(pass, pass_ms(s, (double)read_ticks(&arguments)))

DOES(tick, session_tick(s))

/* A line of any bytes, as if it had been typed after `:`. */
DOES(line, act_command_line(s, arguments))

/* Lines with "|" between: each is an error. */
WORD(refused)
{
    char text[256];
    for (; *arguments; arguments += strspn(arguments, "|")) {
        size_t n = strcspn(arguments, "|");
        snprintf(text, sizeof text, "%.*s", (int)n, arguments);
        s->view.message.is_error = false;
        line(s, text);
        if (!s->view.message.is_error)
            WRONG("\"%s\" was understood", text);
        arguments += n;
    }
}

static inline bool do_any_word(struct session *s, const char *word)
{
    char name[32];
    int on;
    const char *arguments = read_name(word, name, &on);
    for (size_t i = 0; i < n_words; i++)
        if (!strcmp(all_words[i].name, name)) {
            all_words[i].act(s, on, arguments);
            return true;
        }
    return false;
}

__attribute__((constructor)) static void use_words(void)
{
    do_word = do_any_word;
}

/* Messages from before a step do not count in it. */
static inline void play_step(struct session *s, const struct step *step)
{
    const struct step *outer = playing; /* this may be a word of it */
    playing = step;
    s->view.message.text[0] = '\0';
    s->view.message.is_error = false;
    keys(s, step->keys);
    if (step->facts)
        check_facts(s, step->facts);
    if (step->says)
        check_says(s, step->says);
    playing = outer;
}

static inline void play_script(struct session *s, const struct step *steps)
{
    for (; steps->keys; steps++)
        play_step(s, steps);
}

/* A step of a test that is no table. */
static inline void play(struct session *s, const char *keys, const char *facts,
                        const char *says)
{
    play_step(s, &(struct step){keys, facts, says});
}

#endif
