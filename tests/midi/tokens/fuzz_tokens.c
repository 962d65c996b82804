/* Whatever tokens are decoded: they are refused, or encoding what they say gives the
 * same tokens again, as a plain sequence or a hole with its notes. */
#include "tests/midi/canonical.h"

enum { MOST_IDS = 1 << 14 };

/* Two bytes a token, its kind and its value, so that a search need not find a kind's
 * few ids among hundreds; the last kind is invalid ids. */
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

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    static int32_t ids[MOST_IDS];
    char name[24];
    size_t n = read_ids(ids, bytes, n_bytes);
    for (size_t i = 0; i < n; i++)
        require(memchr(token_name(ids[i], name, sizeof name), 0, sizeof name));
    decodes_as_piece(ids, n);
    decodes_as_fill(ids, n);
    return 0;
}
