/* `:soundfont PATH`: changes the soundfont, also during playback. Later runs use it, too,
 * unless the command line names one. */
#include "app/base/paths.h"
#include "app/editor/session/session.h"
#include "app/settings/config.h"

#include <stdlib.h>
#include <string.h>

/* The soundfont that is being loaded. */
struct font_request {
    bool is_usual; /* it was not named */
};

static void load(struct session *s, const char *path)
{
    if (player_is_loading(s->player))
        session_error(s, "another soundfont is being loaded");
    else if (!player_set_soundfont(s->player, path))
        session_error(s, "there is no memory left to load that");
    else
        session_say(s, "loading %s", file_base_name(path));
}

static void load_usual(struct session *s)
{
    char path[4096];
    const char *configured = s->preferences.settings.soundfont;
    s->parts.font->is_usual = soundfont_find(path, sizeof path, configured);
    if (!s->parts.font->is_usual)
        session_error(s, "no soundfont was found; :soundfont PATH names one");
    else
        load(s, path);
}

static void act_soundfont_line(struct session *s, const char *word)
{
    char path[4096], found[4096];
    const char *now = player_soundfont(s->player);
    if (!*word) {
        session_say(s, "%s; :soundfont PATH takes another, :soundfont usual the usual",
                    *now ? now : "no soundfont");
    } else if (!strcmp(word, "usual")) {
        load_usual(s);
    } else if (!file_expand(path, sizeof path, word)) {
        session_error(s, "that name is too long");
    } else if (!soundfont_find(found, sizeof found, path) || strcmp(found, path) != 0) {
        session_error(s, "%s is no soundfont that can be read", word);
    } else {
        s->parts.font->is_usual = false;
        load(s, path);
    }
}

static void remember(const struct session *s)
{
    char *full = realpath(player_soundfont(s->player), NULL);
    if (s->preferences.remembers_files)
        soundfont_remember(s->parts.font->is_usual ? NULL : full);
    free(full);
}

static void soundfont_watch(struct session *s)
{
    char status[160];
    enum font_status news = player_font_status(s->player);
    if (news == FONT_IS_BAD) {
        session_error(s, "that soundfont cannot be loaded; the one before stays");
    } else if (news == FONT_IS_HEARD) {
        remember(s);
        player_status(s->player, status, sizeof status);
        if (player_has_sound(s->player))
            session_say(s, "%s", status);
        else
            session_say(s, "%s is loaded; %s",
                        file_base_name(player_soundfont(s->player)), status);
    }
}

const struct editor_part SOUNDFONT_PART = {
    PART_STATE(font),
    ON_LINES({"soundfont", .run = act_soundfont_line}),
    .tick = soundfont_watch,
};
