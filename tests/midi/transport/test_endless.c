/* Whoever plays without end, or sends clocks so, keeps nothing else waiting: the player's
 * thread takes a part of it, and is woken for the rest, of which nothing is lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "midi/transport/player_state.h"

enum { N_PLAYED = 8000, N_CLOCKS = 1000 };

static struct player player; /* as far as these need one */

static int set_up(void **state)
{
    (void)state;
    player = (struct player){0};
    sem_init(&player.wake, 0, 0);
    player.live = live_create(&player.wake);
    player.output = output_create(&player.wake);
    player.sync = sync_create(&player.wake);
    player.sound = sound_open(&(struct sound_config){.driver = "none"});
    return player.live && player.output && player.sync && player.sound ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    live_destroy(player.live);
    output_destroy(player.output);
    sync_destroy(player.sync);
    sound_close(player.sound);
    sem_destroy(&player.wake);
    return 0;
}

/* As midi/transport/player_thread.c does: one look serves all that posted. */
static bool is_woken(void)
{
    bool is = false;
    while (!sem_trywait(&player.wake))
        is = true;
    return is;
}

static int take_played(int n)
{
    struct live_event e;
    while (live_take(player.live, &e))
        assert_int_equal(e.data1 | e.data2 << 7, n++);
    return n;
}

static void what_is_played(void **state)
{
    (void)state;
    live_listen(player.live, true, false, -1);
    for (int i = 0; i < N_PLAYED; i++)
        assert_true(
            live_feed(player.live, live_now(),
                      (uint8_t[]){0xe0, (uint8_t)(i & 127), (uint8_t)(i >> 7)}));
    int n = 0, n_passes = 0;
    for (; is_woken(); n_passes++) {
        live_pass(player.live, player.sound, &player.transport);
        n = take_played(n);
    }
    assert_int_equal(n, N_PLAYED);
    assert_true(n_passes >= 4);
}

static void clocks(void **state)
{
    (void)state;
    sync_set_mode(player.sync, SYNC_FOLLOW);
    for (int i = 0; i < N_CLOCKS; i++)
        sync_feed(player.sync,
                  &(struct sync_message){.ms = live_now(), .status = 0xf8});
    struct sync_message left;
    int n_passes = 0;
    for (; is_woken(); n_passes++)
        player_follow_pass(&player);
    assert_false(sync_take(player.sync, &left));
    assert_true(n_passes >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_played, set_up, tear_down),
        cmocka_unit_test_setup_teardown(clocks, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
