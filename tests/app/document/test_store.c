/* A store that is not whole, not ours or of another version is refused with a phrase, and
 * nothing in it runs; one of an older version becomes one of ours; what is kept comes back
 * to the bit; and it can be told what is in it. */
#include "tests/check.h"
#include "tests/app/kept.h"
#include "tests/app/program_home.h"

/* Three notes and a density, beside "a.mid". */
static void make_store(struct session *s)
{
    keys(s, "‹leave›‹sh rm -f a.mid a.mid.continuo a.mid.continuo.1›"
            "‹saved3 a.mid›:density 2\r:w\r‹leave›");
}

static int open_store(char why[STORE_WHY_BYTES])
{
    struct store *s;
    int st = store_lock(&s, in_folder("a.mid.continuo"), why);
    if (st)
        return st;
    st = store_open(s, false, why);
    store_close(s, false);
    return st;
}

TEST_WITH(hostile_stores_are_refused, empty_session)
{
    static const char *const BAD[][2] = {
        {"CREATE TRIGGER t AFTER INSERT ON edit BEGIN DELETE FROM edit; END", "tables"},
        {"CREATE VIEW v AS SELECT * FROM edit", "tables"},
        {"CREATE TABLE more(x)", "tables"},
        {"DROP TABLE save; CREATE VIEW save AS SELECT 1 AS n", "tables"},
        {"CREATE INDEX i ON edit(abs(time))", "tables"},
        {"CREATE VIRTUAL TABLE f USING fts5(x)", "tables"},
        {"PRAGMA application_id = 7", "not a store of continuo"},
        {"PRAGMA user_version = 9", "newer version"},
        {"PRAGMA writable_schema = 1;"
         "UPDATE sqlite_schema SET sql = sql || ' ' WHERE name = 'edit'",
         "tables"},
    };
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        char why[STORE_WHY_BYTES] = "";
        make_store(s);
        spoil("a.mid.continuo", BAD[i][0]);
        int st = open_store(why);
        if (st != STORE_DAMAGED || !strstr(why, BAD[i][1]))
            fail_msg("%s: %d, %s", BAD[i][0], (int)st, why);
        play(s, "‹open a.mid›", "error", "~a.mid.continuo.1"); /* out of the way */
    }
}

/* A value of what was saved. */
#define SET(name, value)                                                               \
    "UPDATE session SET data = json_set(data, '$." name "', " value                    \
    ") WHERE part = 'session'"
#define RECORDING "INSERT INTO session VALUES(3, '000000000000', "
/* 27 waiting takes, of those names. */
#define TAKES(name)                                                                    \
    "INSERT INTO session VALUES(1, 'request', '{\"ticks_per_quarter\":96,"             \
    "\"letters\":26,\"bars_asked\":1,\"bars\":1}');"                                   \
    "WITH n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 27) "             \
    "INSERT INTO session SELECT 1, " name ", '{\"bars\":1}' FROM n"

TEST_WITH(rows_that_cannot_be_right_are_refused, empty_session)
{
    static const char *const BAD[] = {
        "UPDATE session SET data = '{' WHERE part = 'session'",
        "UPDATE session SET data = json_set(data, '$.list[0][1]', 'much') "
        "WHERE part = 'steering'",
        "UPDATE session SET data = json_set(data, '$.list[0][1]', printf('%5000s', "
        "'2')) "
        "WHERE part = 'steering'",
        SET("loop_from", "9") "; " SET("loop_to", "3"),
        SET("grid_division", "3"),
        SET("strength", "900"),
        SET("strength", "'9'"),
        SET("taps", "json('[[-1,0]]')"),
        SET("taps", "json('[[0,2]]')"),
        SET("marks", "json('[[0,\"00000000\",0,0,0,0,0]]')"),
        SET("marks", "json('[[3,\"61\",0,0,0,0,1],[3,\"61\",0,0,0,0,1]]')"),
        SET("marks", "json('[[3,\"61\",2,0,0,0,0]]')"),
        RECORDING "'{\"loop_from\":9,\"loop_to\":5}')",
        RECORDING "'{\"mode\":4}')",
        TAKES("'A' || char(0, i)"), /* GLOB ends at the zero */
        "UPDATE piece SET state = 99",
        "UPDATE edit SET parent = 3 WHERE id = 2",
        "UPDATE edit SET id = 17 WHERE id = 2",
        "UPDATE edit SET change = x'' WHERE id = 2",
        "DELETE FROM base",
        "PRAGMA writable_schema = 1;"
        "UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'edit'",
    };
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        make_store(s);
        spoil("a.mid.continuo", BAD[i]);
        play(s, "‹open a.mid›", "n 3", NULL); /* as it was saved */
        if (s->project.found.kind != RECOVERY_DAMAGED)
            fail_msg("%s: taken", BAD[i]);
    }
}

