/* A player whose sound goes to a file, in real time, and is read back. */
#ifndef TESTS_MIDI_PLAYING_H
#define TESTS_MIDI_PLAYING_H

#include "midi/base/clock.h"
#include "tests/midi/listen.h"
#include "tests/midi/music.h"
#include "tests/temp_file.h"

static inline struct player *start_player(const char *driver)
{
    return open_player(&(struct player_config){.soundfont = own_soundfont(),
                                               .driver = driver,
                                               .file_name = temp_path("played.wav")});
}

static inline void wait_until_stopped(const struct player *p, int ms)
{
    double until = clock_now_ms() + ms;
    while (player_is_playing(p) && clock_now_ms() < until)
        sleep_ms(5);
    assert_false(player_is_playing(p));
}

/* What becomes of the soundfont that was asked for. */
static inline enum font_status font_news(struct player *p)
{
    enum font_status news = FONT_NO_CHANGE;
    for (int i = 0; i < 1000 && !news; i++) {
        sleep_ms(5);
        player_collect(p);
        news = player_font_status(p);
    }
    return news;
}

/* Ends the player, so that the file is complete, and reads what it played. */
static inline struct recording finish(struct player *p)
{
    struct recording r;
    player_destroy(p);
    assert_true(listen_load(&r, temp_path("played.wav")));
    return r;
}

#endif
