/* Finds an instrument by a few letters: while ":instrument ..." is typed, a list shows
 * the matches, best first, and the chosen one sounds. Enter takes it. */
#include "app/editor/edit/tracks.h"
#include "app/editor/session/edit.h"
#include "app/editor/session/list.h"
#include "midi/edit/track_edit.h"
#include "midi/score/general_midi.h"
#include "tui/base/names.h"
#include "app/base/values.h"
#include "midi/edit/held.h"

#include <string.h>

/* The instruments that match the line that is being typed. */
struct instrument_list {
    uint8_t fit[GM_PROGRAMS];
    int n;
    bool was_stepped; /* the user chose one in the list */
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

/* Returns the best match or, without words, the track's own instrument. */
static int first_choice(const struct session *s, const char *words)
{
    const struct instrument_list *l = s->parts.instruments;
    int at = 0;
    if (words[strspn(words, " ")])
        return 0;
    while (at < l->n && l->fit[at] != session_track(s)->program)
        at++;
    return at < l->n ? at : 0;
}

static void choose(struct session *s, int line)
{
    enum { MIDDLE_C = 60, SNARE = 38, LOUD = 96 };
    const struct track *t = session_track(s);
    struct instrument_list *l = s->parts.instruments;
    s->view.lists[LIST_INSTRUMENTS].point = line;
    l->was_stepped = true;
    player_audition(s->player, track_sound_channel(t), l->fit[line],
                    track_is_drums(t) ? SNARE : MIDDLE_C, LOUD);
}

void instrument_typed(struct session *s)
{
    struct instrument_list *l = s->parts.instruments;
    const char *words = words_typed(s);
    int before = l->n ? l->fit[0] : -1;
    l->was_stepped = false;
    if (!words)
        return;
    l->n = find_all(s, words, l->fit);
    s->view.lists[LIST_INSTRUMENTS].point = first_choice(s, words);
    if (l->n && l->fit[0] != before && words[strspn(words, " ")]) {
        choose(s, 0);
        l->was_stepped = false;
    }
}

static void fill_list(struct session *s, struct list_view *l)
{
    s->view.instruments.programs = s->parts.instruments->fit;
    s->view.instruments.are_kits = track_is_drums(session_track(s));
    l->n = s->parts.instruments->n;
}

static bool is_typed(const struct session *s)
{
    return words_typed(s);
}

static const struct list_owner INSTRUMENT_LIST = {.id = LIST_INSTRUMENTS,
                                                  .mode = MODE_PROMPT,
                                                  .is_ring = true,
                                                  .is_open = is_typed,
                                                  .fill = fill_list,
                                                  .choose = choose};

bool instrument_step(struct session *s, int by)
{
    if (is_typed(s))
        list_step(s, &INSTRUMENT_LIST, by);
    return is_typed(s);
}

/* A name such as "Piano" or "Track 3" says no more than the instrument. */
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

/* Sets the instrument that was chosen in the list, or the best match. */
void act_instrument_line(struct session *s, const char *words)
{
    struct instrument_list *l = s->parts.instruments;
    l->n = find_all(s, words, l->fit);
    const int at = l->was_stepped && s->view.lists[LIST_INSTRUMENTS].point < l->n
                       ? s->view.lists[LIST_INSTRUMENTS].point
                       : first_choice(s, words);
    l->was_stepped = false;
    if (!l->n)
        session_error(s, track_is_drums(session_track(s))
                             ? "no such drum kit; this channel plays drums"
                             : "no such instrument; B and then i lists them");
    if (!l->n)
        return;
    const struct score *score = s->project.score;
    const int channel = track_sound_channel(session_track(s)), program = l->fit[at];
    struct change *c = edit_begin("track %d plays %s", s->view.track + 1,
                                  program_name(channel, program));
    if (program == session_track(s)->program) {
        session_say(s, "%s", c ? c->label : "");
        change_destroy(c);
    } else {
        char others[64];
        change_set_program(c, score, s->view.track, (uint8_t)program);
        tracks_follow_name(c, s, channel, program);
        if (!edit_do_aloud(s, c))
            return;
        session_say_more(s, "%s", tracks_sharing(s, others));
    }
    struct control_point programs[2];
    char place[PLACE_BYTES];
    if (held_programs(s->project.score, s->view.track, programs, 2) > 1)
        session_say_more(s, "; %s follows from %s",
                         program_name(channel, programs[1].value),
                         place_name(session_timeline(s), programs[1].tick, place));
}

const struct editor_part INSTRUMENT_PART = {
    PART_STATE(instruments),
    .list = &INSTRUMENT_LIST,
};
