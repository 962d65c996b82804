/* Which score tokens may come next, so that whatever is sampled parses, stays
 * in its hole, and ends.
 *
 * The grammar is a small state machine over tokens: it is fed the context
 * (unchecked by the hole, but it must parse) and then every sampled token.
 * grammar_allow says which tokens are legal now: positions never go back and
 * stay in the span; tracks rise within an onset, pitches rise within a track's
 * onset, and stay in range and off pitches still sounding on that track; a
 * duration ends by the hole's end or before the next note of that pitch; on drum tracks
 * HIT comes instead, one of a key at a step. A
 * token is allowed only when some note can follow it. Since (step, track,
 * pitch) strictly rises inside a finite rectangle, it always ends. The last
 * legal way out is BAR: the hole is done when a bar line at or past `to` is
 * reached.
 *
 * When what was fed is a request (midi/tokens/fill.h), up to its tracks or controls, its
 * hole is filled in the same way, but for the bars: BAR comes only when a note fits
 * later, and FILL_END ends it. The notes fed around it keep their pitches off, both
 * those that sound into it and those that begin in it. The hole given to start and
 * the one asked for hold both.
 *
 * A request's hole may also keep a plan (midi/tokens/hole_plan.h), and then everything else
 * is forced. Of a rhythm every slot of the hole is filled, in order; of a chord as many
 * as there are rising pitches for; but for those for which no pitch is free as long as
 * they last. Pitches all come, in order, on their track, no more of them together than
 * the plan has; but for those that cannot come after the ones before, which are left
 * out. FILL_END comes then, whatever min_notes is. */
#ifndef MIDI_GRAMMAR_H
#define MIDI_GRAMMAR_H

#include "midi/tokens/hole.h"
#include "midi/tokens/hole_plan.h"
#include "midi/tokens/tokens.h"

/* About 55 kB. Nothing allocates after create but grammar_block, grammar_keep, and
 * feeding what stands around a hole. */
struct grammar;

struct grammar *grammar_create(void);
void grammar_destroy(struct grammar *g);

/* Starts before BOS, with nothing blocked and no plan. The hole is copied. Of its tracks
 * those are written for that the sequence declares, and it says which are drums; notes
 * that are blocked or held before that are taken as hole->drums has it. */
void grammar_start(struct grammar *g, const struct hole *hole);

/* A note that will stand there whatever is sampled, as those after and beside
 * a hole do: the same pitch on that track is kept off it. It does not count
 * towards max_polyphony. Call between start and the first grammar_allow. */
enum midi_status grammar_block(struct grammar *g, int track, int pitch, int64_t step,
                               int64_t length);

/* The same of a note that counts: of an earlier part of the hole, whose sequence was another,
 * or of music before this one's first bar. It begins no later than what is sampled. */
enum midi_status grammar_hold(struct grammar *g, int track, int pitch, int64_t step,
                              int64_t length);

/* What the hole of a request keeps; in a plain sequence it means nothing. Steps count
 * from the sequence's first bar. The plan is copied. Call between start and the first
 * grammar_feed. MIDI_NO_MEMORY: nothing is kept. */
enum midi_status grammar_keep(struct grammar *g, const struct hole_plan *plan);

/* Any token of a legal sequence, context or sampled. MIDI_BAD_TOKEN leaves the
 * state as it was; after MIDI_NO_MEMORY only start helps. */
enum midi_status grammar_feed(struct grammar *g, int32_t token);

/* Fills allowed[TOKEN_COUNT] with 0 or 1 for the next sampled token and
 * returns how many are 1. At least one, unless grammar_done, or the context
 * stopped inside a note, before its first meter, or before its request was whole,
 * or was fed tokens of the hole that the mask did not have. FILL_END is allowed once
 * hole.min_notes are there and the plan is done, or when nothing else is. EOS, STYLE,
 * BOS, PAD, HOLE, FAMILY, CHORD, BASS, CLOSE and meter tokens are never allowed inside a
 * hole; the caller may feed what else a sequence may have. */
int grammar_allow(const struct grammar *g, uint8_t *allowed);

/* Also once no further bar fits a sequence, or EOS was fed. With a request, once
 * FILL_END was. */
bool grammar_done(const struct grammar *g);

/* The note completed by the last token fed, if it completed one. */
bool grammar_note(const struct grammar *g, struct grid_note *out);

int64_t grammar_step(const struct grammar *g);      /* where it stands now */
int64_t grammar_bar_start(const struct grammar *g); /* of the bar it stands in */

#endif
