/* The real program, run as a script would: `continue` and `inpaint` write what was asked for,
 * and nothing else is another than it was. */
#include "tests/check.h"
#include "midi/score/chord.h"
#include "tests/app/cli/cli_home.h"

TOLD(test_a_guessed_scale_is_a_scale) = {
    {"continue --draws 1 in.mid -o guessed.mid --seed 7 --scale guess"},
    {"continue --draws 1 in.mid -o said.mid --seed 7 --scale C"},
    {"continue --draws 1 in.mid -o free.mid --seed 7"},
    {"$cmp guessed.mid said.mid && ! cmp guessed.mid free.mid"},
};

static bool holds(const struct track *t, const struct note *n, int64_t later)
{
    for (size_t i = 0; i < t->n_notes; i++)
        if (t->notes[i].start == n->start + later && t->notes[i].length == n->length &&
            t->notes[i].pitch == n->pitch && t->notes[i].velocity == n->velocity)
            return true;
    return false;
}

/* Where notes may go and come. */
struct changes {
    int from, to; /* quarters */
    int low;
    unsigned tracks;
};

static bool lies_in(const struct changes *h, int track, const struct note *n)
{
    return n->start >= h->from * QUARTER && n->start + n->length <= h->to * QUARTER &&
           n->pitch >= h->low && h->tracks >> track & 1;
}

/* What there was is there, so many bars later, and what is new is in the hole. Returns how much
 * that is. */
static size_t count_new(const struct score *in, const struct score *out, int bars,
                        struct changes h)
{
    static const struct track NONE;
    const int64_t later = (int64_t)bars * 4 * QUARTER;
    size_t n_new = 0;
    for (int t = 0; t < (int)out->n_tracks; t++) {
        const struct track *now = &out->tracks[t],
                           *before = t < (int)in->n_tracks ? &in->tracks[t] : &NONE;
        for (size_t i = 0; i < before->n_notes; i++)
            assert_true(holds(now, &before->notes[i], later) ||
                        lies_in(&h, t, &before->notes[i]));
        for (size_t i = 0; i < now->n_notes; i++) {
            const bool is_new = !holds(before, &now->notes[i], -later);
            assert_true(!is_new || lies_in(&h, t, &now->notes[i]));
            n_new += is_new;
        }
    }
    return n_new;
}

TEST(test_output_begins_with_input)
{
    assert_done("continue --draws 1 in.mid -o out.mid --bars 2");
    auto_score *in = load_score("in.mid"), *out = load_score("out.mid");
    assert_true(count_new(in, out, 0, (struct changes){8, 16, 0, 3}) > 0);
}

/* Beats 2 to 4 of the first bar, from C4 up, on the first track. */
TEST(test_inpaint_changes_only_the_hole)
{
    const char *hole = "--from 1:2 --to 2 --pitch C4-127 --tracks 1 --min-notes 2 "
                       "--density 1 --register 70 --note-length 0.5 --voices 1";
    assert_done(
        formatted("inpaint --draws 1 in.mid -o hole.mid --model tiny %s", hole));
    auto_score *in = load_score("in.mid"), *out = load_score("hole.mid");
    assert_int_equal(in->n_tracks, out->n_tracks);
    assert_true(count_new(in, out, 0, (struct changes){1, 4, 60, 1}) > 0);
    size_t n_written = 0; /* in the hole, as the verb says, in the place of three */
    assert_int_equal(sscanf(strstr(said, ".mid: "), ".mid: %zu", &n_written), 1);
    assert_int_equal(out->tracks[0].n_notes, in->tracks[0].n_notes - 3 + n_written);
}

TOLD(test_holes_are_said_rightly) = {
    {"inpaint in.mid -o x.mid --from 2 --to 2", 2},
    {"inpaint in.mid -o x.mid --from 0 --to 2", 2},
    {"inpaint in.mid -o x.mid --from 1 --to 2 --pitch H4", 2},
    {"inpaint in.mid -o x.mid --from 1 --to 2 --pitch 70-60", 2},
    {"inpaint in.mid -o x.mid --from 1 --to 2 --tracks 1,", 2},
    {"inpaint in.mid -o x.mid --lead-in 1 --from 2", 2},
    {"continue in.mid -o x.mid --model tiny --close=on", 2},
    {"continue in.mid -o x.mid --harmony \"C H\"", 2},
    {"continue in.mid -o x.mid --without plan,all", 2},
    {"inpaint in.mid -o x.mid --to 2", 2, "must be a bar"},
    {"inpaint in.mid -o x.mid --model tiny --from 1 --to 2 --tracks 1,9", 1,
     "names a track that the piece does not have"},
    {"inpaint in.mid -o x.mid --model tiny --from 1 --to 1:1.01", 1,
     "in.mid: that hole has no room"},
};

