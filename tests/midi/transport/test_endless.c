/* An endless stream of clocks does not hold up the rest: the player's thread handles a part, and is
 * woken for more; nothing is lost. So it is with what is played: test_monitor.c. */
#include "tests/check.h"
#include "midi/base/clock.h"
#include "midi/transport/player_state.h"

TEST(a_flood_of_clocks_is_handled_in_parts)
{
    static struct player player; /* as far as this needs one */
    struct sync_message left;
    int n_passes = 0;
    clock_skip_ms(1); /* so moment 0 is before the clock of the system began */
    bell_init(&player.wake);
    player.output = output_create(&player.wake);
    player.sync = sync_create(&player.wake);
    player.sound = sound_open(&(struct sound_config){.driver = "none"});
    assert_true(player.output && player.sync && player.sound);
    sync_set_mode(player.sync, SYNC_FOLLOW);
    for (int i = 0; i < 1000; i++)
        sync_feed(player.sync,
                  &(struct sync_message){.ms = clock_now_ms(), .status = 0xf8});
    /* Like midi/transport/player_thread.c: one pass serves all rings. */
    for (; bell_wait(&player.wake, &(struct timespec){0}); n_passes++)
        player_follow_pass(&player);
    assert_false(sync_take(player.sync, &left));
    assert_true(n_passes >= 4);
    output_destroy(player.output);
    sync_destroy(player.sync);
    sound_close(player.sound);
    bell_fini(&player.wake);
}
