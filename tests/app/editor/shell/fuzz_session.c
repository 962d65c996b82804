/* Whatever name the tracks of an open piece have and whatever bytes the terminal then
 * sends: the score keeps its promises, each frame is of safe and whole characters, and
 * undoing all that was done gives the bytes that were opened. Without a model or sound;
 * what would leave the piece or the folder is not pressed. */
#include "tests/fuzz_replay.h"

/* What a session must hold to, without cmocka. */
#define assert_true(holds)     require(holds)
#define assert_false(holds)    require(!(holds))
#define assert_non_null(p)     require((p) != NULL)
#define assert_int_equal(a, b) require((a) == (b))
#define assert_in_range(n, least, most)                                                \
    require((int64_t)(n) >= (least) && (int64_t)(n) <= (int64_t)(most))
#include "tests/app/invariants.h"

#include "midi/smf/smf.h"
#include "tests/app/tiny_model.h"
#include "tests/memory_file.h"
#include "tests/tui/shown.h"
#include "tui/keys/keys.h"
#include "tui/terminal/frame.h"

#include <fcntl.h>

enum { MOST_BYTES = 1024, KEYS_A_LOOK = 16, SIZES = 8 };

struct fuzzed {
    struct session session;
    struct keymap_state keys;
    struct cells cells;
    unsigned n_keys;
};

/* -- the piece -- */

static struct score *make_score(const char *name)
{
    struct score *s = score_create(480);
    require(s && score_add_track(s, name, 0, 0) == 0 &&
            score_add_track(s, name, 9, 0) == 1);
    for (int i = 0; i < 12; i++) {
        struct note n = {.start = 480 * (i / 2),
                         .length = 240 + 480 * (i % 3),
                         .pitch = (uint8_t)(60 + 2 * i),
                         .velocity = 80};
        require(score_add_note(s, i % 2, n) != 0);
    }
    return s;
}

static void open_piece(struct session *s, const char *name)
{
    uint8_t *bytes;
    size_t n;
    struct score *score = make_score(name);
    require(!smf_write(score, &bytes, &n));
    require(session_open(s, memory_file_with("x.mid", bytes, n)));
    score_destroy(score);
    free(bytes);
}

/* -- what is pressed -- */

/* It stays in the folder, and in the piece. */
static bool may_submit(const struct session *s)
{
    return s->view.prompt.kind != PROMPT_OPEN &&
           s->view.prompt.kind != PROMPT_SAVE_AS &&
           !strpbrk(s->view.prompt.text, "/~") &&
           (s->view.prompt.kind != PROMPT_COMMAND ||
            !strchr("eqwx", *s->view.prompt.text));
}

static bool may_press(const struct session *s, enum command_id id)
{
    return id != CMD_QUIT && id != CMD_QUIT_NOW && id != CMD_SAVE_QUIT &&
           id != CMD_SAVE && (id != CMD_SUBMIT || may_submit(s));
}

static void look(struct fuzzed *f)
{
    struct view view;
    struct theme theme = theme_by_name("auto", DEPTH_TRUE, false, false);
    session_tick(&f->session);
    session_view(&f->session, &view, f->keys.count);
    frame_draw(&f->cells, &view, &theme);
    check_invariants(&f->session);
    check_cells(&f->cells);
}

static void press(struct fuzzed *f, const struct key *key)
{
    struct command c;
    if (keys_feed(&f->keys, f->session.view.mode, key, &c) &&
        may_press(&f->session, c.id))
        act_run(&f->session, &c);
    if (++f->n_keys % KEYS_A_LOOK == 0)
        look(f);
}

static void type(struct fuzzed *f, const uint8_t *bytes, size_t n)
{
    struct key_reader r = {0};
    struct key key;
    for (size_t at = 0; at < n;) {
        size_t room = sizeof r.bytes - r.n, fed = n - at < room ? n - at : room;
        memcpy(r.bytes + r.n, bytes + at, fed);
        r.n += fed;
        at += fed;
        while (key_reader_next(&r, at == n, &key))
            press(f, &key);
    }
    look(f);
}

/* At the start of its history. */
static void check_undone(struct session *s, const uint8_t *bytes, size_t n)
{
    uint8_t *now;
    size_t n_now;
    require(!history_go(s->project.history, s->project.score, 0));
    require(!smf_write(s->project.score, &now, &n_now));
    require(n_now == n && !memcmp(now, bytes, n));
    free(now);
}

static void open_and_type(struct fuzzed *f, const char *name, const uint8_t *bytes,
                          size_t n)
{
    uint8_t *before;
    size_t n_before;
    open_piece(&f->session, name);
    require(!smf_write(f->session.project.score, &before, &n_before));
    type(f, bytes, n);
    check_undone(&f->session, before, n_before);
    free(before);
}

/* -- around it -- */

static char *folder;

static void drop_folder(void)
{
    remove_folder(folder); /* and the string */
}

static void make_folder(void)
{
    folder = temp_folder();
    require(folder && !atexit(drop_folder));
    setenv("HOME", folder, 1);
    setenv("XDG_STATE_HOME", folder, 1);
    setenv("XDG_CONFIG_HOME", folder, 1);
    setenv("CONTINUO_HOME", folder, 1);
}

/* In the folder, since what is typed may write; where it was before is gone back to. */
static void run_in_folder(struct fuzzed *f, const char *name, const uint8_t *bytes,
                          size_t n)
{
    struct session_options o = {
        .driver = "none", .model = "/none", .n_threads = 1, .seed = 5, .wake_fd = -1};
    int back = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    require(back >= 0 && !chdir(folder));
    require(!session_init(&f->session, &o));
    session_resize(&f->session, f->cells.columns, f->cells.rows);
    open_and_type(f, name, bytes, n);
    session_fini(&f->session);
    require(!fchdir(back));
    close(back);
}

/* The first byte: how large the screen is, and how long the name that follows. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    static const int COLUMNS[SIZES] = {80, 200, 40, 132, 1, 100, 38, 61},
                     ROWS[SIZES] = {24, 50, 12, 46, 1, 8, 30, 17};
    static struct fuzzed f;
    char name[33];
    if (!folder)
        make_folder();
    if (!n_bytes || n_bytes > MOST_BYTES)
        return 0;
    size_t n_name = bytes[0] / SIZES < n_bytes - 1 ? bytes[0] / SIZES : n_bytes - 1;
    int size = bytes[0] % SIZES;
    memcpy(name, bytes + 1, n_name);
    name[n_name] = '\0';
    f = (struct fuzzed){0};
    require(cells_init(&f.cells, COLUMNS[size], ROWS[size]));
    run_in_folder(&f, name, bytes + 1 + n_name, n_bytes - 1 - n_name);
    cells_fini(&f.cells);
    return 0;
}
