/* What is no file, in the place of one that is read: a pipe nobody writes, a folder, a
 * device without an end, a socket, a link to itself, a hole of a terabyte, nothing, and
 * the beginning of a good one. Each reader refuses each at once, and the verbs say so in
 * a sentence. */
#include "tests/check.h"
#include "app/settings/config.h"
#include "app/lab/dataset/corpus.h"
#include "app/inspection/head_names.h"
#include "app/editor/perform/devices.h"
#include "app/document/state.h"
#include "midi/transport/player.h"
#include "tests/app/program_home.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { PATIENCE_SECONDS = 60, GOOD_BYTES = 4096 };

/* -- what is put there -- */

static int make_socket(const char *path)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(to.sun_path, sizeof to.sun_path, "%s", path);
    int failed = bind(fd, (const struct sockaddr *)&to, sizeof to);
    close(fd);
    return failed;
}

static const struct odd {
    const char *name, *made; /* by the shell; NULL: a socket */
} ODD[] = {
    {"pipe", "mkfifo"},
    {"folder", "mkdir"},
    {"device", "ln -s /dev/zero"},
    {"null", "ln -s /dev/null"},
    {"socket", NULL},
    {"circle", "ln -s \"$p\""},
    {"empty", "touch"},
    {"hole", "truncate -s 1T"},
};
enum { N_ODD = sizeof ODD / sizeof *ODD };

static void make_odd(const struct odd *o, const char *path)
{
    const char *line = formatted("p='%s'; %s \"$p\"", path, o->made ? o->made : "");
    assert_ok(o->made ? system(line) : make_socket(path));
}

/* -- who reads it: what was said, or NULL where there is nothing to refuse -- */

static const char *read_midi(const char *path)
{
    struct score *s = NULL;
    enum midi_status st = smf_load(&s, path, NULL);
    score_destroy(st ? NULL : s);
    return st ? midi_strerror(st) : NULL;
}

static const char *read_model(const char *path)
{
    struct model *m = NULL;
    enum model_status st = model_open(&m, path, said, sizeof said);
    if (!st)
        model_close(m);
    return st ? model_strerror(st) : NULL;
}

static const char *read_store(const char *path)
{
    struct store *s = NULL;
    int st = store_lock(&s, path, said);
    if (!st)
        st = store_open(s, false, said);
    store_close(s, false);
    return st && st != STORE_EMPTY ? said : NULL;
}

/* The path is the state folder's. */
static const char *read_state(const char *path)
{
    struct registers r = {0};
    (void)path;
    bool failed = !registers_recall(&r, said);
    registers_fini(&r);
    return failed ? said : NULL;
}

static const char *read_config(const char *path)
{
    static struct config c;
    (void)path; /* it lies in XDG_CONFIG_HOME */
    config_init(&c);
    config_read(&c);
    config_complaint(&c, said, sizeof said);
    config_fini(&c);
    return *said ? said : NULL;
}

static const char *read_head_names(const char *path)
{
    struct head_names n;
    bool is_read = head_names_read(&n, path);
    head_names_fini(&n);
    return is_read ? NULL : "refused";
}

static const char *read_grid_corpus(const char *path)
{
    struct corpus *c = NULL;
    bool is_read = corpus_open_grid(&c, path, said, sizeof said);
    if (is_read)
        corpus_close(c);
    return is_read ? NULL : said;
}

static const char *read_soundfont(const char *path)
{
    char found[600] = "";
    soundfont_find(found, sizeof found, path);
    return strcmp(found, path) ? "refused" : NULL;
}

/* What is remembered from the last time is done without. */
static const char *read_remembered(const char *path)
{
    char text[600];
    (void)path;
    bool failed = !*paths_recall("soundfont", text, sizeof text) &&
                  !*paths_recall("output", text, sizeof text);
    return failed ? "refused" : NULL;
}

static const struct reader {
    const char *file; /* of a good one */
    const char *(*read)(const char *path);
    bool takes_nothing; /* an empty file is one */
} READERS[] = {
    {"x.mid", read_midi, false},
    {"x.safetensors", read_model, false},
    {"x.mid.continuo", read_store, true},
    {"continuo/continuo.db", read_state, true},
    {"continuo/continuo.conf", read_config, true},
    {"x.heads.json", read_head_names, false},
    {"chorales.json", read_grid_corpus, false},
    {"x.sf2", read_soundfont, false},
    {"continuo/soundfont", read_remembered, false},
    {"continuo/output", read_remembered, false},
};
enum { N_READERS = sizeof READERS / sizeof *READERS };

static void check_sentence(const char *sentence, const char *file, const char *odd)
{
    if (!sentence || !*sentence)
        fail_msg("%s as %s: taken", odd, file);
    for (const char *c = sentence; *c; c++)
        assert_false((unsigned char)*c < ' ' || *c == 0x7F);
}

TEST(every_reader_refuses_at_once)
{
    for (int i = 0; i < N_READERS; i++)
        for (int k = 0; k < N_ODD; k++) {
            const char *path = in_folder(READERS[i].file);
            make_odd(&ODD[k], path);
            *said = '\0';
            errno = 0;
            const char *sentence = READERS[i].read(path);
            if (!READERS[i].takes_nothing || strcmp(ODD[k].name, "empty") != 0)
                check_sentence(sentence, READERS[i].file, ODD[k].name);
            remove(path); /* an empty store goes by itself */
        }
}

/* -- what the verbs say -- */

TEST(every_verb_says_a_sentence)
{
    static const char *const LINES[] = {"info odd", "copy odd -o out.mid", "score odd",
                                        "info --json odd"};
    for (int k = 0; k < N_ODD; k++) {
        make_odd(&ODD[k], in_folder("odd"));
        assert_all_end_with(1, LINES, sizeof LINES / sizeof *LINES);
        assert_says("odd: ");
        assert_ok(remove(in_folder("odd")));
    }
}

/* Of a MIDI file some music can be left, of a model nothing is. */
TEST(the_beginning_of_a_file_is_no_more_than_that)
{
    size_t n;
    auto_free char *bytes = get_bytes("model/tiny.safetensors", &n);
    for (size_t k = 0; k < GOOD_BYTES; k += 1 + k / 16) {
        put_bytes("cut.safetensors", bytes, k);
        assert_non_null(read_model(in_folder("cut.safetensors")));
    }
}

static int lay_out(void **state)
{
    if (make_model(state))
        return -1;
    setenv("XDG_CONFIG_HOME", folder, 1);
    alarm(PATIENCE_SECONDS); /* who hangs, fails */
    return mkdir(in_folder("continuo"), 0700);
}

GROUP(lay_out, remove_own_folder)
