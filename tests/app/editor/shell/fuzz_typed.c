/* Whatever is typed where a value is asked for: it is refused and nothing is set, or it is
 * such a value, which reads back as the same. */
#include "app/editor/edit/find.h"
#include "app/editor/shell/fuzzy.h"
#include "app/document/groove.h"
#include "app/editor/perform/devices.h"
#include "app/generation/steer.h"
#include "app/base/values.h"
#include "midi/score/general_midi.h"
#include "midi/score/notes.h"
#include "midi/score/scale.h"
#include "tests/fuzz_replay.h"
#include "tui/keys/keys.h"

#include <math.h>
#include <string.h>

enum { MOST_BYTES = 160 };

static void check_scale(const char *text)
{
    char name[SCALE_TEXT];
    struct scale s, again;
    if (!scale_parse(text, &s))
        return;
    require(scale_mask(&s) && scale_tonic(&s) >= 0 && scale_tonic(&s) < 12);
    require(scale_sharps(&s) >= -7 && scale_sharps(&s) <= 7);
    require(scale_parse(scale_format(&s, name), &again));
    require(again.letter == s.letter && again.accidental == s.accidental &&
            again.kind == s.kind);
}

static void check_grid(const char *text)
{
    char name[GRID_STEP_TEXT];
    struct grid_step g = GRID_STEP_DEFAULT, again = GRID_STEP_DEFAULT;
    if (!grid_step_parse(text, &g))
        return;
    require(g.division >= 1 && g.division <= GRID_FINEST && g.kind < N_GRID_KINDS);
    require(grid_step_parse(grid_step_format(&g, name), &again));
    require(again.division == g.division && again.kind == g.kind &&
            again.is_free == g.is_free);
}

static void check_groove(const char *text)
{
    char name[GROOVE_TEXT];
    struct groove g = GROOVE_DEFAULT, again = GROOVE_DEFAULT;
    if (!groove_parse(text, &g))
        return;
    require(g.strength >= 0 && g.strength <= 100 && g.swing >= 50 && g.swing <= 75);
    require(g.within >= 0 && groove_parse(groove_format(&g, name), &again));
    require(again.strength == g.strength && again.starts == g.starts &&
            again.ends == g.ends && again.swing == g.swing && again.within == g.within);
}

static void check_steering(const char *text)
{
    char name[STEER_TEXT_BYTES], twice[STEER_TEXT_BYTES];
    for (int i = 0; i < steer_n_rows(); i++) {
        const struct field *r = steer_row(i);
        struct steering s = STEERING_DEFAULT;
        if (!field_read(r, &s, text))
            continue;
        field_write(r, &s, name, sizeof name);
        require(field_read(r, &s, name) &&
                !strcmp(field_write(r, &s, twice, sizeof twice), name));
        require(field_share(r, &s) <= 1);
    }
}

static void check_keys(const char *text)
{
    char name[KEYS_NAME_BYTES];
    uint32_t keys[2], again[2];
    if (!key_parse(text, keys))
        return;
    require(key_parse(key_notation(keys, name), again));
    require(again[0] == keys[0] && again[1] == keys[1]);
}

/* -- values -- */

static void check_numbers(const char *text)
{
    double x = 0, beat = 0;
    int n = 0, pitch = 0;
    int64_t bar = 0;
    uint64_t tracks = 0, seed = 0;
    uint8_t low = 0, high = 0;
    require(!value_real(text, -2, 3, &x) || (x >= -2 && x <= 3));
    require(!value_count(text, -5, 300, &n) || (n >= -5 && n <= 300));
    require(!value_place(text, &bar, &beat) || (bar >= 1 && beat >= 1));
    require(isfinite(beat));
    require(!value_pitches(text, &low, &high) || (low <= high && high < 128));
    require(!value_pitch(text, &pitch) || (pitch >= 0 && pitch < 128));
    require(!value_tracks(text, &tracks) || tracks);
    value_seed(text, &seed);
}

/* -- what is sought -- */

static struct score *make_score(void)
{
    struct score *s = score_create(480);
    require(s && score_add_track(s, "Piano", 0, 0) == 0);
    for (int i = 0; i < 3; i++) {
        struct note n = {.start = 960 * i,
                         .length = 240,
                         .pitch = (uint8_t)(60 + i),
                         .velocity = 80};
        require(score_add_note(s, 0, n) != 0);
    }
    return s;
}

static void check_sought(const char *text, size_t n_bytes)
{
    static struct score *score;
    score = score ? score : make_score();
    struct note_filter filter;
    bool is_filter = note_filter_parse(text, &filter);
    struct find_query query = find_parse(text);
    require(memchr(query.text, 0, sizeof query.text) != NULL);
    require(query.kind != FIND_BAR || (query.bar >= 0 && query.beat >= 0));
    for (size_t i = 0; i < 3; i++) {
        const struct note *n = &score->tracks[0].notes[i];
        if (is_filter)
            note_filter_has(&filter, score, n);
        find_fits_note(&query, score, n);
    }
    find_fits_text(&query, text, n_bytes);
}

static void check_names(const char *text)
{
    static const char *const LINES[] = {"zoom in", "", "horizon line"};
    uint8_t found[GM_PROGRAMS];
    double score;
    uint64_t marks;
    struct output_request wish;
    require(gm_find(text, false, found, sizeof found) <= GM_PROGRAMS);
    require(gm_find(text, true, found, 3) <= 3);
    for (int i = 0; i < 3; i++)
        if (fuzzy_match(text, LINES[i], &score, &marks))
            require(isfinite(score) && !(marks >> strlen(LINES[i])));
    fuzzy_match("in a", text, &score, &marks);
    output_request_parse(&wish, text);
    require(memchr(wish.name, 0, sizeof wish.name) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    if (n_bytes > MOST_BYTES)
        return 0;
    char *text =
        strndup((const char *)bytes, n_bytes); /* it ends where its memory does */
    require(text != NULL);
    check_scale(text);
    check_grid(text);
    check_groove(text);
    check_steering(text);
    check_keys(text);
    check_numbers(text);
    check_sought(text, strlen(text));
    check_names(text);
    free(text);
    return 0;
}
