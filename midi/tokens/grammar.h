/* Which score tokens may come next, so that whatever is sampled parses, stays in its
 * hole, and ends.
 *
 * The grammar is a state machine. It is fed the context (which must parse, but need
 * not respect the hole), then each sampled token. grammar_allow tells which tokens
 * are legal now. Positions never go back and stay in the span. Tracks ascend within
 * an onset; pitches ascend within a track's onset, stay in range, and avoid pitches
 * that still sound on that track. A duration ends by the hole's end and before the
 * next note of that pitch. Drum tracks take HIT, each key once a step. A token is
 * allowed only if a note can follow it. Since (step, track, pitch) strictly ascends
 * in a finite rectangle, the sequence ends. The last legal way out is BAR: the hole
 * is done at a bar line at or past `to`.
 *
 * If a request was fed (midi/tokens/fill.h), up to its tracks or controls, its hole
 * is filled the same way, except for bars: BAR comes only if a note fits later, and
 * FILL_END ends the hole. Notes around the hole block their pitches, those that
 * sound into it and those that begin in it. Both the hole given to start and the
 * requested one apply.
 *
 * A request's hole may also follow a plan (midi/tokens/hole_plan.h), which forces
 * all else. A rhythm: every slot is filled, in order; of a chord, as many as there
 * are ascending pitches; a slot is left out if no pitch is free for its length.
 * Pitches: all come, in order, on their track, no more at once than in the plan;
 * those that cannot come after the ones before are left out. FILL_END then follows,
 * whatever min_notes is. */
#ifndef MIDI_GRAMMAR_H
#define MIDI_GRAMMAR_H

#include "midi/tokens/hole.h"
#include "midi/tokens/hole_plan.h"
#include "midi/tokens/tokens.h"

/* About 55 kB. After create, only grammar_block, grammar_keep and feeding the music
 * around a hole allocate. */
struct grammar;

struct grammar *grammar_create(void);
void grammar_destroy(struct grammar *g);

/* Starts before BOS, with nothing blocked and no plan. Copies the hole. Only tracks
 * that the sequence declares are filled, and it says which are drums; notes blocked
 * or held before that use hole->drums. */
void grammar_start(struct grammar *g, const struct hole *hole);

/* Blocks a note's pitch on its track while it sounds: a note after or beside the
 * hole that stays. It does not count towards max_polyphony. Call between start and
 * the first grammar_allow. */
enum midi_status grammar_block(struct grammar *g, int track, int pitch, int64_t step,
                               int64_t length);

/* The same for a note that counts: from an earlier part of the hole that had another
 * sequence, or from music before this one's first bar. It begins no later than what
 * is sampled. */
enum midi_status grammar_hold(struct grammar *g, int track, int pitch, int64_t step,
                              int64_t length);

/* Sets the plan for a request's hole, and copies it; steps count from the sequence's
 * first bar. Has no effect in a plain sequence. Call between start and the first
 * grammar_feed. MIDI_NO_MEMORY: no plan. */
enum midi_status grammar_keep(struct grammar *g, const struct hole_plan *plan);

/* Decides harmony before notes: the `due` chords, which ascend and are copied, come at their
 * steps, each before the notes there, and nothing passes by one or ends the hole before the
 * last. In [free_from, free_to) others may come at any position. Steps count from the
 * sequence's first bar. A due chord that is in force already, or that the sequence has passed,
 * does not come. Call between start and the first grammar_allow. */
enum midi_status grammar_harmonise(struct grammar *g, const struct grid_chord *due,
                                   size_t n, int64_t free_from, int64_t free_to);
/* The next chord that must come; NULL: none. */
const struct grid_chord *grammar_due(const struct grammar *g);

/* Feeds any token of a legal sequence, context or sampled. MIDI_BAD_TOKEN: the state
 * is unchanged. After MIDI_NO_MEMORY only start is allowed. */
enum midi_status grammar_feed(struct grammar *g, int32_t token);

/* Sets allowed[TOKEN_COUNT] to 0 or 1 for the next sampled token; returns the number
 * of ones. It is at least 1 unless the grammar is done, the context stopped inside a
 * note, before its first meter or within its request, or tokens were fed to the hole
 * that the mask excluded. FILL_END is allowed once hole.min_notes are there and the
 * plan is done, or if nothing else is. CHORD and BASS are allowed as grammar_harmonise
 * says. EOS, STYLE, BOS, PAD, HOLE, FAMILY, CLOSE and meter tokens are never allowed in a
 * hole; the caller may feed them where a sequence may have them. */
int grammar_allow(const struct grammar *g, uint8_t *allowed);

/* Also true if no bar fits any more, or EOS was fed. With a request: once FILL_END
 * was fed. */
bool grammar_done(const struct grammar *g);

/* The note that the last token completed; false: it completed none. */
bool grammar_note(const struct grammar *g, struct grid_note *out);
/* The chord that the last token began, or gave a bass; false: neither. */
bool grammar_chord(const struct grammar *g, struct grid_chord *out);

int64_t grammar_step(const struct grammar *g);      /* the present step */
int64_t grammar_bar_start(const struct grammar *g); /* of the present bar */
/* The track of a note, if no other is chosen; -1: one must be. */
int grammar_track(const struct grammar *g);

#endif
