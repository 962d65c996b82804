/* Tells which score tokens may come next, so that whatever is sampled parses, stays in
 * its hole, and ends.
 *
 * The grammar is a state machine. The caller feeds it the context, which must parse but
 * may break the rules of the hole, and then each sampled token. grammar_allow returns
 * the tokens that are legal now:
 *
 * Positions never go back, and stay in the span. Tracks ascend within an onset. Pitches
 * ascend within one onset of a track, stay in range, and avoid pitches that still sound
 * on that track. A duration ends by the hole's end and before the next note of that
 * pitch. Drum tracks take HIT, each key once a step. A token is allowed only if a note
 * can follow it. Since (step, track, pitch) strictly ascends in a finite rectangle, the
 * sequence ends. The last legal way out is BAR: the hole is done at a bar line at or
 * past `to`.
 *
 * If the context has a request (midi/tokens/fill.h), up to its tracks or controls, the
 * request's hole is filled by the same rules, except that BAR comes only if a note fits
 * later, and FILL_END ends the hole. Notes around the hole block their pitches: those
 * that sound into it, and those that begin in it. Both the hole given to start and the
 * requested one apply.
 *
 * The hole of a request may also follow a plan (midi/tokens/hole_plan.h), which then
 * overrides everything else. A rhythm: every slot is filled, in order. Of a chord, as
 * many slots as there are ascending pitches are filled; a slot for whose length no
 * pitch is free is left out. Pitches: all come, in order, on their track, and no more
 * at once than in the plan; those that cannot come after the ones before are left out.
 * Then FILL_END follows, whatever min_notes is. */
#ifndef MIDI_GRAMMAR_H
#define MIDI_GRAMMAR_H

#include "midi/tokens/hole.h"
#include "midi/tokens/hole_plan.h"
#include "midi/tokens/tokens.h"

/* About 55 kB. After create, only grammar_block, grammar_keep,
 * grammar_harmonise and feeding the music around a hole allocate. */
struct grammar;

struct grammar *grammar_create(void);
void grammar_destroy(struct grammar *g);

/* Starts before BOS, with nothing blocked and no plan. Copies the hole. Only tracks
 * that the sequence declares are filled, and the sequence says which are drums. Notes
 * that are blocked or held earlier go by hole->drums. */
void grammar_start(struct grammar *g, const struct hole *hole);

/* Blocks the pitch of a note on its track while it sounds. A note after or beside the hole
 * that stays is no voice, and does not count towards max_polyphony. A voice does count: a
 * note from an earlier part of the hole, which had a sequence of its own, or from music
 * before this sequence's first bar. It begins no later than what is sampled. Call it between
 * start and the first grammar_allow. */
enum midi_status grammar_block(struct grammar *g, int track, int pitch, int64_t step,
                               int64_t length, bool is_voice);

/* Copies a plan for the hole of a request; steps count from the sequence's first bar.
 * It has no effect in a plain sequence. Call it between start and the first
 * grammar_feed. On MIDI_NO_MEMORY there is no plan. */
enum midi_status grammar_keep(struct grammar *g, const struct hole_plan *plan);

/* Decides the harmony before the notes. The `due` chords ascend, and are copied. Each
 * must come at its step, before the notes there; nothing passes it, or ends the hole
 * before the last. A due chord does not come if it is in force already, or if the
 * sequence has passed it. In [free_from, free_to) other chords may come at any
 * position. Steps count from the sequence's first bar. Call it between start and the
 * first grammar_allow. */
enum midi_status grammar_harmonise(struct grammar *g, const struct grid_chord *due,
                                   size_t n, int64_t free_from, int64_t free_to);
/* Returns the next chord that must come, or NULL. */
const struct grid_chord *grammar_due(const struct grammar *g);

/* Feeds a token of a legal sequence, of the context or sampled. On MIDI_BAD_TOKEN the
 * state is unchanged. After MIDI_NO_MEMORY only start may be called. */
enum midi_status grammar_feed(struct grammar *g, int32_t token);

/* Sets allowed[TOKEN_COUNT] to 0 or 1 for the next sampled token, and returns the
 * number of ones. There is at least one, unless the grammar is done; or the context
 * stopped inside a note, before its first meter or within its request; or the hole was
 * fed tokens that the mask excludes. FILL_END is allowed once there are hole.min_notes
 * notes and the plan is done, or if nothing else is. CHORD and BASS are allowed as
 * grammar_harmonise says. EOS, STYLE, BOS, PAD, HOLE, FAMILY, CLOSE and meters are
 * never allowed in a hole; the caller may feed them where a sequence may have them. */
int grammar_allow(const struct grammar *g, uint8_t *allowed);

/* Whether the hole is filled. Also true if no bar fits any more, or EOS was fed. With a
 * request: whether FILL_END was fed. */
bool grammar_done(const struct grammar *g);

/* Returns in *out the note that the last token completed. false: it completed none. */
bool grammar_note(const struct grammar *g, struct grid_note *out);
/* Returns in *out the chord that the last token began or gave a bass. false: it did
 * neither. */
bool grammar_chord(const struct grammar *g, struct grid_chord *out);

int64_t grammar_step(const struct grammar *g);      /* present step */
int64_t grammar_bar_start(const struct grammar *g); /* of the present bar */
/* Returns the track of the next note if no other is chosen, or -1 if one must be
 * chosen. */
int grammar_track(const struct grammar *g);

#endif
