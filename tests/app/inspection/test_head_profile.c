/* Heads that do one thing are named after it, ones that do nothing are not, and files of
 * names may hold anything. */
#include "tests/check.h"
#include "app/inspection/head_profile.h"
#include "tests/app/own_folder.h"

#include <math.h>

/* Four bars of two voices in quarters, a token each, after BOS; a bar line opens each. */
enum { TICKS = 24, BARS = 4, BEATS = 4, VOICES = 2, PER_BAR = 1 + BEATS * VOICES };
enum { N_TOKENS = 1 + BARS * PER_BAR, N_NOTES = BARS * BEATS * VOICES };

static struct inspected_token tokens[N_TOKENS];
static struct head_note notes[N_NOTES];

static int pitch_of(int note)
{
    return 60 - 12 * (note % VOICES) + note / VOICES % BEATS;
}

FIXTURE(lay_out)
{
    int n = 0, note = 0;
    tokens[n++] = (struct inspected_token){.note = -1, .part = INSPECTED_START};
    for (int bar = 0; bar < BARS; bar++) {
        tokens[n++] = (struct inspected_token){.note = -1, .part = INSPECTED_BAR};
        for (int i = 0; i < BEATS * VOICES; i++, note++) {
            int beat = i / VOICES, voice = i % VOICES;
            int64_t tick = (int64_t)TICKS * (bar * BEATS + beat);
            tokens[n++] =
                (struct inspected_token){.note = note, .part = INSPECTED_PITCH};
            notes[note] =
                (struct head_note){.tick = tick,
                                   .bar_tick = (int64_t)TICKS * BEATS * bar,
                                   .bar_ticks = (int64_t)TICKS * BEATS,
                                   .before = tick - TICKS,
                                   .track = voice,
                                   .pitch = pitch_of(note),
                                   .pitch_before = note ? pitch_of(note - 1) : -1,
                                   .is_bass = voice == 1};
        }
    }
    return n == N_TOKENS && note == N_NOTES ? 0 : -1;
}

/* How the row that chooses a note spreads its attention. */
typedef bool looks_fn(int query, int key);

static struct head_profile profile_of(looks_fn *looks, struct head_profile *chance)
{
    struct head_profile p = {0};
    struct head_keys keys;
    float weights[N_TOKENS];
    *chance = (struct head_profile){0};
    assert_true(head_keys_init(&keys, N_TOKENS));
    for (int q = 1; q + 1 < N_TOKENS; q++) {
        struct head_row row = {tokens[q + 1].note, q, 0, q + 1};
        int n = 0;
        if (row.note < 0)
            continue;
        for (int k = 0; k <= q; k++)
            n += looks(q, k);
        for (int k = 0; k <= q; k++)
            weights[k] = n ? (float)looks(q, k) / (float)n : (float)(k == 0);
        head_keys_fill(&keys, notes, &row, tokens, TICKS);
        head_profile_add(&p, &keys, weights);
        head_profile_add_even(chance, &keys);
    }
    head_keys_fini(&keys);
    head_profile_finish(&p);
    head_profile_finish(chance);
    return p;
}

static const struct head_note *key_note(int key)
{
    return tokens[key].note < 0 ? NULL : &notes[tokens[key].note];
}

static const struct head_note *chosen(int query)
{
    return &notes[tokens[query + 1].note];
}

static bool at_last_token(int query, int key)
{
    return key == query;
}

static bool at_bar_lines(int query, int key)
{
    (void)query;
    return tokens[key].part == INSPECTED_BAR;
}

static bool at_beginning(int query, int key)
{
    (void)query;
    return key == 0;
}

static bool a_bar_back(int query, int key)
{
    return key_note(key) && chosen(query)->tick - key_note(key)->tick == TICKS * BEATS;
}

static bool at_voice_before(int query, int key)
{
    return key_note(key) && key_note(key)->track == chosen(query)->track &&
           key_note(key)->tick == chosen(query)->before;
}

static bool at_octaves(int query, int key)
{
    return key_note(key) && abs(chosen(query)->pitch - key_note(key)->pitch) == 12;
}

static bool at_same_pitch(int query, int key)
{
    return key_note(key) && chosen(query)->pitch == key_note(key)->pitch;
}

static bool at_all(int query, int key)
{
    return key <= query;
}

TEST(each_is_named_after_what_it_does)
{
    static const struct {
        looks_fn *looks;
        const char *name;
    } HEADS[] = {
        {at_last_token, "last token"},
        {at_bar_lines, "bar lines"},
        {at_beginning, "beginning"},
        {a_bar_back, "previous bar"},
        {at_voice_before, "voice's last note"},
        {at_octaves, "octave"},
        {at_same_pitch, "same pitch"},
        {at_all, "broad"},
    };
    for (size_t i = 0; i < sizeof HEADS / sizeof HEADS[0]; i++) {
        struct head_profile chance, p = profile_of(HEADS[i].looks, &chance);
        assert_string_equal(head_profile_name(&p, &chance), HEADS[i].name);
    }
}

