/* Whatever tokens are decoded: they are refused, or what they say is encoded as the same
 * tokens again, as a plain sequence or as a hole with its filling. */
#include "midi/tokens/fill.h"
#include "tests/fuzz_replay.h"

#include <string.h>

enum { MOST_IDS = 1 << 14 };

/* Two bytes a token, its kind and its value, so that a search need not find the few
 * numbers of a kind among hundreds; the last kind is of numbers that are none. */
static int32_t id_of(const uint8_t at[2])
{
    static const int32_t KINDS[] = {
        TOKEN_PAD,      TOKEN_BOS,      TOKEN_EOS,     TOKEN_BAR,       TOKEN_STYLE,
        TOKEN_NUM,      TOKEN_DEN,      TOKEN_POS,     TOKEN_POSX,      TOKEN_TRACK,
        TOKEN_FAMILY,   TOKEN_HIT,      TOKEN_CHORD,   TOKEN_BASS,      TOKEN_CLOSE,
        TOKEN_VEL,      TOKEN_PITCH,    TOKEN_DUR,     TOKEN_DURX,      TOKEN_HOLE,
        TOKEN_RESUME,   TOKEN_FILL,     TOKEN_DENSITY, TOKEN_POLYPHONY, TOKEN_LENGTH,
        TOKEN_REGISTER, TOKEN_FILL_END,
    };
    enum { N_KINDS = sizeof KINDS / sizeof *KINDS };
    unsigned kind = at[0] % (N_KINDS + 1);
    return kind < N_KINDS ? KINDS[kind] + at[1] : (int32_t)(at[1] * 0x01010101u);
}

static size_t read_ids(int32_t *ids, const uint8_t *bytes, size_t n_bytes)
{
    size_t n = n_bytes / 2 < MOST_IDS ? n_bytes / 2 : MOST_IDS;
    for (size_t i = 0; i < n; i++)
        ids[i] = id_of(bytes + 2 * i);
    return n;
}

static void check_same(struct tokens *t, const int32_t *ids, size_t n)
{
    require(t->n == n && !memcmp(t->id, ids, n * sizeof *ids));
    tokens_fini(t);
}

/* A sequence need not begin with BOS and STYLE: a window of a longer one does not. */
static void check_plain(const int32_t *ids, size_t n)
{
    struct piece p;
    struct tokens t;
    if (tokens_decode(&p, ids, n))
        return;
    require(piece_check(&p) == MIDI_OK);
    require(!tokens_encode(&t, &p, n > 0 && ids[n - 1] == TOKEN_EOS));
    check_same(&t, ids, n);
    piece_fini(&p);
}

static void check_fill(const int32_t *ids, size_t n)
{
    struct fill f;
    struct tokens t;
    if (fill_decode(&f, ids, n))
        return;
    require(fill_request_valid(&f.request));
    for (size_t i = 0; i < f.inside.n_notes; i++)
        require(fill_contains(&f.request, f.around.families, &f.inside.notes[i]));
    require(!fill_encode(&t, &f, true));
    check_same(&t, ids, n);
    fill_fini(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    static int32_t ids[MOST_IDS];
    char name[24];
    size_t n = read_ids(ids, bytes, n_bytes);
    for (size_t i = 0; i < n; i++)
        require(memchr(token_name(ids[i], name, sizeof name), 0, sizeof name));
    check_plain(ids, n);
    check_fill(ids, n);
    return 0;
}
