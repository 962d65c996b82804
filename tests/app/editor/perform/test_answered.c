/* Playing together, end to end: the real program in a terminal, played by a keyboard that
 * follows a script and heard through FluidSynth's file driver. How long after the last key
 * has gone up an answer sounds that is to come at once, from the moment of the script to
 * that at which the sample is in the file; that answers on the beat are there; that it is
 * silent when it was left in the middle of an answer.
 *
 * What the keyboard plays is not heard itself (:monitor off), so that all sound is the
 * machine's. CONTINUO_TURNS: how many of each kind; CONTINUO_ANSWER_MS: what 19 of 20 may
 * take. Without it times are only told; with it, all is played once more where the machine
 * stood still for a moment. */
#include "tests/check.h"
#include "tests/app/editor/perform/at_keyboard.h"
#include "tests/midi/listen.h"
#include "tests/midi/spread.h"

enum {
    MOST_TURNS = 1000,
    QUARTER = 480,
    BEAT_MS = 250,       /* at 240 a minute; bars are of one */
    TURN_MS = 1000,      /* from phrase to phrase, */
    SLOW_TURN_MS = 5000, /* where the program is watched over */
    FIRST_MS = 1200,     /* before the first */
    PHRASE_MS = 240,     /* from the first key down to the last up */
    REST_MS = 400,       /* of a turn: what is not waited for an answer in */
    OFF_MS = 10,         /* how far from its beat an answer may be */
    LEAVING_MS = 400,    /* after the last key-up: while it is answered */
};

static int n_turns, turn_ms;

/* A program that is watched over by TSan takes dozens of times as long for a token. */
static bool is_sanitized(void)
{
    const char *flavour = getenv("FLAVOUR");
    return flavour && (!strcmp(flavour, "asan") || !strcmp(flavour, "tsan"));
}

/* No two phrases fall on the same part of a millisecond, or of a step. */
static double phrase_ms(int i)
{
    return FIRST_MS + (double)i * turn_ms + 7.3 * (i * i % 11);
}

/* n_turns to be answered at once, as many on the beat, and the last. Three keys, each held
 * until the next is down. */
static void write_script(void)
{
    FILE *f = open_script();
    for (int i = 0; i <= 2 * n_turns; i++)
        for (int k = 0; k < 3; k++) {
            int key = 60 + (5 * i + 3 * k) % 13;
            double on = phrase_ms(i) + 80 * k,
                   off = on + (k < 2 ? 95 : PHRASE_MS - 160);
            fprintf(f, "%g on %d %d\n%g off %d\n", on, key, 60 + 8 * k, off, key);
        }
    fclose(f);
}

/* -- a run -- */

static void prepare(void)
{
    save_score("song.mid", score_of("%d | organ #16:", QUARTER));
    write_script();
    start_program("--audio file --model $CONTINUO_HOME/models/continuo.safetensors");
    plug_keyboard();
    type(":monitor off\r:count-in 0\r:reverb 0\r:chorus 0\r");
    type(":tempo 240\r:meter 1/4\r##");
    wait_to_see("metronome is off");
    type(":answer free once pause 0\r");
    wait_to_see("listening");
}

/* Milliseconds from the script's beginning to that of the file. */
static double play(void)
{
    prepare();
    put_text("go", "");
    double file_ms = sound_began_ms(44100), script_ms = keyboard_began_ms();
    term_listen_until(script_ms + phrase_ms(n_turns) - BEAT_MS);
    type(":answer beat\r");
    term_listen_until(script_ms + phrase_ms(2 * n_turns) + PHRASE_MS + LEAVING_MS);
    type("&");
    wait_to_see("notes of both wait");
    type("a\023"); /* Ctrl-S */
    wait_to_see("saved song.mid");
    term_listen_until(clock_now_ms() + 600); /* to be silent in */
    quit(":q\r");
    return file_ms - script_ms;
}

/* -- what was heard -- */

struct heard {
    struct recording sound;
    double file_ms, loudest;
    double tick_ms; /* of the piece's beginning, by the script's clock */
};

