/* Whatever bytes lie where copied music is kept: they are refused with a plain phrase and
 * every register is empty, or each passage is one that could have been copied. */
#include "app/registers_file.h"
#include "tests/memory_file.h"

enum { MOST_BYTES = 1 << 16 };

static void check_passage(const struct passage *p)
{
    require(!p->n || (p->ticks_per_quarter > 0 && p->span >= 0 && passage_is_sane(p)));
    for (size_t i = 0; i < p->n; i++) {
        const struct passage_note *n = &p->notes[i];
        require(n->track >= 0 && n->track < PASSAGE_TRACKS && n->length >= 0);
        require(n->pitch >= 0 && n->pitch < 128 && n->velocity > 0 &&
                n->velocity < 128);
        require(n->offset >= -PASSAGE_FURTHEST && n->offset <= PASSAGE_FURTHEST);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    struct registers r;
    char why[SIDECAR_WHY_BYTES] = "";
    if (n_bytes > MOST_BYTES)
        return 0;
    const char *path = memory_file_with("registers", bytes, n_bytes);
    bool is_refused = registers_read(&r, path, why) != SIDECAR_OK;
    require(!is_refused || (*why && is_plain_line(why)));
    require(r.last >= 0 && r.last < N_REGISTERS);
    for (int i = 0; i < N_REGISTERS; i++) {
        require(!is_refused || !r.at[i].n);
        check_passage(&r.at[i]);
    }
    registers_fini(&r);
    return 0;
}