/* The first bar of the second track, later by the bars that it says. */
TEST(test_a_motif_returns)
{
    int bar = 0, beat = 0;
    assert_done("continue --draws 1 in.mid -o back.mid --model tiny --bars 3 --motif 1 "
                "--motif-track 2");
    assert_int_equal(sscanf(strstr(said, "motif in bar "), "motif in bar %d", &bar), 1);
    assert_in_range(bar, 3, 5);
    auto_score *in = load_score("in.mid"), *out = load_score("back.mid");
    for (; beat < 4; beat++) {
        assert_true(holds(&out->tracks[1], &in->tracks[1].notes[beat],
                          (int64_t)(bar - 1) * 4 * QUARTER));
    }
}

TOLD(test_motifs_are_said_rightly) = {
    {"continue --draws 1 in.mid -o back.mid --force --model tiny --bars 3 --json "
     "--motif 1-2:varied",
     0, "\"varied\""},
    {"continue in.mid -o x.mid --motif 0", 2},
    {"continue in.mid -o x.mid --motif 2-1", 2},
    {"continue in.mid -o x.mid --motif 1-", 2},
    {"continue in.mid -o x.mid --motif 1:off", 2},
    {"continue in.mid -o x.mid --motif 1:backwards", 2, "1-2:transposed"},
    {"continue in.mid -o x.mid --model tiny --bars 1 --motif 1-2", 1,
     "in.mid: the motif does not fit into those bars"},
};

/* Before the music, and beside it: what there was is there, later or not. */
TEST(test_room_is_made)
{
    assert_done("inpaint --draws 1 in.mid -o front.mid --model tiny --lead-in 2");
    assert_done("inpaint --draws 1 in.mid -o wide.mid --model tiny --from 1 --to 2 "
                "--new-tracks 2");
    auto_score *in = load_score("in.mid"), *front = load_score("front.mid"),
               *wide = load_score("wide.mid");
    assert_int_equal(wide->n_tracks, in->n_tracks + 2);
    count_new(in, wide, 0, (struct changes){0, 4, 0, 12});
    count_new(in, front, 2, (struct changes){0, 8, 0, 3});
}

/* Of a melody, over its chords; what there was is there. */
TEST(test_a_band_is_added)
{
    assert_done("accompany --draws 1 in.mid -o band.mid --model tiny --min-notes 1 "
                "--with \"bass, jazz drums and electric piano\"");
    auto_score *in = load_score("in.mid"), *out = load_score("band.mid");
    assert_int_equal(out->n_tracks, in->n_tracks + 3);
    count_new(in, out, 0, (struct changes){0, 8, 0, 28});
    const struct track *bass = &out->tracks[in->n_tracks], *drums = bass + 1,
                       *piano = bass + 2;
    assert_string_equal(bass->name, "Acoustic Bass");
    assert_true(bass->program == 32 && drums->program == 32 && piano->program == 4);
    assert_int_equal(drums->channel, 9);
    assert_true(bass->n_notes && drums->n_notes && piano->n_notes);
    for (size_t i = 0; i < bass->n_notes; i++)
        assert_in_range(bass->notes[i].pitch, 28, 52);
}

TOLD(test_music_off_its_grid_is_noticed) = {
    {"continue --draws 1 loose.mid -o out.mid --force --model tiny --bars 1", 0,
     "loose.mid: warning: the notes do not lie on the grid"},
    {"accompany --draws 1 loose.mid -o out.mid --force --model tiny --with bass", 0,
     "do not lie on the grid"},
    {"continue --draws 1 in.mid -o out.mid --force --model tiny --bars 1", 0, "-grid"},
};

