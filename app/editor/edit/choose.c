/* Selects notes by pitch, pitch class, scale, track or typed conditions; selects all other
 * notes; selects the previous notes again. The new selection has no box. */
#include "app/editor/edit/find.h"
#include "app/editor/session/session.h"

void select_aloud(struct session *s, const struct choice *c, const char *what)
{
    if (c)
        select_where(s, c);
    size_t n = s->selection.n;
    const char *does = s->view.mode == MODE_SELECT ? ""
                       : n == 1                    ? "; cc rewrites it"
                                                   : "; cc rewrites them";
    if (!n)
        session_say(s, "no note here is %s", what);
    else if (s->selection.n_tracks > 1)
        session_say(s, "%zu notes of %d tracks selected%s", n, s->selection.n_tracks,
                    does);
    else
        session_say(s, "%zu note%s selected%s", n, plural((long long)n), does);
}

/* of: the id of the command that selects. */
static bool is_meant(const struct session *s, const struct note *n, const void *of)
{
    const enum command_id id = *(const enum command_id *)of;
    return id == CMD_SELECT_PITCH         ? n->pitch == s->view.cursor.pitch
           : id == CMD_SELECT_PITCH_CLASS ? n->pitch % 12 == s->view.cursor.pitch % 12
                                          : !scale_has(session_scale_mask(s), n->pitch);
}

void act_select_pitch(struct session *s, const struct command *c)
{
    bool by_scale = c->id == CMD_SELECT_OUT_OF_SCALE;
    if (by_scale && !need_scale(s))
        return;
    if (by_scale && session_track(s) && track_is_drums(session_track(s))) {
        session_clear_selection(s);
        session_say(s, "the sounds of drums are of no scale: none is selected");
        return;
    }
    select_aloud(s, &(struct choice){.has = is_meant, .of = &c->id},
                 by_scale ? "outside the scale" : "of this pitch");
}

void act_select_tracks(struct session *s, const struct command *c)
{
    int n_tracks = (int)s->project.score->n_tracks;
    if (c->count > n_tracks) {
        session_say(s, "there are only %d tracks", n_tracks);
        return;
    }
    session_clear_selection(s);
    if (c->count > 0)
        s->view.track = c->count - 1;
    select_aloud(s, &(struct choice){.all_tracks = c->by}, "on this track");
}

void act_select_rest(struct session *s)
{
    bool had_any = s->selection.n > 0;
    bool all_tracks =
        s->selection.n_tracks > 1 ||
        (s->view.mode == MODE_SELECT && s->selection.bars && s->selection.all_tracks);
    select_aloud(s,
                 &(struct choice){.all_tracks = all_tracks,
                                  .among = had_any ? AMONG_OTHERS : AMONG_ALL},
                 "left");
}

void act_select_again(struct session *s)
{
    struct selected_before b = s->selection.before;
    if (!b.n) {
        session_say(s, "nothing was selected before");
        return;
    }
    if (b.has_box) {
        session_clear_selection(s);
        /* Opens the old box again, with its ends on the grid of now. */
        if (b.track < (int)s->project.score->n_tracks)
            s->view.track = b.track;
        s->view.cursor.tick = grid_floor(s, b.box.to - 1);
        s->view.cursor.pitch = b.bars ? s->view.cursor.pitch : b.box.pitch_lo;
        select_begin_box(s, (struct roll_point){b.box.from, b.box.pitch_hi}, b.bars,
                         b.all_tracks);
        session_show_cursor(s);
        return;
    }
    /* Exchanges the two selections, so that gv again leads back. */
    s->selection.before.n = s->selection.n;
    s->selection.before.ids = s->selection.ids;
    s->selection.before.cap = s->selection.cap;
    s->selection.ids = b.ids;
    s->selection.n = b.n;
    s->selection.cap = b.cap;
    select_leave_box(s);
    select_forget_missing(s);
    select_aloud(s, NULL, "left in the selection");
}

static bool fits_filter(const struct session *s, const struct note *n, const void *of)
{
    return note_filter_has(of, s->project.score, n);
}

void act_select_line(struct session *s, const char *words)
{
    struct note_filter filter;
    const bool had_any = s->selection.n > 0;
    if (!note_filter_parse(words, &filter)) {
        session_error(s, "select: use velocity>90, length<1/16, pitch C3-G4, bar 3-5, "
                         "or several of these");
        return;
    }
    select_aloud(s,
                 &(struct choice){fits_filter, &filter, had_any,
                                  had_any ? AMONG_SELECTED : AMONG_ALL},
                 "so");
}