static void load(struct heard *h, double file_ms)
{
    assert_true(listen_load(&h->sound, in_folder("fluidsynth.wav")));
    h->file_ms = file_ms;
    h->loudest = 0;
    for (double t = 0; t + 0.02 < (double)h->sound.n / h->sound.rate; t += 0.02)
        h->loudest = fmax(h->loudest, listen_energy(&h->sound, t, t + 0.02));
    assert_true(h->loudest > 1e-6);
    struct score *s = load_score("song.mid");
    size_t n_notes = 0;
    for (size_t t = 0; t < s->n_tracks; t++)
        n_notes += s->tracks[t].n_notes;
    assert_true(n_notes > 3 * (2 * (size_t)n_turns + 1)); /* answers among them */
    h->tick_ms = phrase_ms(0) - (double)s->tracks[0].notes[0].start * BEAT_MS / QUARTER;
    score_destroy(s);
}

/* Milliseconds from the last key-up of a turn to the first sound; negative: none. */
static double answer_ms(const struct heard *h, int turn)
{
    const double step = 0.0005;
    double up = (phrase_ms(turn) + PHRASE_MS - h->file_ms) / 1e3;
    for (double t = up; t < up + (turn_ms - REST_MS) / 1e3; t += step)
        if (listen_energy(&h->sound, t, t + step) > h->loudest * 1e-3)
            return (t - up) * 1e3;
    return -1;
}

/* false: too many are late. */
static bool are_at_once(const struct heard *h)
{
    static struct spread ms;
    ms.n = 0;
    for (int i = 0; i < n_turns; i++)
        if (answer_ms(h, i) >= 0)
            spread_add(&ms, answer_ms(h, i));
    print_message(
        "%d of %d were answered at once: half within %.1f ms, 19 of 20 within "
        "%.1f, all within %.1f, the first after %.1f\n",
        ms.n, n_turns, spread_at(&ms, 0.5), spread_at(&ms, 0.95), spread_at(&ms, 1),
        spread_at(&ms, 0));
    return ms.n >= n_turns - n_turns / 20 &&
           spread_at(&ms, 0.95) <= asked_for("CONTINUO_ANSWER_MS", INFINITY);
}

/* false: one is not on a beat. */
static bool are_on_the_beat(const struct heard *h)
{
    double worst = 0;
    int n = 0;
    for (int i = n_turns; i < 2 * n_turns; i++) {
        double ms = answer_ms(h, i);
        double at = phrase_ms(i) + PHRASE_MS + ms - h->tick_ms;
        n += ms >= 0;
        if (ms >= 0 && fabs(remainder(at, BEAT_MS)) > fabs(worst))
            worst = remainder(at, BEAT_MS);
    }
    print_message("%d of %d were answered on the beat, at most %.1f ms off\n", n,
                  n_turns, worst);
    return n == n_turns && fabs(worst) <= OFF_MS;
}

static bool is_silent(const struct heard *h)
{
    double end = (double)h->sound.n / h->sound.rate;
    double left = phrase_ms(2 * n_turns) + PHRASE_MS + LEAVING_MS - h->file_ms;
    if (listen_energy(&h->sound, left / 1e3 - 0.1, left / 1e3) < h->loudest * 1e-3)
        print_message("it was left when nothing sounded\n");
    return listen_energy(&h->sound, end - 0.2, end) < h->loudest * 1e-3;
}

static bool play_once(void)
{
    struct heard h = {.file_ms = 0};
    load(&h, play());
    const bool is_quick = are_at_once(&h), is_in_time = are_on_the_beat(&h);
    assert_true(is_silent(&h));
    free(h.sound.x);
    return is_quick && is_in_time;
}

TEST(answers_come_in_time)
{
    n_turns = (int)asked_for("CONTINUO_TURNS", 2);
    n_turns = n_turns < 1 ? 1 : n_turns > MOST_TURNS ? MOST_TURNS : n_turns;
    turn_ms = is_sanitized() ? SLOW_TURN_MS : TURN_MS;
    bool is_well = play_in_folder(play_once);
    assert_true(is_well || !getenv("CONTINUO_ANSWER_MS") || play_in_folder(play_once));
}