TOLD(test_what_no_band_is_is_said) = {
    {"accompany in.mid -o x.mid --model tiny --with qqzx", 2},
    {"accompany in.mid -o x.mid --model tiny --with \"\"", 2},
    {"accompany in.mid -o x.mid --takes 2", 2},
    {"info x.mid", 1},
};

/* More than a request can name: nothing else is written on in their stead. */
TOLD(test_too_many_tracks_are_refused) = {
    {"inpaint --draws 1 many.mid -o x.mid --model tiny --from 1 --to 2 --new-tracks 1"},
    {"inpaint many.mid -o y.mid --model tiny --from 1 --to 2 --new-tracks 2", 1,
     "many.mid: would have more than 64 tracks"},
    {"info y.mid", 1},
};

/* The tiny model's context holds few bars. */
TEST(test_bars_that_were_not_read_are_told)
{
    save_score("long.mid", score_of("96 | long: (60q 61 62 63 64)*80"));
    assert_done("continue --draws 1 long.mid -o read.mid --model tiny --bars 1");
    const char *told = strstr(said, "the model read ");
    assert_non_null(told);
    const int n = atoi(told + strlen("the model read "));
    assert_in_range(n, 1, 99);
    assert_says("of 100 bars");
    assert_done("continue --draws 1 long.mid -o read.mid --force --model tiny --bars 1 "
                "--density 3");
    assert_says("of 100 bars");
    assert_done("continue --draws 1 in.mid -o read.mid --force --model tiny --bars 1");
    assert_null(strstr(said, "the model read"));
}

TOLD(test_takes_are_numbered) = {
    {"continue in.mid -o take.mid --takes 3 --draws 3 --seed 4 --bars 1"},
    {"continue in.mid -o lone.mid --draws 1 --seed 6 --bars 1"},
    {"$! cmp take-1.mid take-2.mid && cmp take-3.mid lone.mid && ! ls take.mid"},
};

/* Over four bars, the two symbols twice; the file has them, too. */
TEST(test_harmony_is_written_and_followed)
{
    assert_done("continue --draws 1 in.mid -o sung.mid --model tiny --bars 4 --harmony "
                "\"Bb F7\" "
                "--json");
    auto_json *j = cJSON_Parse(said);
    assert_string_equal(json_at(j, "settings.harmony")->valuestring, "Bb F7");
    assert_done(
        "continue --draws 1 sung.mid -o again.mid --model tiny --bars 1 --without plan "
        "--json");
    assert_null(strstr(said, "\"chords\""));
    auto_score *s = load_score("sung.mid");
    struct timeline_events g;
    size_t n = 0;
    assert_int_equal(timeline_events_collect(&g, s, TIMELINE_BIT(TIMELINE_CHORD)),
                     MIDI_OK);
    for (size_t i = 0; i < g.n; i++, n++) {
        char text[CHORD_TEXT];
        timeline_event_copy_text(s, &g.list[i], text, sizeof text);
        assert_string_equal(text, i % 2 ? "F7" : "Bb");
    }
    assert_int_equal(n, 4);
    timeline_events_fini(&g);
}

TEST(test_json_accounts_for_each_note)
{
    assert_done("continue --draws 1 in.mid -o out.mid --bars 2 --json");
    auto_json *j = cJSON_Parse(said);
    assert_non_null(j);
    assert_true(cJSON_IsString(json_at(j, "model_hash")));
    assert_int_equal(cJSON_GetArraySize(json_at(j, "takes")), 1);
    const cJSON *take = json_at(j, "takes.0"), *notes = json_at(take, "notes");
    auto_score *in = load_score("in.mid"), *out = load_score("out.mid");
    assert_int_equal(cJSON_GetArraySize(notes), score_n_notes(out) - score_n_notes(in));
    double log_prob = 0;
    const cJSON *note;
    cJSON_ArrayForEach(note, notes)
    {
        assert_true(number(note, "start") >= number(take, "from_tick"));
        assert_true(number(note, "start") + number(note, "length") <=
                    number(take, "to_tick"));
        log_prob += number(note, "log_prob");
    }
    assert_true(log_prob < 0 && log_prob >= number(take, "log_prob") - 0.01);
    assert_done("continue in.mid -o two.mid --bars 1 --takes 2 --json");
    auto_json *two = cJSON_Parse(said);
    assert_true(number(two, "settings.takes") == 2);
    assert_int_equal(cJSON_GetArraySize(json_at(two, "takes")), 2);
}

