/* How much memory a file may cost: at most a multiple of its own size, and a little,
 * whatever its headers claim. Files of a few bytes that claim the most they can, and files
 * whose every byte costs as much as it can; each reader has its multiple, which the README
 * promises. */
#include "tests/check.h"
#include "app/settings/config.h"
#include "app/inspection/head_names.h"
#include "app/document/store_session.h"
#include "app/document/store_history.h"
#include "midi/smf/smf.h"
#include "tests/app/own_folder.h"
#include "tests/app/cli/peak_memory.h"
#include "tests/memory_file.h"

#include <endian.h>

enum { DENSE_BYTES = 1 << 18, LITTLE = 4 << 20 };

/* Times a file's size. Of JSON it is cJSON's 64 bytes and malloc's 16 for "1,". */
enum { OF_MIDI = 32, OF_JSON = 48, OF_TEXT = 2 };

struct bytes {
    char *at;
    size_t n;
};

static void add(struct bytes *b, const void *bytes, size_t n)
{
    assert_true(b->n + n <= DENSE_BYTES + 4096);
    memcpy(b->at + b->n, bytes, n);
    b->n += n;
}

static void add_text(struct bytes *b, const char *text)
{
    add(b, text, strlen(text));
}

static void repeat(struct bytes *b, const void *bytes, size_t n)
{
    while (b->n + n < DENSE_BYTES)
        add(b, bytes, n);
}

/* -- files -- */

/* MThd of format 1 that claims so many tracks, and one that claims so many bytes. */
static void add_midi(struct bytes *b, uint16_t n_tracks, uint32_t n_bytes)
{
    char head[22];
    memcpy(head, "MThd\0\0\0\6\0\1\0\0\1\xE0MTrk", 18);
    memcpy(head + 10, &(uint16_t){htobe16(n_tracks)}, 2);
    memcpy(head + 18, &(uint32_t){htobe32(n_bytes)}, 4);
    add(b, head, sizeof head);
}

/* A header that claims so many bytes, and how it begins; blanks up to so many. */
static void begin_header(struct bytes *b, uint64_t n, const char *text)
{
    add(b, &n, sizeof n);
    add_text(b, text);
}

static void end_header(struct bytes *b)
{
    memset(b->at + b->n, ' ', 8 + DENSE_BYTES - b->n);
    b->n = 8 + DENSE_BYTES;
}

static void model_of_tensors(struct bytes *b)
{
    begin_header(b, DENSE_BYTES, "{");
    for (int i = 0; b->n + 128 < DENSE_BYTES; i++)
        add_text(b, formatted("\"%d\":{\"dtype\":\"F32\",\"shape\":[0],"
                              "\"data_offsets\":[0,0]},",
                              i));
    add_text(b, "\"x\":{}}");
    end_header(b);
}

static void model_of_numbers(struct bytes *b)
{
    begin_header(b, DENSE_BYTES, "{\"x\":{\"dtype\":\"F32\",\"shape\":[");
    while (b->n < DENSE_BYTES)
        add_text(b, "1,");
    add_text(b, "1]}}");
    end_header(b);
}

/* -- stores: what is in b is the path, and its size is the file's -- */

static struct store *new_store(struct bytes *b)
{
    char why[STORE_WHY_BYTES];
    struct store *s;
    strcpy(b->at, in_folder("x.mid.continuo"));
    unlink(b->at);
    assert_ok(store_lock(&s, b->at, why));
    assert_ok(store_open(s, true, why));
    assert_ok(store_exec(s, "BEGIN"));
    return s;
}

static void end_store(struct bytes *b, struct store *s)
{
    struct stat st;
    assert_ok(store_exec(s, "COMMIT"));
    store_close(s, false);
    assert_ok(stat(b->at, &st));
    b->n = (size_t)st.st_size;
}