/* Where nothing is read that is damaged, it is found all the same, and nothing is lost. */
TEST_WITH(damage_is_found_behind_what_is_read, empty_session)
{
    make_store(s);
    spoil("a.mid.continuo", "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET "
                            "rootpage = 2 WHERE name = 'clipboard'");
    keys(s, "‹open a.mid›‹draw 1›");
    writer_wait(s->project.autosave.writer, 10000);
    session_tick(s);
    assert_said(s, "written again");
    play(s, "‹sh test -e a.mid.continuo.1›‹settle›‹open a.mid›", "n 4; density 2",
         NULL);
}

/* Cut short anywhere, or with any byte another: refused, or what is read is a piece. */
TEST_WITH(damaged_bytes_do_no_harm, empty_session)
{
    size_t n;
    make_store(s);
    auto_free uint8_t *bytes = get_bytes("a.mid.continuo", &n);
    for (size_t k = 0; k < n; k += n / 97 + 1) {
        uint8_t was = bytes[k];
        char why[STORE_WHY_BYTES];
        put_bytes("a.mid.continuo", bytes, k);
        open_store(why);
        bytes[k] ^= 0x5a;
        put_bytes("a.mid.continuo", bytes, n);
        bytes[k] = was;
        play(s, "‹open a.mid›", "n 0..3", NULL);
        keys(s, "‹leave›‹sh rm -f a.mid.continuo.1›");
    }
}

TEST(an_older_version_is_brought_up)
{
#define FIRST "\n-- version 1\nCREATE TABLE a(x); PRAGMA user_version = 1;\n"
    static const char OLD[] = FIRST;
    static const char NEW[] = FIRST "\n-- version 2\nALTER TABLE a ADD COLUMN y "
                                    "DEFAULT 7; PRAGMA user_version = 2;\n";
    static const char BAD[] =
        FIRST "\n-- version 2\nALTER TABLE a ADD COLUMN y; PRAGMA user_version = 2;\n"
              "\n-- version 3\nnonsense;\n";
    sqlite3 *db;
    assert_ok(sqlite3_open(":memory:", &db));
    assert_ok(store_migrate(db, OLD, STORE_NEWEST));
    assert_ok(sqlite3_exec(db, "INSERT INTO a VALUES(1)", NULL, NULL, NULL));
    /* What fails leaves it as it was. */
    assert_int_not_equal(store_migrate(db, BAD, STORE_NEWEST), SQLITE_OK);
    assert_ok(store_migrate(db, NEW, STORE_NEWEST));
    assert_ok(store_migrate(db, NEW, STORE_NEWEST));
    assert_ok(sqlite3_exec(db, "INSERT INTO a(x) SELECT y FROM a WHERE y = 7", NULL,
                           NULL, NULL));
    assert_int_equal(sqlite3_changes(db), 1);
    sqlite3_close(db);
}

TEST_WITH(it_is_told_what_is_in_it, empty_session)
{
    make_store(s);
    keys(s, "‹open a.mid›‹draw 1›‹settle›"); /* also while it is open */
    assert_done("info a.mid.continuo");
    assert_says("4 edits");
    assert_says("density");
    assert_done("info --json a.mid.continuo");
    assert_says("\"edits\":\t4");
    assert_says("density");
    keys(s, "‹leave›"); /* whatever is set in it */
    spoil("a.mid.continuo", "UPDATE session SET data = '{\"list\":[[\"x\",null],[null,"
                            "\"y\"],3,[\"z\",4]]}' WHERE part = 'steering'");
    assert_done("info a.mid.continuo");
    assert_says("  z 4\n");
}

GROUP(make_own_folder, remove_own_folder)
