#include "app/journal_music.h"

#include "app/journal_contents.h"

#include <stdlib.h>
#include <string.h>

bool journal_music_is_there(const uint8_t *bytes, size_t n)
{
    const size_t n_magic = strlen(JOURNAL_MAGIC);
    return n >= n_magic && !memcmp(bytes, JOURNAL_MAGIC, n_magic);
}

enum midi_status journal_music_take(uint8_t **bytes, size_t *n)
{
    struct journal_contents c;
    struct score *score = NULL;
    uint8_t *music;
    size_t n_music;
    enum midi_status st = MIDI_NO_MEMORY;
    enum journal_status read = journal_contents_read(&c, *bytes, *n);
    if (read != JOURNAL_NO_MEMORY && c.base)
        read = journal_contents_replay(&c, &score, NULL);
    if (read != JOURNAL_NO_MEMORY)
        st = score ? smf_write(score, &music, &n_music) : MIDI_EMPTY;
    journal_contents_fini(&c);
    score_destroy(score);
    if (st)
        return st;
    free(*bytes);
    *bytes = music;
    *n = n_music;
    return MIDI_OK;
}
