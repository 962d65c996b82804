/* Finds an instrument by a few letters: while ":instrument ..." is typed, a list shows the
 * matches, best first, and the chosen one sounds. Enter takes it. */
#include "app/editor/edit/instrument.h"
#include "app/editor/session/edit.h"
#include "midi/edit/track_edit.h"
#include "midi/score/general_midi.h"
#include "tui/base/names.h"

#include <stdio.h>
#include <string.h>

/* The line that is being typed. */
struct instrument_list {
    uint8_t fit[GM_PROGRAMS]; /* what fits it, */
    int n, step;              /* n of them; steps from the first */
};

static bool is_drums(const struct track *t)
{
    return t->channel == GM_DRUM_CHANNEL;
}

/* What stands after ":instrument "; NULL: another line is being typed, or none. */
static const char *words_typed(const struct session *s)
{
    static const char VERB[] = "instrument ";
    const char *line = s->prompt.text + strspn(s->prompt.text, " :");
    bool is_line = s->mode == MODE_PROMPT && s->prompt.kind == PROMPT_COMMAND;
    return is_line && session_track(s) && !strncmp(line, VERB, sizeof VERB - 1)
               ? line + sizeof VERB - 1
               : NULL;
}

static int find_all(const struct session *s, const char *words,
                    uint8_t found[GM_PROGRAMS])
{
    return (int)gm_find(words, is_drums(session_track(s)), found, GM_PROGRAMS);
}

/* Among all, where no words have been typed, the one it has. */
static int first_chosen(const struct session *s, const char *words)
{
    int at = 0;
    if (words[strspn(words, " ")])
        return 0;
    while (at < s->parts.instruments->n &&
           s->parts.instruments->fit[at] != session_track(s)->program)
        at++;
    return at < s->parts.instruments->n ? at : 0;
}

static int chosen(const struct session *s, const char *words)
{
    int n = s->parts.instruments->n;
    if (!n)
        return 0;
    int at = (first_chosen(s, words) + s->parts.instruments->step) % n;
    return at < 0 ? at + n : at;
}

static void hear(struct session *s, const char *words)
{
    enum { MIDDLE_C = 60, SNARE = 38, LOUD = 96 };
    const struct track *t = session_track(s);
    bool has_asked = words[strspn(words, " ")] || s->parts.instruments->step;
    if (s->parts.instruments->n && has_asked)
        player_audition(s->player, t->channel,
                        s->parts.instruments->fit[chosen(s, words)],
                        is_drums(t) ? SNARE : MIDDLE_C, LOUD);
}

void instrument_typed(struct session *s)
{
    const char *words = words_typed(s);
    s->parts.instruments->step = 0;
    if (!words)
        return;
    int before = s->parts.instruments->n ? s->parts.instruments->fit[0] : -1;
    s->parts.instruments->n = find_all(s, words, s->parts.instruments->fit);
    if (s->parts.instruments->n && s->parts.instruments->fit[0] != before)
        hear(s, words);
}

bool instrument_step(struct session *s, int by)
{
    const char *words = words_typed(s);
    if (!words)
        return false;
    s->parts.instruments->step = (s->parts.instruments->step + by) % GM_PROGRAMS;
    hear(s, words);
    return true;
}

static void say_instrument(struct session *s, int n_on_channel)
{
    const struct track *t = session_track(s);
    char others[64] = "";
    if (n_on_channel > 1)
        snprintf(others, sizeof others, ", as all %d tracks of channel %d",
                 n_on_channel, t->channel + 1);
    session_say(s, "track %d plays %s%s", s->track + 1,
                program_name(t->channel, t->program), others);
}

static void set_program(struct session *s, uint8_t program)
{
    const struct score *score = s->project.score;
    int n = 0;
    for (size_t i = 0; i < score->n_tracks; i++)
        n += score->tracks[i].channel == session_track(s)->channel;
    struct change *c = change_create("choose an instrument");
    if (edit_do(s, c, c ? change_set_program(c, score, s->track, program) : MIDI_OK))
        say_instrument(s, n);
}

/* With the steps from the first that were made while it was typed. */
static void act_instrument_line(struct session *s, const char *words)
{
    int step = s->parts.instruments->step;
    s->parts.instruments->step = 0;
    if (!session_need_track(s))
        return;
    s->parts.instruments->n = find_all(s, words, s->parts.instruments->fit);
    s->parts.instruments->step = step;
    int at = chosen(s, words);
    s->parts.instruments->step = 0;
    if (!s->parts.instruments->n)
        session_error(s, is_drums(session_track(s))
                             ? "no drum kit is called so, and this channel plays drums"
                             : "no instrument is called so; B and then i lists them");
    else if (s->parts.instruments->fit[at] == session_track(s)->program)
        say_instrument(s, 1);
    else
        set_program(s, s->parts.instruments->fit[at]);
}

static void instrument_view(struct session *s, struct view *v)
{
    const char *words = words_typed(s);
    if (!words)
        return;
    v->instruments.programs = s->parts.instruments->fit;
    v->instruments.n = s->parts.instruments->n;
    v->instruments.chosen = chosen(s, words);
    v->instruments.are_kits = is_drums(session_track(s));
}

const struct editor_part INSTRUMENT_PART = {
    PART_STATE(instruments),
    ON_LINES({"instrument", .run = act_instrument_line}),
    .view = instrument_view,
};
