/* An endless stream of notes or clocks does not hold up the rest: the player's
 * thread handles a part, and is woken for more; nothing is lost. */
#include "tests/check.h"
#include "midi/base/clock.h"
#include "midi/transport/player_state.h"

enum { N_PLAYED = 8000, N_CLOCKS = 1000 };

static struct player player; /* as far as these tests need one */

static int set_up(void **state)
{
    player = (struct player){0};
    bell_init(&player.wake);
    player.live = live_create(&player.wake);
    player.output = output_create(&player.wake);
    player.sync = sync_create(&player.wake);
    player.sound = sound_open(&(struct sound_config){.driver = "none"});
    return player.live && player.output && player.sync && player.sound ? 0 : -1;
}

static int tear_down(void **state)
{
    live_destroy(player.live);
    output_destroy(player.output);
    sync_destroy(player.sync);
    sound_close(player.sound);
    bell_fini(&player.wake);
    return 0;
}

/* Like midi/transport/player_thread.c: one pass serves all rings. */
static bool is_woken(void)
{
    return bell_wait(&player.wake, &(struct timespec){0});
}

static int take_played(int n)
{
    struct live_event e;
    while (live_take(player.live, &e))
        assert_int_equal(e.data1 | e.data2 << 7, n++);
    return n;
}

TEST_IN(what_is_played, set_up, tear_down)
{
    live_listen(player.live, true, false, -1);
    for (int i = 0; i < N_PLAYED; i++)
        assert_true(
            live_feed(player.live, clock_now_ms(),
                      (uint8_t[]){0xe0, (uint8_t)(i & 127), (uint8_t)(i >> 7)}));
    int n = 0, n_passes = 0;
    for (; is_woken(); n_passes++) {
        live_pass(player.live, player.sound, &player.transport);
        n = take_played(n);
    }
    assert_int_equal(n, N_PLAYED);
    assert_true(n_passes >= 4);
}

TEST_IN(clocks, set_up, tear_down)
{
    sync_set_mode(player.sync, SYNC_FOLLOW);
    for (int i = 0; i < N_CLOCKS; i++)
        sync_feed(player.sync,
                  &(struct sync_message){.ms = clock_now_ms(), .status = 0xf8});
    struct sync_message left;
    int n_passes = 0;
    for (; is_woken(); n_passes++)
        player_follow_pass(&player);
    assert_false(sync_take(player.sync, &left));
    assert_true(n_passes >= 4);
}
