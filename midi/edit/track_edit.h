/* Changes to tracks as wholes (midi/edit/edit.h), in the file's own words.
 *
 * A name is the track-name meta event of the track's chunk. Of a chunk that several
 * tracks share, as in format 0, each track's own name follows a channel prefix
 * (SMF 1.0, FF 20), and is read back so (midi/smf/smf_track.c). An instrument is the program
 * change at the track's start; bank selects stay as they are.
 *
 * Each speaks of the score as it is, so a change may hold one of them for a track, and
 * nothing after one that takes tracks out or moves them. MIDI_BAD_EDIT: the file cannot
 * hold it, as said below. UI thread only. */
#ifndef MIDI_TRACK_EDIT_H
#define MIDI_TRACK_EDIT_H

#include "midi/edit/edit.h"

/* As far as it fits into struct track. */
enum midi_status change_rename_track(struct change *c, const struct score *s, int track,
                                     const char *name);

/* Of all tracks on the same channel, which has but one program at a time. */
enum midi_status change_set_program(struct change *c, const struct score *s, int track,
                                    uint8_t program);

/* The track's notes and its chunk's messages for that channel go along. MIDI_BAD_EDIT:
 * another track of the chunk is on that channel, or the chunk has loose notes for it. */
enum midi_status change_set_channel(struct change *c, const struct score *s, int track,
                                    uint8_t channel);

/* With its notes, and its channel's messages in its chunk. The chunk goes when nothing
 * in it concerns anything else and it is not the first. */
enum midi_status change_remove_track(struct change *c, const struct score *s,
                                     int track);

/* The track's chunk takes the place of the other's, with all its tracks. MIDI_BAD_EDIT:
 * they are in one chunk, or one is in the first, where the tempo map is. */
enum midi_status change_move_track(struct change *c, const struct score *s, int track,
                                   int other);

/* How many tracks the track's chunk has. */
int track_n_in_chunk(const struct score *s, int track);

#endif
