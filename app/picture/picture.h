/* The inspector's page as a PNG. The painters of the screen (tui/terminal/frame.h) paint it in
 * cells, and every cell becomes pixels. Only the matrix and the heads are painted finer: each of
 * their cells has a whole number of pixels. */
#ifndef APP_PICTURE_H
#define APP_PICTURE_H

#include "tui/view/inspect.h"

/* Paints the page of v->inspect below a heading of lines, of which the first is the title; they
 * are made safe. The picture is as large as the page needs: the roll shows all notes of
 * v->inspect. v's score and inspect are read, and its cursor, of which the ruler and the keys have
 * marks. Returns MIDI_NO_MEMORY; MIDI_CANNOT_WRITE, and errno says why: then nothing is
 * left at path. */
enum midi_status picture_save(const struct view *v, const char *heading,
                              const char *path);

/* The pixels of a letter, which is 5 wide, 7 high and 2 below the line: rows from the top
 * [LETTER_ROWS], the left pixel in bit 4. A frame: it is not printable ASCII. */
enum { LETTER_COLUMNS = 5, LETTER_ROWS = 9 };
const uint8_t *letter_rows(uint32_t c);

#endif
