/* Finds an instrument by a few letters: while ":instrument ..." is typed, a list shows
 * the matches, best first, and the chosen one sounds. Enter takes it. */
#include "app/editor/edit/tracks.h"
#include "app/editor/session/edit.h"
#include "midi/edit/track_edit.h"
#include "midi/score/general_midi.h"
#include "tui/base/names.h"
#include "app/base/values.h"
#include "midi/edit/held.h"

#include <string.h>

/* The line that is being typed. */
struct instrument_list {
    uint8_t fit[GM_PROGRAMS]; /* what fits it, */
    int n, step;              /* n of them; steps from the first */
};

static const char *words_typed(const struct session *s)
{
    return session_track(s) ? act_typed_after(s, "instrument") : NULL;
}

static int find_all(const struct session *s, const char *words,
                    uint8_t found[GM_PROGRAMS])
{
    return (int)gm_find(words, track_is_drums(session_track(s)), found, GM_PROGRAMS);
}

static int chosen(const struct session *s, const char *words)
{
    const struct instrument_list *l = s->parts.instruments;
    bool has_words = words[strspn(words, " ")];
    int at = 0;
    if (!l->n)
        return 0;
    /* The track's own instrument, as long as no words are typed. */
    while (!has_words && at < l->n && l->fit[at] != session_track(s)->program)
        at++;
    at = (at % l->n + l->step) % l->n;
    return at < 0 ? at + l->n : at;
}

static void sound(struct session *s, const char *words)
{
    enum { MIDDLE_C = 60, SNARE = 38, LOUD = 96 };
    const struct track *t = session_track(s);
    const struct instrument_list *l = s->parts.instruments;
    bool has_asked = words[strspn(words, " ")] || l->step;
    if (l->n && has_asked)
        player_audition(s->player, track_sound_channel(t), l->fit[chosen(s, words)],
                        track_is_drums(t) ? SNARE : MIDDLE_C, LOUD);
}

void instrument_typed(struct session *s)
{
    struct instrument_list *l = s->parts.instruments;
    const char *words = words_typed(s);
    l->step = 0;
    if (!words)
        return;
    int before = l->n ? l->fit[0] : -1;
    l->n = find_all(s, words, l->fit);
    if (l->n && l->fit[0] != before)
        sound(s, words);
}

bool instrument_step(struct session *s, int by)
{
    const char *words = words_typed(s);
    if (!words)
        return false;
    s->parts.instruments->step = (s->parts.instruments->step + by) % GM_PROGRAMS;
    sound(s, words);
    return true;
}

static void say_instrument(struct session *s, const char *others)
{
    const struct track *t = session_track(s);
    struct control_point programs[2];
    char next[96] = "", place[PLACE_BYTES];
    const int channel = track_sound_channel(t);
    if (held_programs(s->project.score, s->view.track, programs, 2) > 1)
        snprintf(next, sizeof next, "; %s follows from %s",
                 program_name(channel, programs[1].value),
                 place_name(session_timeline(s), programs[1].tick, place));
    session_say(s, "track %d plays %s%s%s", s->view.track + 1,
                program_name(channel, t->program), others, next);
}

/* A name says no more than the instrument if it is "Piano", or was given for want of a
 * better one: "Track 3". */
void tracks_follow_name(struct change *c, const struct session *s, int channel,
                        int program)
{
    const struct score *score = s->project.score;
    const struct track *t = session_track(s);
    bool is_number =
        !strncmp(t->name, "Track", 5) && !t->name[strspn(t->name, "Track 0123456789")];
    const char *now = program_name(track_sound_channel(t), t->program);
    if (*t->name && (is_number || strcasestr(now, t->name)) &&
        track_n_in_chunk(score, s->view.track) == 1)
        change_rename_track(c, score, s->view.track, program_name(channel, program));
}

/* With the steps from the first that were made while it was typed. */
void act_instrument_line(struct session *s, const char *words)
{
    struct instrument_list *l = s->parts.instruments;
    int step = l->step;
    l->step = 0;
    if (!session_need_track(s))
        return;
    l->n = find_all(s, words, l->fit);
    l->step = step;
    int at = chosen(s, words);
    l->step = 0;
    if (!l->n)
        session_error(s, track_is_drums(session_track(s))
                             ? "no such drum kit; this channel plays drums"
                             : "no such instrument; B and then i lists them");
    else if (l->fit[at] == session_track(s)->program)
        say_instrument(s, "");
    else {
        char others[64];
        const struct score *score = s->project.score;
        struct change *c = change_create("choose an instrument");
        change_set_program(c, score, s->view.track, l->fit[at]);
        tracks_follow_name(c, s, track_sound_channel(session_track(s)), l->fit[at]);
        if (edit_do(s, c))
            say_instrument(s, tracks_sharing(s, others));
    }
}

static void instrument_view(struct session *s, struct view *v)
{
    const char *words = words_typed(s);
    if (!words)
        return;
    v->instruments.programs = s->parts.instruments->fit;
    v->instruments.n = s->parts.instruments->n;
    v->instruments.chosen = chosen(s, words);
    v->instruments.are_kits = track_is_drums(session_track(s));
}

const struct editor_part INSTRUMENT_PART = {
    PART_STATE(instruments),
    .view = instrument_view,
};
