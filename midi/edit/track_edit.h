/* Changes to whole tracks, in the terms of MIDI files.
 *
 * A name is the track-name event of the track's chunk. If several tracks share the
 * chunk, as in format 0, each name follows a channel prefix (SMF 1.0, FF 20), and
 * reading expects that (midi/smf/smf_track.c). An instrument is the program change at
 * the track's start; bank selects stay.
 *
 * A change may hold each of these edits once for a track, and both a channel and a name
 * only if the track has a chunk of its own. After an edit that removes or moves tracks,
 * nothing else may follow. MIDI_BAD_EDIT: the file cannot hold it. UI thread only. */
#ifndef MIDI_TRACK_EDIT_H
#define MIDI_TRACK_EDIT_H

#include "midi/edit/edit.h"
#include "midi/score/score.h"

/* A name that is too long for struct track is cut. */
enum midi_status change_rename_track(struct change *c, const struct score *s, int track,
                                     const char *name);

/* Sets the program of all tracks on the channel, since a channel has one program at a
 * time. */
enum midi_status change_set_program(struct change *c, const struct score *s, int track,
                                    uint8_t program);

/* Moves the track's notes, and its chunk's messages for that channel. MIDI_BAD_EDIT:
 * another track of the chunk is on the new channel, or the chunk has unpaired notes for
 * it. */
enum midi_status change_set_channel(struct change *c, const struct score *s, int track,
                                    uint8_t channel);

/* Adds a track with this name on this channel, with all notes and channel messages of
 * the track. `channel` counts over all ports. */
enum midi_status change_duplicate_track(struct change *c, const struct score *s,
                                        int track, const char *name, uint8_t channel);

/* Removes the track, its notes, and its channel's messages in its chunk. Removes the
 * chunk, too, if nothing else is in it and it is not the first. */
enum midi_status change_remove_track(struct change *c, const struct score *s,
                                     int track);

/* Moves the track's chunk, with all its tracks, to the place of the other track's
 * chunk. MIDI_BAD_EDIT: both are in one chunk, or one is in the first chunk, which
 * holds the tempo map. */
enum midi_status change_move_track(struct change *c, const struct score *s, int track,
                                   int other);

/* Returns the number of tracks in the track's chunk. */
int track_n_in_chunk(const struct score *s, int track);

#endif
