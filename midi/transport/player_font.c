/* Another soundfont for the player, the ui's side: it is loaded by a thread of its own
 * (midi/sound/font_loader.h), sent to the player's when it is there, and freed when that has taken
 * it. See player.h. */
#include "midi/sound/font_loader.h"
#include "midi/transport/player_state.h"

#include <stdio.h>

/* It was loaded: to the player with it, if it is any good. */
static void pass_on_font(struct player *p)
{
    if (font_loader_is_bad(p->font)) {
        font_loader_destroy(p->font);
        p->font = NULL;
        p->font_news = FONT_IS_BAD;
        return;
    }
    struct player_command c = {.kind = PLAYER_FONT, .font = p->font};
    p->font_is_sent = ring_push(p->commands, &c); /* a full ring has room later */
    p->n_fonts_sent += p->font_is_sent;
    sem_post(&p->wake);
}

static void forget_font(struct player *p)
{
    snprintf(p->font_path, sizeof p->font_path, "%s", font_loader_path(p->font));
    font_loader_destroy(p->font);
    p->font = NULL;
    p->font_is_sent = false;
    p->font_news = FONT_IS_HEARD;
}

void player_mind_font(struct player *p)
{
    if (p->font_is_sent && atomic_load(&p->n_fonts_taken) == p->n_fonts_sent)
        forget_font(p);
    else if (p->font && !p->font_is_sent && font_loader_is_done(p->font))
        pass_on_font(p);
}

bool player_set_soundfont(struct player *p, const char *path)
{
    if (p->font)
        return false;
    p->font = font_loader_start(path);
    return p->font;
}

enum font_news player_font_news(struct player *p)
{
    enum font_news news = p->font_news;
    p->font_news = FONT_NO_NEWS;
    return news;
}

bool player_is_loading(const struct player *p)
{
    return p->font;
}