/* Changes that change nothing, each from the state before. */
static void put_states(struct store *s, uint64_t n)
{
    struct bytes_out out = {0};
    struct change *c = change_create("");
    assert_non_null(c);
    change_write(c, &out);
    change_destroy(c);
    for (uint64_t i = 1; i <= n; i++)
        assert_ok(store_do(s, sqlite3_mprintf(HISTORY_EDIT, i, i - 1, INT64_C(0), ""),
                           out.bytes, out.n));
    free(out.bytes);
}

static void store_of_notes(struct bytes *b)
{
    add_midi(b, 1, DENSE_BYTES);
    add(b, "\0\x90", 2);
    repeat(b, "\x3C\x40\0\x3C\0\1", 6);
    size_t n = b->n;
    auto_free char *music = malloc(n);
    memcpy(music, b->at, n);
    struct store *s = new_store(b);
    assert_ok(store_do(s, sqlite3_mprintf(HISTORY_BASE, true), music, n));
    put_states(s, 1);
    end_store(b, s);
}

static void store_of_states(struct bytes *b)
{
    struct store *s = new_store(b);
    assert_ok(store_do(s, sqlite3_mprintf(HISTORY_BASE, true), NULL, 0));
    put_states(s, 10000);
    end_store(b, s);
}

/* The shortest texts that cost the most. */
static void store_of_a_recording(struct bytes *b)
{
    struct store *s = new_store(b);
    assert_ok(store_exec(
        s, "WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c "
           "WHERE i < 20000) INSERT INTO session SELECT 3, '0', "
           "json_object('notes', json_group_array(json('[0,0,0,0,0,0,1,0]'))) FROM c"));
    end_store(b, s);
}

static void store_of_marks(struct bytes *b)
{
    struct store *s = new_store(b);
    assert_ok(
        store_exec(s, "WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c "
                      "WHERE i < 20000) INSERT INTO session SELECT 1, 'session', "
                      "json_object('marks', json_group_array("
                      "json('[0,\"\",0,0,0,0,0]')), 'swing', 50) FROM c"));
    end_store(b, s);
}

/* -- readers -- */

static void read_midi(const struct bytes *b)
{
    struct score *s;
    struct smf_report report;
    const char *path = memory_file_with("x.continuo", b->at, b->n);
    if (!smf_load(&s, path, &report))
        score_destroy(s);
}

static void read_model(const struct bytes *b)
{
    struct model *m;
    char detail[96];
    if (!model_open(&m, memory_file_with("x.continuo", b->at, b->n), detail,
                    sizeof detail))
        model_close(m);
}

static void read_head_names(const struct bytes *b)
{
    struct head_names names;
    head_names_read(&names, memory_file_with("x.continuo", b->at, b->n));
    head_names_fini(&names);
}

static void read_config(const struct bytes *b)
{
    static struct config c;
    config_init(&c);
    config_read_bytes(&c, "x", b->at, b->n);
    config_fini(&c);
}

/* It refuses the file by its size. */
static void read_large_config(const struct bytes *b)
{
    static struct config c;
    assert_ok(live_in_folder() || mkdir("continuo", 0700));
    put_bytes("continuo/continuo.conf", b->at, b->n);
    assert_ok(truncate("continuo/continuo.conf", 64 << 20));
    config_init(&c);
    config_read(&c);
    assert_int_equal(c.n_errors, 1);
    config_fini(&c);
}

/* As opening a piece does. */
static void read_store(const struct bytes *b)
{
    char why[STORE_WHY_BYTES];
    struct store *s = NULL;
    struct kept_history h;
    struct kept_session session;
    struct score *score;
    assert_ok(store_lock(&s, b->at, why));
    assert_ok(store_open(s, false, why));
    store_read_history(&h, s);
    if (h.base && kept_history_replay(&h, &score, NULL) == STORE_OK)
        score_destroy(score);
    kept_history_fini(&h);
    kept_session_read(&session, s);
    kept_session_fini(&session);
    store_close(s, false);
}

/* What a file is made of: `write`, or a header of MIDI (its tracks, and the bytes that it claims)
 * or of nothing, the beginning, what is repeated, and the end. */