TEST(shares_are_of_a_whole)
{
    struct head_profile chance, p = profile_of(a_bar_back, &chance);
    double parts = 0, even = 0;
    for (int k = 0; k < INSPECTED_PARTS; k++) {
        parts += p.parts[k];
        even += chance.parts[k];
    }
    assert_true(fabs(parts - 1) < 1e-9);
    assert_true(fabs(even - 1) < 1e-9);
    /* in the first bar there is none to look back to, and it looked at BOS */
    double in_first = 1.0 / BARS;
    assert_true(fabs(p.parts[INSPECTED_START] + p.beats[2 * BEATS] - 1) < 1e-9);
    assert_true(fabs(p.parts[INSPECTED_START] - in_first) < 1e-6);
    assert_true(fabs(p.intervals[HEAD_INTERVALS / 2] - p.beats[2 * BEATS] / 2) < 0.02);
}

TEST(an_even_head_is_its_own_chance)
{
    struct head_profile chance, p = profile_of(at_all, &chance);
    for (int r = 0; r < N_HEAD_RELATIONS; r++)
        assert_true(fabs(p.relation[r] - chance.relation[r]) < 1e-6);
    assert_true(fabs(p.evenness - 1) < 1e-6);
    assert_int_equal(head_profile_relation(&p, &chance), -1);
}

TEST_IN(names_of_files_are_not_trusted, make_own_folder, remove_own_folder)
{
    static const char *const BAD[] = {
        "",
        "{",
        "[]",
        "{\"model\": 3}",
        "{\"model\": {\"hash\": \"12\", \"layers\": 1, \"heads\": 1}}",
        "{\"model\": {\"hash\": \"zzzzzzzzzzzzzzzz\", \"layers\": 1, \"heads\": 1}}",
        "{\"model\": {\"hash\": \"0123456789abcdef\", \"layers\": 1e9, \"heads\": 1}}",
        "{\"model\": {\"hash\": \"0123456789abcdef\", \"layers\": 0, \"heads\": 1}}",
        "{\"model\": {\"hash\": \"0123456789abcdef\", \"layers\": 1.5, \"heads\": 1}}",
    };
    struct head_names names;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        put_text("x.heads.json", BAD[i]);
        assert_false(head_names_read(&names, in_folder("x.heads.json")));
        assert_null(names.names);
    }
    put_text("x.heads.json",
             "{\"model\": {\"hash\": \"0123456789abcdef\", \"layers\": 2, "
             "\"heads\": 2}, \"heads\": [3, {\"layer\": 9, \"head\": 1, "
             "\"name\": \"far\"}, {\"layer\": 2, \"head\": 1, \"name\": "
             "\"\\u001b[2Jclear\"}, {\"layer\": 1, \"head\": 2, \"of\": "
             "\"source\", \"name\": \"heard\"}]}");
    assert_true(head_names_read(&names, in_folder("x.heads.json")));
    assert_true(names.hash == UINT64_C(0x0123456789abcdef));
    assert_null(strchr(head_names_of(&names, 1, 0), '\033'));
    assert_non_null(strstr(head_names_of(&names, 1, 0), "clear"));
    assert_string_equal(head_names_of(&names, 0, 1), "");
    assert_string_equal(head_names_of(&names, -1, 0), "");
    assert_string_equal(head_names_of(&names, 0, 2), "");
    head_names_fini(&names);
    assert_false(head_names_read(&names, folder));
}

/* Who trains another surveys it anew. */
TEST(the_bundled_model_has_names)
{
    struct head_names names;
    auto_model *m = bundled_model("continuo");
    assert_true(head_names_find(&names, model_hash(m)));
    assert_int_equal(names.n_layers, m->config.n_layers);
    assert_int_equal(names.n_heads, m->config.n_heads);
    for (int i = 0; i < names.n_layers * names.n_heads; i++)
        assert_true(*head_names_of(&names, i / names.n_heads, i % names.n_heads));
    head_names_fini(&names);
    assert_false(head_names_find(&names, model_hash(m) + 1));
    assert_null(names.names);
}

/* What a name stands for can be told, for all that are given. */
TEST(every_name_has_a_meaning)
{
    for (int r = 0; r < N_HEAD_RELATIONS; r++)
        assert_true(strlen(head_name_meaning(head_relations[r].name)) > 8);
    assert_true(*head_name_meaning("broad") && *head_name_meaning("mixed"));
    assert_string_equal(head_name_meaning("bold"), "");
    assert_string_equal(head_name_meaning(""), "");
}

GROUP(lay_out, NULL)