TEST(test_an_empty_file_gets_a_track)
{
    save_score("empty.mid", score_of("96"));
    assert_done("continue --draws 1 empty.mid -o begun.mid --bars 2");
    auto_score *s = load_score("begun.mid");
    assert_int_equal(s->n_tracks, 1);
    assert_true(score_n_notes(s) > 0);
}

/* It is asked for what comes after the music, and for a hole; what it came to is told. */
TOLD(test_a_close_is_asked_for) = {
    {"continue --draws 1 in.mid -o open.mid --model tiny --bars 2 --json", 0,
     "\"close\":\t\"off\""},
    {"continue --draws 1 in.mid -o close.mid --model tiny --bars 2 --close --min-notes "
     "4 "
     "--json",
     0, "\"close\":\t\"on\""},
    {"inpaint --draws 1 in.mid -o close.mid --model tiny --from 1 --to 2 --close "
     "--json",
     0, "\"close\":\t\"on\""},
};

/* Of files that are damaged or are none: the others have ranks, and what is printed is JSON. */
TEST(test_takes_from_anywhere_are_ranked)
{
    size_t n;
    const char *weights = formatted("%s/models/critic.json", getenv("CONTINUO_HOME"));
    assert_int_equal(symlink(weights, in_folder("models/critic.json")), 0);
    assert_done("continue in.mid -o take.mid --bars 2 --model tiny --takes 2");
    uint8_t *bytes = get_bytes("take-1.mid", &n);
    put_bytes("short.mid", bytes, n - 40);
    put_bytes("none.mid", bytes + 9, n - 9);
    free(bytes);
    assert_int_equal(
        run_program("critic rank in.mid take-1.mid none.mid short.mid take-2.mid "
                    "--bars 2 --json"),
        1);
    assert_says("none.mid: is not a MIDI file");
    auto_json *j = cJSON_Parse(strchr(said, '{'));
    int n_scores = 0, sum = 0;
    assert_int_equal(cJSON_GetArraySize(json_at(j, "takes")), 4);
    for (int i = 0; i < 4; i++) {
        const cJSON *take = json_at(j, formatted("takes.%d", i));
        n_scores += cJSON_IsNumber(cJSON_GetObjectItem(take, "score"));
        sum += (int)number(take, "rank");
    }
    assert_int_equal(n_scores, 3);
    assert_int_equal(sum, 1 + 2 + 3 + 4);
    assert_true(number(j, "takes.1.rank") == 4);
    assert_int_equal(run_program("critic rank none.mid take-1.mid"), 1);
}

/* No two takes have one rank, and the better has the better; the critic is there since the test
 * before. */
TEST(test_ranks_are_by_merit)
{
    assert_done(
        "continue in.mid -o ranked.mid --bars 2 --model tiny --takes 4 --draws 4 "
        "--json");
    auto_json *j = cJSON_Parse(said);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < i; k++) {
            const double a = number(j, formatted("takes.%d.merit", i)),
                         b = number(j, formatted("takes.%d.merit", k)),
                         rank_a = number(j, formatted("takes.%d.rank", i)),
                         rank_b = number(j, formatted("takes.%d.rank", k));
            assert_true(rank_a != rank_b && rank_a >= 1 && rank_a <= 4);
            assert_true(a == b || (a > b) == (rank_a < rank_b));
        }
}

/* In a file of 120 quarters a minute, quarters of 98; and 63 tracks. */
FIXTURE(lay_out)
{
    if (set_up(state))
        return -1;
    save_score("loose.mid",
               score_of("480 | t: =298 (60:400 r:188 61:400 r:188 62:400 r:188 "
                        "63:400 r:188 64:400 r:188)*10"));
    struct score *s = score_of("96 | one: C4q");
    for (int t = 1; t < 63; t++)
        assert_int_equal(score_add_track(s, "one of many", 0, 0), t);
    save_score("many.mid", s);
    return 0;
}

GROUP(lay_out, remove_own_folder)