#define BYTES(text)                                                                    \
    {                                                                                  \
        text, sizeof(text) - 1                                                         \
    }

static const struct costly {
    const char *name;
    void (*read)(const struct bytes *b);
    size_t multiple;
    void (*write)(struct bytes *b);
    uint16_t n_tracks;
    uint32_t claims;
    struct part {
        const char *at;
        size_t n;
    } first, repeated, last;
} COSTLY[] = {
    {"MIDI that claims", read_midi, OF_MIDI, NULL, 0xFFFF, UINT32_MAX,
     BYTES("\0\xF0\xFF\xFF\xFF\x7F")}, /* a sysex of 256 MB */
    /* Running status: two notes in five bytes. */
    {"MIDI of notes", read_midi, OF_MIDI, NULL, 1, DENSE_BYTES, BYTES("\0\x90"),
     BYTES("\x3C\x40\0\x3C\0\1")},
    {"MIDI of texts", read_midi, OF_MIDI, NULL, 1, DENSE_BYTES, BYTES(""),
     BYTES("\0\xFF\1\0")},
    /* Each track costs more than the eight bytes that begin it. */
    {"MIDI of tracks", read_midi, OF_MIDI, NULL, 0xFFFF, 4, BYTES("\0\xFF\x2F\0"),
     BYTES("MTrk\0\0\0\4\0\xFF\x2F\0")},
    {"model that claims", read_model, OF_JSON, NULL, 0, 0,
     BYTES("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F{}")},
    {"model of tensors", read_model, OF_JSON, model_of_tensors},
    {"model of numbers", read_model, OF_JSON, model_of_numbers},
    {"head names that claim", read_head_names, OF_JSON, NULL, 0, 0,
     BYTES("{\"model\":{\"hash\":\"0123456789abcdef\",\"layers\":256,\"heads\":256}}")},
    {"head names of arrays", read_head_names, OF_JSON, NULL, 0, 0,
     BYTES("{\"continuo\":1,\"takes\":{\"replaced\":["), BYTES("[],"), BYTES("[]]}}")},
    {"configuration of keys", read_config, OF_TEXT, NULL, 0, 0, BYTES("[keys]\n"),
     BYTES("undo=U\n")},
    {"configuration too large", read_large_config, OF_TEXT, NULL, 0, 0,
     BYTES("[keys]\n")},
    {"store of notes", read_store, OF_MIDI, store_of_notes},
    {"store of states", read_store, OF_MIDI, store_of_states},
    {"store of a recording", read_store, OF_MIDI, store_of_a_recording},
    {"store of marks", read_store, OF_MIDI, store_of_marks},
};

static void write_costly(struct bytes *b, const struct costly *c)
{
    if (c->n_tracks)
        add_midi(b, c->n_tracks, c->claims);
    add(b, c->first.at, c->first.n);
    if (c->repeated.n)
        repeat(b, c->repeated.at, c->repeated.n);
    add(b, c->last.at, c->last.n);
}

TEST(no_file_costs_more_than_its_multiple)
{
    if (!PEAK_IS_COUNTED)
        skip();
    struct bytes b = {malloc(DENSE_BYTES + 8192), 0};
    assert_non_null(b.at);
    for (size_t i = 0; i < sizeof COSTLY / sizeof *COSTLY; i++) {
        b.n = 0;
        if (COSTLY[i].write)
            COSTLY[i].write(&b);
        else
            write_costly(&b, &COSTLY[i]);
        size_t before = peak_now;
        peak_begin();
        COSTLY[i].read(&b);
        size_t cost = peak_since(before);
        print_message("%s: %zu bytes cost %zu (x %.1f)\n", COSTLY[i].name, b.n, cost,
                      (double)cost / (double)b.n);
        assert_true(cost <= COSTLY[i].multiple * b.n + LITTLE);
    }
    free(b.at);
}

GROUP(make_own_folder, remove_own_folder)
