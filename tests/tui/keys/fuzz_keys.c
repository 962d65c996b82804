/* Whatever a terminal sends, in whatever pieces it arrives: nothing waits for ever, the
 * keys do not depend on the pieces, each is one that a terminal has, and in any mode it
 * gives a command there is or none. */
#include "tests/fuzz_replay.h"
#include "tui/keys/keys.h"

#include <string.h>

enum { MOST_BYTES = 2048, MOST_CELL = 100000, MOST_ASKED = 16 };

struct heard {
    struct key keys[MOST_BYTES]; /* a byte is one at most */
    size_t n;
};

static void hear(struct key_reader *r, struct heard *h, bool idle)
{
    struct key key;
    while (key_reader_next(r, idle, &key)) {
        require(h->n < MOST_BYTES);
        h->keys[h->n++] = key;
    }
}

static void feed_in_pieces(struct heard *h, const uint8_t *bytes, size_t n,
                           size_t piece)
{
    static struct key_reader r;
    r = (struct key_reader){0};
    h->n = 0;
    for (size_t at = 0; at < n;) {
        size_t wanted = n - at < piece ? n - at : piece;
        size_t room = sizeof r.bytes - r.n, fed = wanted < room ? wanted : room;
        require(fed > 0);
        memcpy(r.bytes + r.n, bytes + at, fed);
        r.n += fed;
        at += fed;
        hear(&r, h, false);
    }
    hear(&r, h, true);
    require(r.n == 0);
}

static void check_pieces(const struct heard *a, const struct heard *b)
{
    require(a->n == b->n);
    for (size_t i = 0; i < a->n; i++) {
        const struct key *x = &a->keys[i], *y = &b->keys[i];
        require(x->code == y->code && x->column == y->column && x->row == y->row &&
                x->button == y->button && x->pasted == y->pasted);
    }
}

static void check_key(const struct key *k)
{
    uint32_t with = K_WITH_SHIFT | K_WITH_ALT | K_WITH_CTRL, code = k->code & ~with;
    require(code && code <= K_WHEEL_RIGHT && code != K_LETTER);
    require(code < 0xD800 || code > 0xDFFF);
    require(k->column >= 0 && k->column < MOST_CELL);
    require(k->row >= 0 && k->row < MOST_CELL && k->button >= 0 && k->button <= 3);
    require(code != K_BACKGROUND || k->column <= 255);
}

/* In one mode after another, by what the keys ask for; the first of them, since naming
 * a key and looking it up takes longer than reading it. */
static void check_commands(const struct heard *h)
{
    struct keymap_state s = {0};
    unsigned mode = (unsigned)h->n;
    for (size_t i = 0; i < h->n && i < MOST_ASKED; i++) {
        struct command c;
        char name[KEYS_NAME_BYTES];
        const uint32_t keys[2] = {h->keys[i].code};
        require(memchr(keys_name(keys, name), 0, sizeof name));
        bool is_one = keys_feed(&s, (enum mode)(mode % MODE_COUNT), &h->keys[i], &c);
        require(!is_one || (c.id > CMD_NONE && c.id < CMD_COUNT));
        require(!is_one || !c.text || (c.text >= ' ' && c.text <= 0x10FFFF));
        require(c.count >= 0 && c.count <= KEYS_MAX_COUNT);
        require(s.count >= 0 && s.count <= KEYS_MAX_COUNT);
        mode += is_one ? (unsigned)c.id : 0;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    static struct heard whole, single, odd;
    if (n_bytes > MOST_BYTES)
        return 0;
    feed_in_pieces(&whole, bytes, n_bytes, KEY_READER_BYTES);
    feed_in_pieces(&single, bytes, n_bytes, 1);
    feed_in_pieces(&odd, bytes, n_bytes, n_bytes ? 1 + bytes[0] % 7u : 1);
    check_pieces(&whole, &single);
    check_pieces(&whole, &odd);
    for (size_t i = 0; i < whole.n; i++)
        check_key(&whole.keys[i]);
    check_commands(&whole);
    return 0;
}
