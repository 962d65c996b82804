/* An output that gets more than its rings hold: without threads, the player's side
 * and the ports' side in turn. */
#include "tests/check.h"
#include "midi/transport/output.h"

enum { MOST = 40000 };

static struct {
    uint32_t list[MOST];
    int n;
} sent;

static bool write_down(void *unused, uint32_t message)
{
    if (sent.n < MOST)
        sent.list[sent.n++] = message;
    return true;
}

static const struct output_line LINE = {write_down, NULL};

static void pass(struct output *o)
{
    double next_ms;
    sent.n = 0;
    assert_true(output_pass(o, &LINE, &next_ms));
}

static int find(uint32_t message)
{
    for (int i = 0; i < sent.n; i++)
        if (sent.list[i] == message)
            return i;
    return -1;
}

/* If the record that announces a state is lost, the state is sent all the same, and
 * later ones do not wait for another. */
TEST(states_survive_a_full_ring)
{
    struct bell wake;
    struct channel_state first = {.program = 16}, next = {.program = 40};
    bell_init(&wake);
    struct output *o = output_create(&wake);
    assert_non_null(o);
    output_open(o);
    const struct message note = {0, 0x90, 60, 70, 0};
    while (!output_n_lost(o))
        output_send_at(o, 0, 0, &note);
    output_set_state(o, 3, &first);
    pass(o);
    assert_true(find(0xc3 | 16 << 8) >= 0);
    output_set_state(o, 3, &next);
    pass(o);
    assert_true(find(0xc3 | 40 << 8) >= 0);
    output_close(o, &LINE);
    output_destroy(o);
    bell_fini(&wake);
}
