/* Whatever decodes is canonical: it is valid, and encoding what it says gives the same
 * tokens again. Each call says whether they decode, and ends the program if one that does
 * is not so. */
#ifndef TESTS_MIDI_CANONICAL_H
#define TESTS_MIDI_CANONICAL_H

#include "tests/fuzz_replay.h"
#include "tests/midi/auto.h"

#include <string.h>

static inline void require_same(struct tokens t, const int32_t *ids, size_t n)
{
    require(t.n == n && !memcmp(t.id, ids, n * sizeof *ids));
    tokens_fini(&t);
}

/* A sequence need not begin with BOS and STYLE: a window of a longer one does not. */
static inline bool decodes_as_piece(const int32_t *ids, size_t n)
{
    struct tokens t;
    auto_piece p;
    if (tokens_decode(&p, ids, n))
        return false;
    require(piece_check(&p) == MIDI_OK);
    require(!tokens_encode(&t, &p, n > 0 && ids[n - 1] == TOKEN_EOS));
    require_same(t, ids, n);
    return true;
}

static inline bool decodes_as_fill(const int32_t *ids, size_t n)
{
    struct tokens t;
    auto_fill f;
    if (fill_decode(&f, ids, n))
        return false;
    require(fill_request_valid(&f.request));
    for (size_t i = 0; i < f.inside.n_notes; i++)
        require(fill_contains(&f.request, f.around.families, &f.inside.notes[i]));
    require(!fill_encode(&t, &f, true));
    require_same(t, ids, n);
    return true;
}

#endif
