/* Stores that an earlier program made open with everything in them. Those in stores/ were
 * written by a program of 2026-11-30 whose tables were of version 4; NAME.txt is what that
 * program said of them when it opened them. Those in stores/5/ hold the same: a later program of
 * that day, whose tables are of version 5, read them and wrote all of it again.
 *
 *   saved.mid  takes, a motif, chords, given tokens, muted heads, gestures of a take that two
 *              played, accepted notes, marks of tracks, taps and settings, saved with the music
 *   killed.mid the same, changed since, unsaved edits, and a recording that was interrupted
 *   lost.mid   takes that did not fit the music when it was opened
 *   state      registers with lyrics and controllers, lines, recent files, takes without a name
 *
 * Doubles have twelve digits, as far as SQLite is exact everywhere when it writes them. An older
 * version lacks the tables that came after it. */
#include "tests/check.h"
#include "tests/app/document/fault_shim.h"
#include "tests/app/kept.h"
#include "tests/app/waiting_takes.h"

#include "app/document/state.h"

#include <errno.h>
#include <inttypes.h>

/* -- what is in a session, as text -- */

static void tell_options(FILE *to, const struct continuation_options *o)
{
    const struct continuation_hole *h = &o->hole;
    const struct continuation_motif *m = &o->motif;
    fprintf(to,
            "  bars %d hole %" PRId64 " %" PRId64 " %d %d notes %d levels %d %d %d %d "
            "close %d\n",
            o->bars, h->from_tick, h->to_tick, h->pitch_lo, h->pitch_hi, h->min_notes,
            h->density, h->polyphony, h->length, h->height, h->close);
    fprintf(to,
            "  style %d tracks %" PRIx64 " polyphony %d guidance %.9g scale %x keep %d "
            "stays %.9g %" PRIu64 "\n",
            o->style, o->tracks, o->max_polyphony, (double)o->guidance, o->scale,
            (int)o->keep, (double)o->stays, o->stays_seed);
    fprintf(to, "  sampling %.9g %d %.9g %.9g %" PRIu64 "\n",
            (double)o->sampling.temperature, o->sampling.top_k,
            (double)o->sampling.top_p, (double)o->sampling.min_p, o->sampling.seed);
    fprintf(to, "  motif %d %" PRId64 " %" PRId64 " %d %d %" PRIx64 "\n", (int)m->kind,
            m->from_tick, m->to_tick, m->pitch_lo, m->pitch_hi, m->tracks);
}

static void tell_take(FILE *to, const struct proposal *t)
{
    const struct continuation_stats *s = &t->stats;
    const struct critic_verdict *v = &s->verdict;
    fprintf(to, "take %c of %s %" PRIx64 " liked %d rank %d came %zu style %d\n",
            t->letter, t->model_name, t->model_hash, t->liking, t->rank, t->n_came,
            (int)t->style);
    tell_options(to, &t->options);
    fprintf(to, "  from %" PRId64 " to %" PRId64 " at %" PRId64 " done %d tokens %d ",
            s->from_tick, s->to_tick, s->at_tick, s->is_done, s->n_tokens);
    fprintf(to, "nats %.12g %.12g masked %.12g\n", s->log_prob, s->own_log_prob,
            s->masked);
    fprintf(to, "  judged %d %.9g %d %d %d %d there %d %" PRId64 " %d\n  given",
            v->is_judged, (double)v->merit, v->n_faults, v->words[0], v->words[1],
            v->words[2], (int)s->motif.kind, s->motif.tick, s->motif.steps);
    for (size_t i = 0; i < t->n_tokens; i++)
        fprintf(to, " %d", t->tokens[i]);
    fprintf(to, "\n  muted");
    for (size_t i = 0; i < t->n_muted; i++)
        fprintf(to, " %d/%d/%d", (int)t->muted[i].kind, t->muted[i].layer,
                t->muted[i].head);
    fprintf(to, "\n  chords");
    for (int i = 0; i < s->n_chords; i++)
        fprintf(to, " %" PRId64 ":%d/%d/%d/%d", s->chords[i].tick, s->chords[i].root,
                s->chords[i].quality, s->chords[i].bass, s->chords[i].flats);
    fprintf(to, "\n  waiting %zu\n", t->n_waiting);
    for (size_t i = 0; i < t->n_ghosts; i++) {
        const struct ghost *g = &t->ghosts[i];
        fprintf(to, "  %d %" PRId64 "+%" PRId64 " %d@%d %.9g%s%s\n", g->track,
                g->note.start, g->note.length, g->note.pitch, g->note.velocity,
                (double)g->probability, g->is_kept ? " kept" : "",
                g->stands ? " stands" : "");
    }
}

