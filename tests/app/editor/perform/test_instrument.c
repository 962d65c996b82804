/* The real program at a terminal, with an instrument that writes down what it is sent
 * and a keyboard that sends a clock (tests/midi/ports/stand_in_portmidi.c), and the synth's time
 * from FluidSynth's file driver: the piece is played on the instrument when the score says,
 * with clocks; then it goes by the keyboard's clock, through a change of its tempo.
 * CONTINUO_PLAYS: how often. */
#include "tests/check.h"
#include "tests/app/editor/perform/at_keyboard.h"
#include "tests/midi/spread.h"

enum { QUARTER = 480, N_NOTES = 32, MOST_SENT = 20000, N_CLOCKS = 96, CHANGE_AT = 48 };

/* Of what is timed: the rest is what a machine at work does to a thread. */
static const double MOST = 0.9;

static struct sent {
    double ms;
    int status, data1, data2; /* -1: the script began */
} sent[MOST_SENT];
static int n_sent;

/* -- files -- */

/* Sixteenths at 120 a minute. */
static void write_piece(void)
{
    struct score *s = score_of("%d | organ #16:", QUARTER);
    for (int i = 0; i < N_NOTES; i++)
        score_put(s, 0, "=%d %d:%d@90", i * QUARTER / 4, 40 + i, QUARTER / 8);
    save_score("song.mid", s);
}

/* The clock's: 132 a minute, then 138. */
static double clock_ms(int i)
{
    int late = i > CHANGE_AT ? i - CHANGE_AT : 0;
    return 100 + (i - late) * 60e3 / 24 / 132 + late * 60e3 / 24 / 138;
}

static void write_script(void)
{
    FILE *f = open_script();
    fputs("output Stand-in Organ\n", f);
    fprintf(f, "90 sys 250 0 0\n");
    for (int i = 0; i < N_CLOCKS; i++)
        fprintf(f, "%.4f sys 248 0 0\n", clock_ms(i));
    fprintf(f, "%.4f sys 252 0 0\n", clock_ms(N_CLOCKS));
    fclose(f);
}

static void read_sent(void)
{
    char line[128];
    FILE *f = fopen(in_folder("sent"), "r");
    assert_non_null(f);
    for (n_sent = 0; n_sent < MOST_SENT && fgets(line, sizeof line, f); n_sent++) {
        struct sent *s = &sent[n_sent];
        *s = (struct sent){.status = -1};
        assert_true(sscanf(line, "%lf %d %d %d", &s->ms, &s->status, &s->data1,
                           &s->data2) >= 1);
    }
    fclose(f);
}

/* -- what was sent -- */

static int find(int at, int status, int data1)
{
    for (int i = at; i < n_sent; i++)
        if (sent[i].status == status && (data1 < 0 || sent[i].data1 == data1))
            return i;
    fail_msg("%d %d was not sent", status, data1);
    return 0;
}

static int count(int from, int to, int status)
{
    int n = 0;
    for (int i = from; i < to; i++)
        n += sent[i].status == status;
    return n;
}

/* Of the strikes from the first on, and the clocks, beside the first of them. */
static void measure_own(struct spread *notes, struct spread *clocks, int end)
{
    int first = find(0, 0x90, 40), begin = find(0, 0xfa, -1);
    double clock_from = sent[begin + 1].ms;
    assert_int_equal(sent[begin + 1].status, 0xf8);
    for (int i = 0; i < 12; i++)
        spread_add(notes,
                   sent[find(first, 0x90, 40 + i)].ms - sent[first].ms - i * 125.0);
    for (int i = begin; i < end; i++)
        if (sent[i].status == 0xf8)
            spread_add(clocks, sent[i].ms - clock_from - (double)clocks->n * 500 / 24);
}

/* Each sixteenth belongs to a clock of the script. The first is late by what it takes to
 * hear of it. */
static void measure_followed(struct spread *notes, int go)
{
    double at_ms = sent[go].ms;
    for (int i = 1; i < N_CLOCKS / 6; i++)
        spread_add(notes, sent[find(go, 0x90, 40 + i)].ms - at_ms - clock_ms(6 * i));
    double first = sent[find(go, 0x90, 40)].ms - at_ms - clock_ms(0);
    print_message("the first note after a start comes %.1f ms after its clock\n",
                  first);
    assert_true(first < 100);
}

static void assert_silent(void)
{
    int sounding = 0;
    for (int i = 0; i < n_sent; i++)
        sounding += (sent[i].status == 0x90) - (sent[i].status == 0x80);
    assert_int_equal(sounding, 0);
}

/* -- the run -- */

static void play(void)
{
    type(":output stand-in\r");
    wait_to_see("the piece is played on Stand-in Organ");
    type(":clock send\r");
    wait_to_see("gets a clock");
    type(" ");
    term_listen_until(clock_now_ms() + 1800);
    type(" ");
    term_listen_until(clock_now_ms() + 200);
    type(":clock follow\r");
    wait_to_see("waiting for");
    type("\033");
    wait_to_see("waits for a clock");
    put_text("go", "");
    term_listen_until(clock_now_ms() + 800);
    wait_to_see(" Stand-in Pi"); /* at =132.0, more or less */
    term_listen_until(clock_now_ms() + clock_ms(N_CLOCKS) - 800 + 300);
    quit(":q\r");
}

/* Whether all of it is within what is allowed: 2 ms, and 5 by another's clock. */
static bool play_once(void)
{
    static struct spread own, clocks, followed;
    own.n = clocks.n = followed.n = 0;
    write_piece();
    write_script();
    start_program("--audio file");
    play();
    read_sent();
    int go = find(0, -1, -1), stop = find(0, 0xfc, -1);
    measure_own(&own, &clocks, stop);
    measure_followed(&followed, go);
    assert_true(stop < go && count(stop, go, 0xf8) == 0);
    assert_true(find(stop, 0xb0, 123) < go || find(0, 0xb0, 123) < go);
    assert_silent();
    spread_print("notes", &own);
    spread_print("clocks", &clocks);
    spread_print("notes by another's clock", &followed);
    return spread_at(&own, MOST) <= 2 && spread_at(&clocks, MOST) <= 2 &&
           spread_at(&followed, MOST) <= 5;
}

TEST(an_instrument_is_played)
{
    assert_plays(play_once);
}
