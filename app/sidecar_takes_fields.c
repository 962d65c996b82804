/* See sidecar_takes_fields.h. The ranges of settings are no narrower than app/steer.c
 * has them. */
#include "app/sidecar_takes_fields.h"

#include "midi/note.h"

#include <limits.h>

#define TICKS 0, (double)TICK_MAX
#define SUM   -1e300, 1e300 /* of log-probabilities: any */
#define SHARE 0, 1
#define TABLE(list)                                                                    \
    {                                                                                  \
        list, sizeof(list) / sizeof(list)[0]                                           \
    }

#define AT(field) offsetof(struct continuation_options, field)
static const struct json_field SETTINGS[] = {
    {"bars", JSON_INT, AT(bars), 1, CONTINUATION_MAX_BARS},
    {"from", JSON_TICK, AT(hole.from_tick), TICKS},
    {"to", JSON_TICK, AT(hole.to_tick), TICKS},
    {"lowest", JSON_U8, AT(hole.pitch_lo), 0, 127},
    {"highest", JSON_U8, AT(hole.pitch_hi), 0, 127},
    {"tracks", JSON_WORD, AT(tracks), 0, 0},
    {"style", JSON_INT, AT(style), CONTINUATION_STYLE_GUESS, STYLE_COUNT - 1},
    {"scale", JSON_U16, AT(scale), 0, 0xfff},
    {"polyphony", JSON_INT, AT(max_polyphony), 0, 128},
    {"keep", JSON_INT, AT(keep), HOLE_PLAN_NONE, HOLE_PLAN_PITCHES},
    {"stays", JSON_REAL, AT(stays), SHARE},
    {"stays-seed", JSON_WORD, AT(stays_seed), 0, 0},
    {"guidance", JSON_REAL, AT(guidance), 0, 10},
    {"density-level", JSON_INT, AT(hole.density), FILL_ANY, FILL_DENSITIES - 1},
    {"voices-level", JSON_INT, AT(hole.polyphony), FILL_ANY, FILL_POLYPHONIES - 1},
    {"length-level", JSON_INT, AT(hole.length), FILL_ANY, FILL_LENGTHS - 1},
    {"register-level", JSON_INT, AT(hole.height), FILL_ANY, FILL_REGISTERS - 1},
    {"close", JSON_YES, AT(hole.close), 0, 0},
    {"min-notes", JSON_INT, AT(hole.min_notes), 0, 1000},
    {"temperature", JSON_REAL, AT(sampling.temperature), 0, 5},
    {"top-k", JSON_INT, AT(sampling.top_k), 0, INT_MAX},
    {"top-p", JSON_REAL, AT(sampling.top_p), SHARE},
    {"min-p", JSON_REAL, AT(sampling.min_p), SHARE},
    {"seed", JSON_WORD, AT(sampling.seed), 0, 0},
};
#undef AT

#define AT(field) offsetof(struct proposal, field)
static const struct json_field ONE[] = {
    {"liking", JSON_INT, AT(liking), -1, 1},
    {"came", JSON_SIZE, AT(n_came), 0, INT_MAX},
    {"model-hash", JSON_WORD, AT(model_hash), 0, 0},
    {"style", JSON_INT, AT(style), STYLE_ANY, STYLE_COUNT - 1},
    {"from", JSON_TICK, AT(stats.from_tick), TICKS},
    {"to", JSON_TICK, AT(stats.to_tick), TICKS},
    {"at", JSON_TICK, AT(stats.at_tick), TICKS},
    {"done", JSON_YES, AT(stats.is_done), 0, 0},
    {"tokens", JSON_INT, AT(stats.n_tokens), 0, INT_MAX},
    {"log-prob", JSON_LONG_REAL, AT(stats.log_prob), SUM},
    {"own-log-prob", JSON_LONG_REAL, AT(stats.own_log_prob), SUM},
    {"masked", JSON_LONG_REAL, AT(stats.masked), SHARE},
    {"closes", JSON_LONG_REAL, AT(stats.closes), SHARE},
};
#undef AT

#define AT(field) offsetof(struct sidecar_takes, field)
static const struct json_field ALL[] = {
    {"ticks-per-quarter", JSON_INT, AT(ticks_per_quarter), 1, INT_MAX},
    {"letters", JSON_INT, AT(takes.n_letters), 1, PROPOSALS_MAX},
    {"bars", JSON_INT, AT(asked.bars), 1, INT_MAX},
    {"takes-at-once", JSON_INT, AT(takes_once), 0, CONTINUATION_MAX_TAKES},
    {"from", JSON_TICK, AT(hole_from), TICKS},
    {"to", JSON_TICK, AT(hole_to), TICKS},
    {"music-end", JSON_TICK, AT(music_end), 0, 2 * (double)TICK_MAX},
    {"time-put-in", JSON_TICK, AT(time_put_in), -0x1p63, 0x1p62}, /* TAKES_UNTOLD too */
    {"arrangement", JSON_WORD, AT(arrangement), 0, 0},
};
#undef AT

const struct json_table TAKES_SETTINGS = TABLE(SETTINGS);
const struct json_table TAKES_ONE = TABLE(ONE);
const struct json_table TAKES_ALL = TABLE(ALL);