static void tell_settings(FILE *to, const struct session *s)
{
    char text[256];
    for (int i = 0; i < steer_n_rows(); i++)
        fprintf(to, "%s %s\n", steer_row(i)->name,
                field_write(steer_row(i), &s->steering, text, sizeof text));
    fprintf(to, "grid %d %d %d snaps %d folds %d\n", s->grid.division,
            (int)s->grid.kind, s->grid.is_free, s->roll.snaps, s->roll.folds);
    groove_format(&s->groove, text);
    fprintf(to, "groove %s\nhumanise %.12g %d\n", text, s->humanise.ms,
            s->humanise.velocity);
    fprintf(to, "loop %" PRId64 " %" PRId64 " %d\n", s->loop.from, s->loop.to,
            s->loop.on);
}

static void tell_score(FILE *to, const struct session *s)
{
    const struct score *score = s->project.score;
    fprintf(to, "unsaved %zu states %" PRIu64 "\n", s->project.found.n_unsaved,
            history_n_states(s->project.history));
    for (size_t i = 0; i < score->n_tracks; i++) {
        const struct track *t = &score->tracks[i];
        fprintf(to, "track");
        for (const char *c = t->name; *c; c++)
            fprintf(to, " %02x", (unsigned char)*c);
        fprintf(to, " marks %d %d %d %d %d: %s\n", t->mute, t->solo, t->arm, t->hide,
                t->colour, note_list(t));
    }
    for (size_t i = 0; i < score->taps.n; i++)
        fprintf(to, "tap %" PRId64 " %d\n", score->taps.list[i].tick,
                (int)score->taps.list[i].kind);
}

static void tell_takes(FILE *to, const struct session *s)
{
    const struct proposal *first = &s->takes.list[0];
    fprintf(to,
            "takes %d letters %d shown %d asked %d once %d from %" PRId64 " to %" PRId64
            " end %" PRId64 " there %zu\n",
            s->takes.n, s->takes.n_letters, s->takes.shown, s->request.asked.bars,
            s->request.n_once, s->request.from, s->request.to, s->request.music_end,
            s->request.rewritten.n_there);
    tell_options(to, &s->request.asked.options);
    for (int i = 0; i < s->takes.n; i++)
        tell_take(to, &s->takes.list[i]);
    fprintf(to, "played %d to %" PRId64 "\n", first->is_played,
            first->is_played ? first->played_to : 0);
    for (size_t i = 0; i < first->n_gestures; i++) {
        const struct recorded_event *e = &first->gestures[i];
        fprintf(to, "  %d %u %" PRId64 " %02x %02x %02x of %d\n", e->track, e->pass,
                e->tick, e->data[0], e->data[1], e->data[2], e->n_data);
    }
}

static void tell_session(FILE *to, const struct session *s)
{
    fprintf(to, "%s\n", s->view.message.text);
    tell_settings(to, s);
    tell_score(to, s);
    if (s->has_take)
        tell_takes(to, s);
}

static void tell_line(void *to, int prompt, const char *text)
{
    fprintf(to, "line %d %s\n", prompt, text);
}

