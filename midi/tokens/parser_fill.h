/* The parser's rules of holes (midi/tokens/fill.h); used by parser.c only. Each is false, and
 * nothing changed, where its token cannot come. */
#ifndef MIDI_PARSER_FILL_H
#define MIDI_PARSER_FILL_H

#include "midi/tokens/parser.h"

/* No track has been spoken of, nor any velocity. In parser.c. */
void parser_forget_tracks(struct parser *p);

bool parser_fill_mark(struct parser *p, enum token kind); /* HOLE, RESUME */
bool parser_fill_begin(struct parser *p);
/* What is asked, in state AFTER_FILL; tracks also after one. */
bool parser_fill_far(struct parser *p, int value); /* POSX */
bool parser_fill_place(struct parser *p, int value);
bool parser_fill_pitch(struct parser *p, int value);
bool parser_fill_track(struct parser *p, int value);
bool parser_fill_control(struct parser *p, enum token kind, int value);
/* In the hole: */
bool parser_fill_bar(struct parser *p);
bool parser_fill_reaches(const struct parser *p, int32_t onset); /* it is within */
/* true also where there is no hole. */
bool parser_fill_takes_track(const struct parser *p, int track);
bool parser_fill_takes_pitch(const struct parser *p, int pitch);
bool parser_fill_end(struct parser *p);

#endif
