/* What is no file, in the place of one that is read: a pipe nobody writes, a folder, a
 * device without an end, a socket, a link to itself, a hole of a terabyte, nothing, and
 * the beginning of a good one. Each reader refuses each at once, and the verbs say so in
 * a sentence. */
#include "tests/check.h"
#include "app/settings/config.h"
#include "app/dataset/grid_corpus.h"
#include "app/inspection/head_profile.h"
#include "app/editor/perform/devices.h"
#include "app/document/state.h"
#include "midi/transport/player.h"
#include "midi/smf/smf.h"
#include "tests/app/model_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
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
    char line[800];
    snprintf(line, sizeof line, "p='%s'; %s \"$p\"", path, o->made ? o->made : "");
    assert_int_equal(o->made ? system(line) : make_socket(path), 0);
}

/* -- who reads it: what was said, or NULL where there is nothing to refuse -- */

static char said[400];

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
    enum store_status st = store_lock(&s, path, 0600, said);
    if (!st)
        st = store_open(s, said);
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
    struct grid_corpus *c = NULL;
    bool is_read = grid_corpus_open(&c, path, said, sizeof said);
    if (is_read)
        grid_corpus_close(c);
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
    bool failed = !soundfont_recall(text, sizeof text) &&
                  !*port_remembered("output", text, sizeof text);
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
            char path[600];
            snprintf(path, sizeof path, "%s/%s", folder, READERS[i].file);
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

/* The last line of both outputs; the exit status, 124 of one that hangs. */
static int run_verb(const char *line, char *last, size_t n)
{
    char command[2000];
    snprintf(command, sizeof command, "cd '%s' && timeout 20 %s %s 2>&1", folder,
             getenv("CONTINUO_BIN"), line);
    FILE *from = popen(command, "r");
    assert_non_null(from);
    *last = '\0';
    while (fgets(last, (int)n, from))
        ;
    return WEXITSTATUS(pclose(from));
}

TEST(every_verb_says_a_sentence)
{
    static const char *const LINES[] = {"info odd", "copy odd -o out.mid", "score odd",
                                        "info --json odd"};
    if (!getenv("CONTINUO_BIN"))
        skip();
    for (int k = 0; k < N_ODD; k++) {
        char path[600], last[400];
        snprintf(path, sizeof path, "%s/odd", folder);
        make_odd(&ODD[k], path);
        for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
            assert_int_equal(run_verb(LINES[i], last, sizeof last), 1);
            if (strncmp(last, "continuo: odd: ", 15) != 0)
                fail_msg("%s of %s: %s", LINES[i], ODD[k].name, last);
        }
        assert_ok(remove(path));
    }
}

/* -- the beginnings of good ones -- */

static size_t read_good(const char *path, char *bytes)
{
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(bytes, 1, GOOD_BYTES, f) : 0;
    assert_true(n > 0);
    fclose(f);
    return n;
}

static void write_beginning(const char *path, const char *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

/* Of a MIDI file some music can be left, of a model
 * nothing is. */
TEST(the_beginning_of_a_file_is_no_more_than_that)
{
    char bytes[GOOD_BYTES], path[600];
    size_t n = read_good(model, bytes);
    snprintf(path, sizeof path, "%s/cut.safetensors", folder);
    for (size_t k = 0; k < n; k += 1 + k / 16) {
        write_beginning(path, bytes, k);
        assert_non_null(read_model(path));
    }
    remove(path);
}

/* It has tokens, but not ours. */
TEST(a_tokenizer_that_does_not_fit_is_said)
{
    char path[600], line[800], last[400];
    if (!getenv("CONTINUO_BIN") || !getenv("CONTINUO_HOME"))
        skip();
    snprintf(path, sizeof path, "%s/other.safetensors", folder);
    assert_true(tiny_model_save_vocab(path, 256, 99, 1));
    snprintf(line, sizeof line,
             "continue '%s/models/example.mid' -o out.mid --model '%s'",
             getenv("CONTINUO_HOME"), path);
    assert_int_equal(run_verb(line, last, sizeof last), 1);
    print_message("%s", last);
    assert_non_null(strstr(last, "other.safetensors: "));
}

static int lay_out(void **state)
{
    char path[600];
    if (make_model(state))
        return -1;
    snprintf(path, sizeof path, "%s/continuo", folder);
    setenv("XDG_CONFIG_HOME", folder, 1);
    setenv("XDG_STATE_HOME", folder, 1);
    alarm(PATIENCE_SECONDS); /* who hangs, fails */
    return mkdir(path, 0700);
}

GROUP(lay_out, remove_own_folder)