static void tell_state(FILE *to)
{
    char why[STORE_WHY_BYTES];
    struct registers r = {0};
    struct recent recent;
    if (!registers_recall(&r, why))
        fail_msg("%s", why);
    fprintf(to, "last %d\n", r.last);
    for (int i = 0; i < N_REGISTERS; i++) {
        const struct clipboard *p = &r.at[i];
        if (p->n)
            fprintf(to, "register %d: %d a quarter, span %" PRId64 " at %d\n", i,
                    p->ticks_per_quarter, p->span, p->at_track);
        for (size_t k = 0; k < p->n; k++) {
            const struct clipboard_note *n = &p->notes[k];
            fprintf(to, "  %" PRId64 "+%" PRId64 " %d %d@%d-%d", n->offset, n->length,
                    n->track, n->pitch, n->velocity, n->off_velocity);
            for (int b = 0; b < n->n_lyric; b++)
                fprintf(to, " %02x", n->lyric[b]);
            putc('\n', to);
        }
        for (size_t k = 0; k < p->n_points; k++)
            fprintf(to, "  %" PRId64 " %d %d %d %d\n", p->points[k].offset,
                    p->points[k].track, p->points[k].kind, p->points[k].number,
                    p->points[k].value);
    }
    registers_fini(&r);
    lines_recall(tell_line, to);
    recent_read(&recent);
    for (int i = 0; i < recent.n; i++)
        fprintf(to, "recent %s\n", strrchr(recent.paths[i], '/'));
    recent_forget(&recent);
}
/* -- tests -- */

static void copy_here(const char *from, const char *to)
{
    char path[300], bytes[1 << 14];
    snprintf(path, sizeof path, "tests/app/document/stores/%s", from);
    FILE *in = fopen(path, "rb"), *out = fopen(in_folder(to), "wb");
    assert_true(in && out);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, in));)
        assert_int_equal(fwrite(bytes, 1, n, out), n);
    assert_true(!fclose(in) && !fclose(out));
}

static void assert_same_text(const char *text, const char *name)
{
    size_t n;
    copy_here(name, "wanted.txt");
    auto_free char *wanted = get_bytes("wanted.txt", &n);
    for (size_t i = 0; text[i] || i < n; i++)
        if (text[i] != wanted[i]) {
            while (i && text[i - 1] != '\n')
                i--;
            fail_msg("%s: \"%.*s\", not \"%.*s\"", name, (int)strcspn(text + i, "\n"),
                     text + i, (int)strcspn(wanted + i, "\n"), wanted + i);
        }
}

/* That the piece is as the old program saw it, and again as this one has written it. */
static void assert_opens(struct session *s, const char *mid, const char *txt)
{
    for (int i = 0; i < 2; i++) {
        char *text = NULL;
        size_t n;
        keys(s, "‹leave›");
        open_kept(s, mid);
        FILE *to = open_memstream(&text, &n);
        tell_session(to, s);
        fclose(to);
        assert_same_text(text, txt);
        free(text);
        if (!strcmp(mid, "killed.mid"))
            return; /* the recording is an edit now */
    }
}

static void bring(const char *version, const char *name)
{
    copy_here(formatted("%s.mid", name), formatted("%s.mid", name));
    copy_here(formatted("%s%s.mid.continuo", version, name),
              formatted("%s.mid.continuo", name));
}

static const char *const VERSIONS[] = {"", "5/"};
enum { N_VERSIONS = sizeof VERSIONS / sizeof VERSIONS[0] };

TEST_WITH(what_was_saved_is_there, empty_session)
{
    for (int i = 0; i < N_VERSIONS; i++) {
        keys(s, "‹leave›");
        bring(VERSIONS[i], "saved");
        assert_opens(s, "saved.mid", "saved.txt");
    }
}

TEST_WITH(what_was_not_saved_is_there, empty_session)
{
    for (int i = 0; i < N_VERSIONS; i++) {
        keys(s, "‹leave›");
        bring(VERSIONS[i], "killed");
        assert_opens(s, "killed.mid", "killed.txt");
    }
}

/* The music that they fit is another program's now. */
TEST_WITH(what_was_left_out_is_there, empty_session)
{
    for (int i = 0; i < N_VERSIONS; i++) {
        keys(s, "‹leave›");
        bring(VERSIONS[i], "lost");
        copy_here("saved.mid", "lost.mid");
        assert_opens(s, "lost.mid", "lost.txt");
    }
}

static void assert_state_is_there(void)
{
    char *text = NULL;
    size_t n;
    FILE *to = open_memstream(&text, &n);
    tell_state(to);
    fclose(to);
    assert_same_text(text, "state.txt");
    free(text);
}

