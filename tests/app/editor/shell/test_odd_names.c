/* Names as no terminal likes them, in a real terminal (tmux): wide, combining, joined,
 * right-to-left, invalid, controls, very long. The same piece is shown with plain names and
 * with those, and whatever stands right of a name stands where it stood. No sequence in a
 * name is obeyed. */
#include "tests/check.h"
#include "tests/midi/score_of.h"
#include "tests/app/terminal.h"

#include <locale.h>
#include <wchar.h>

enum {
    COLUMNS = 100,
    ROWS = 40,
    MOST_CHARACTERS = 3 * COLUMNS,
    SCREEN_BYTES = 1 << 16
};

static const char *const ODD[] = {
    "漢字かな交じり文の長い名前",              /* wide */
    "\u1112\u1161\u11ab\u1100\u1173\u11af",    /* jamo that join */
    "e\u0301e\u0301\u0301\u0301\u0301o\u0338", /* marks, and too many of them */
    "\u0301\u0301 begins with marks",
    "\U0001F468\u200D\U0001F469\u200D\U0001F467 family",
    "\U0001F1E9\U0001F1EA\U0001F1EB\U0001F1F7 flags",
    "\U0001F44D\U0001F3FD\u2764\uFE0F\u260E\uFE0E", /* skin, and two faces of signs */
    "\u05E9\u05DC\u05D5\u05DD \u202Eesrever\u202C \u2067x\u2069", /* to the left */
    "\u0E01\u0E33\u0E49 \u0915\u094D\u0937\u093F \uFDFD \u2460\u2030\u2E3B",
    "\xFF\xC0\x80\xF5\xE2\x82 invalid \xED\xA0\x80",
    "\033]0;owned\007\033[2J\033[1;1Hgone\033c",
    "\302\2332J\302\2350;owned\302\234 C1 \233H\2200",
    "tab\tline\nfeed\r\b\b\bbell\007\016shift",
    "soft\u00ADhyphen\uFEFFmark\u2028line\u200Bno\uE000\uFFFE",
    "\U0001FA77\u0378\U0001FAE8\U0001F6DC\u2FFF", /* of which widths are disputed */
    "a name that is so very long that it would not fit anywhere at all, were it not "
    "cut "
    "off where its field ends, which is long before here: \u6F22\u5B57\u6F22\u5B57",
};
enum { N_TRACKS = sizeof ODD / sizeof *ODD };

/* -- the piece -- */

static void put_sign(struct score *s, int64_t tick, uint8_t type, const char *text)
{
    score_put_meta(s, tick, type, text, strlen(text));
}

/* Markers and a lyric in the first bars, and in the third one that is always the same. Each
 * track has a note in the first bar, and one in the sixth. */
static void write_piece(const char *file, bool is_odd)
{
    struct score *s = score_create(480);
    put_sign(s, 0, META_MARKER, is_odd ? ODD[0] : "plain");
    put_sign(s, 480, META_LYRIC, is_odd ? ODD[4] : "plain");
    put_sign(s, 1920, META_MARKER, is_odd ? ODD[10] : "plain");
    put_sign(s, 3840, META_MARKER, "HERE");
    for (int i = 0; i < N_TRACKS; i++) {
        assert_int_equal(score_add_track(s, is_odd ? ODD[i] : "plain", 0, 0), i);
        score_put(s, i, "%dq@90 =10112 %d", 48 + i, 48 + i);
    }
    save_score(file, s);
}

/* -- what is shown, by tmux -- */

/* Of a server of its own: the one before may still be on its way out. */
static const char *tmux_line(const char *words)
{
    return formatted("tmux -L names-%s -f /dev/null %s", folder + strlen(folder) - 6,
                     words);
}

static void tmux(const char *words)
{
    assert_ok(system(tmux_line(words)));
}

static void tmux_says(char *text, size_t room, const char *words)
{
    FILE *f = popen(tmux_line(words), "r");
    assert_non_null(f);
    text[fread(text, 1, room - 1, f)] = '\0';
    pclose(f);
}

struct shown {
    wchar_t line[ROWS][MOST_CHARACTERS + 1]; /* marks are characters, too */
    int length[ROWS];
};

/* Lines as wide characters, with the blanks at their ends. */
static void take_screen(struct shown *s)
{
    *s = (struct shown){0};
    char text[SCREEN_BYTES], *rest = text;
    tmux_says(text, sizeof text, "capture-pane -p -N -t w");
    for (int row = 0; row < ROWS; row++) {
        char *line = strsep(&rest, "\n");
        size_t n = line ? mbstowcs(s->line[row], line, MOST_CHARACTERS) : 0;
        if (n == (size_t)-1)
            fail_msg("line %d is not UTF-8", row);
        s->line[row][n] = L'\0';
        s->length[row] = (int)n;
    }
}

static void show(struct shown *s)
{
    double until = clock_now_ms() + 5000;
    struct shown before;
    take_screen(s);
    do {
        before = *s;
        sleep_ms(120);
        take_screen(s);
    } while (memcmp(&before, s, sizeof before) != 0 && clock_now_ms() < until);
}