static void assert_state(struct session *s, const char *db)
{
    keys(s, "‹leave›");
    copy_here(db, "continuo/continuo.db");
    assert_opens(s, "unnamed", "unnamed.txt");
    for (int i = 0; i < 2; i++)
        assert_state_is_there();
}

TEST_WITH(what_is_of_no_piece_is_there, empty_session)
{
    assert_state(s, "continuo.db");
}

TEST_WITH(what_is_of_no_piece_is_there_now, empty_session)
{
    assert_state(s, "5/continuo.db");
}

/* While another program writes, a copy is read; nothing is lost by that. */
TEST(a_state_store_that_is_busy_is_read)
{
    sqlite3 *other;
    copy_here("5/continuo.db", "continuo/continuo.db");
    assert_ok(sqlite3_open(in_folder("continuo/continuo.db"), &other));
    assert_ok(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL));
    assert_state_is_there();
    assert_ok(sqlite3_close(other));
    assert_state_is_there();
}

/* Gestures stood with the request before takes had their own. A store that has them with a take that
 * nobody played is damaged: they are not read. */
TEST_WITH(gestures_of_a_take_that_was_not_played_are_left_out, empty_session)
{
    bring("5/", "saved");
    spoil(
        "saved.mid.continuo",
        "UPDATE session SET data = json_set(data, '$.gestures', (SELECT "
        "json_extract(data, '$.gestures') FROM session WHERE part = 'request')) WHERE "
        "part = 'A'; UPDATE session SET data = json_remove(data, '$.gestures', "
        "'$.played_to') WHERE part = 'request'");
    play(s, "‹open saved.mid›", "takes 4; no error", NULL);
    assert_int_equal(s->takes.list[0].n_gestures, 0);
}

/* When the program began, the disk was full, say, so that it stayed as it was. */
TEST(what_is_written_first_brings_the_state_store_up)
{
    for (int i = 0; i < 2; i++) {
        if (!i)
            copy_here("continuo.db", "continuo/continuo.db");
        char why[STORE_WHY_BYTES];
        struct store *s = store_of_state();
        assert_non_null(s);
        assert_ok(store_open(s, true, why));
        assert_ok(store_exec(s, "INSERT OR REPLACE INTO clipboard VALUES(9, '{}')"));
        store_close(s, false);
    }
}

/* Without the tables that came later. */
TEST_WITH(older_versions_open_too, empty_session)
{
    static const char *const OLDER[] = {
        "DROP TABLE register_lyric; PRAGMA user_version = 3",
        "DROP TABLE take_chord; PRAGMA user_version = 2",
        "DROP TABLE motif; PRAGMA user_version = 1",
    };
    for (int version = 3; version > 0; version--) {
        keys(s, "‹leave›");
        bring("", "saved");
        for (int i = 0; i <= 3 - version; i++)
            spoil("saved.mid.continuo", OLDER[i]);
        play(s, "‹open saved.mid›", "n 17; takes 4; density 2; loop_from 2q; no error",
             "17 notes, and 4 takes wait: T shows them");
    }
}

/* As after a kill, or on a full disk: from some write on, none of them is done. */
TEST_WITH(a_move_that_breaks_off_loses_nothing, empty_session)
{
    bool happened = true;
    for (long at = 0, n = 0; happened; at += 1 + at / 8, n++) {
        const struct fault full = {.kind = FAULT_WRITE,
                                   .at = at,
                                   .error = ENOSPC,
                                   .goes_on = true,
                                   .where = "saved.mid.continuo"};
        keys(s, "‹leave›");
        unlink(in_folder("saved.mid.continuo-wal"));
        bring("", "saved");
        fault_arm(&full);
        keys(s, "‹open saved.mid›‹leave›");
        happened = fault_happened();
        fault_arm(NULL);
        assert_true(happened || n > 9);
        assert_opens(s, "saved.mid", "saved.txt");
    }
}

static int prepare(void **state)
{
    fault_vfs_install();
    return make_model(state);
}

GROUP(prepare, remove_own_folder)