/* From the right: how many characters of a line are the same. */
static int same_from_right(const struct shown *a, const struct shown *b, int row)
{
    int n = 0;
    while (n < a->length[row] && n < b->length[row] &&
           a->line[row][a->length[row] - 1 - n] == b->line[row][b->length[row] - 1 - n])
        n++;
    return n;
}

/* All of the plain line from this word on is in the same columns of the other; without a
 * word, all of it. */
static void assert_stands(const struct shown *plain, const struct shown *odd, int row,
                          const wchar_t *word)
{
    const wchar_t *line = plain->line[row], *from = word ? wcsstr(line, word) : line;
    int same = same_from_right(plain, odd, row);
    assert_non_null(from);
    assert_int_equal(plain->length[row], COLUMNS);
    if (same < plain->length[row] - (int)(from - line))
        fail_msg("line %d stands only from %d before its end:\n%ls\n%ls", row, same,
                 line, odd->line[row]);
}

/* -- the run -- */

/* Presses keys, and waits until that is seen. */
static void press_and_see(const char *keys, const char *text)
{
    char all[SCREEN_BYTES] = "";
    tmux(formatted("send-keys -t w %s", keys));
    for (int i = 0; i < 400 && !strstr(all, text); i++, sleep_ms(20))
        tmux_says(all, sizeof all, "capture-pane -p -t w");
    if (!strstr(all, text))
        fail_msg("never saw %s, but: %s", text, all);
}

static void open_piece(const char *file)
{
    tmux(formatted("respawn-pane -k -t w \"HOME=%s XDG_STATE_HOME=%s "
                   "XDG_CONFIG_HOME=%s LC_ALL=C.UTF-8 '%s' --audio none --model /none "
                   "%s; echo left-with-$?; exec sleep 100\"",
                   folder, folder, folder, getenv("CONTINUO_BIN"), in_folder(file)));
    press_and_see("''", "the model /none");
    press_and_see("Escape", "no model"); /* the message goes */
}

enum { N_VIEWS = 3 };

/* The roll with the first track, the list of tracks, and the roll again. */
static void look(const char *file, struct shown views[N_VIEWS])
{
    open_piece(file);
    show(&views[0]);
    press_and_see("B", "TRACKS");
    show(&views[1]);
    press_and_see("Escape", "NORMAL");
    show(&views[2]);
    press_and_see("ZQ", "left-with-0");
}

/* Names are in the top line, the line of signs, the list of tracks, and the line of all
 * tracks, which flows, and above which a message is. */
static const wchar_t *first_after_names(const struct shown *plain, int row)
{
    const wchar_t *line = plain->line[row];
    return row == 0                       ? L"4/4"
           : wcsstr(line, L"HERE")        ? L"HERE"
           : wcsstr(line, L"1 plain   2") ? L" "
           : row == ROWS - 2              ? L"no model"
           : wcsstr(line, L"Acoustic")    ? L"Acoustic"
                                          : NULL;
}

static void assert_view(const struct shown *plain, const struct shown *odd)
{
    for (int row = 0; row < ROWS; row++) {
        const wchar_t *word = first_after_names(plain, row);
        if (!word || *word != L' ')
            assert_stands(plain, odd, row, word);
    }
}

FIXTURE(kill_tmux)
{
    return system(tmux_line("kill-server 2>/dev/null")) < 0;
}

TEST_IN(everything_stands_where_it_stood, NULL, kill_tmux)
{
    static struct shown plain[N_VIEWS], odd[N_VIEWS];
    char title[64];
    assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
    tmux(formatted("new-session -d -s w -x %d -y %d 'sleep 100'", COLUMNS, ROWS));
    tmux("select-pane -t w -T untouched");
    look("plain.mid", odd); /* the first time there is a welcome */
    look("plain.mid", plain);
    look("odd.mid", odd);
    for (int view = 0; view < N_VIEWS; view++)
        assert_view(&plain[view], &odd[view]);
    tmux_says(title, sizeof title, "display-message -p -t w '#{pane_title}'");
    assert_string_equal(title, "untouched\n");
}

/* Of all that is written, escapes begin only control sequences and the question for the
 * background, and there is no other control. */
TEST_IN(no_control_is_written, NULL, term_close)
{
    term_open(COLUMNS, ROWS);
    term_run("exec $C --audio none --model /none odd.mid");
    wait_to_see("NORMAL");
    type("B");
    wait_to_see("TRACKS");
    type("G\033:rename \033");
    term_settle(100);
    type("ZQ");
    assert_ends_with(0);
    for (size_t i = 0; i < term.n; i++) {
        unsigned char c = (unsigned char)term.said[i],
                      after = (unsigned char)term.said[i + 1];
        bool is_question = !strncmp(term.said + i, "\033]11;?\033\\", 8);
        assert_true(c >= ' ' || c == 033);
        assert_int_not_equal(c, 0x7F);
        assert_false(c == 0xC2 && after < 0xA0);
        assert_true(c != 033 || after == '[' || after == '\\' || is_question);
    }
}

FIXTURE(make_pieces)
{
    if (make_own_folder(state))
        return -1;
    write_piece("plain.mid", false);
    write_piece("odd.mid", true);
    return 0;
}

GROUP(make_pieces, remove_own_folder)
