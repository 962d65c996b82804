/* `:accompany bass, drums`: adds tracks for a band and requests takes for them. Rejecting
 * the takes removes the tracks again; accepting one makes tracks and notes one step. The
 * edit's label, which the history keeps, identifies such tracks, also after a restart. */
#include "app/editor/takes/band.h"

#include "app/document/band_tracks.h"
#include "app/editor/session/edit.h"
#include "app/editor/takes/machine.h"

#include <stdio.h>
#include <string.h>

#define TRACKS_FOR "add tracks for "

/* The edit that added the tracks, if it is the last; else NULL. */
static const struct change *added(const struct session *s)
{
    const struct change *c = history_now(s->project.history)->change;
    return c && !strncmp(c->label, TRACKS_FOR, strlen(TRACKS_FOR)) ? c : NULL;
}

bool band_waits(const struct session *s)
{
    return added(s) != NULL;
}

const char *band_words(const struct session *s)
{
    return added(s) ? added(s)->label + strlen(TRACKS_FOR) : "";
}

bool band_take_away(struct session *s)
{
    if (!band_waits(s) || s->has_take || !project_undo(&s->project, NULL))
        return false;
    s->request.asked.bars = 0; /* nothing to try again */
    session_revalidate(s);
    return true;
}

bool band_do_with_tracks(struct session *s, struct change *c)
{
    const struct history *h = s->project.history;
    if (!band_waits(s))
        return session_do(s, c);
    if (change_add_all(c, added(s)) ||
        project_go(&s->project, history_now(h)->parent)) {
        change_destroy(c);
        return session_no_memory(s);
    }
    const bool is_done = session_do(s, c);
    if (!is_done && project_forward(&s->project, 1, NULL))
        session_revalidate(s);
    return is_done;
}

static bool add_tracks(struct session *s, const struct band *band, const char *words,
                       uint64_t *tracks)
{
    char label[96];
    snprintf(label, sizeof label, TRACKS_FOR "%s", words);
    struct change *c = change_create(label);
    enum midi_status st = change_add_band(c, s->project.score, band, tracks);
    if (st != MIDI_TOO_LONG)
        return edit_do(s, c, st);
    change_destroy(c);
    session_say(s, "no room for %d more tracks: only the first %d can be written on",
                band->n, TOKEN_MAX_TRACKS);
    return false;
}

/* The selected bars, or those of the melody. */
static struct box bars_meant(const struct session *s)
{
    struct box b = {.pitch_hi = 127};
    if (s->selection.has_box) {
        b.from = s->selection.box.from;
        b.to = s->selection.box.to;
    } else {
        band_bars(s->project.score, s->track, &b.from, &b.to);
    }
    return b;
}

static void act_accompany_line(struct session *s, const char *words)
{
    struct band band;
    char wrong[BAND_WORDS];
    const struct track *melody = session_track(s);
    if (!band_read(&band, words, wrong)) {
        session_error(s,
                      *wrong ? "no instrument is called %s"
                             : "accompany wants instruments%s: bass, drums, piano",
                      wrong);
        return;
    }
    if (!machine_is_free(s))
        return;
    if (!melody || !melody->n_notes) {
        session_say(s, "this track has no melody to accompany");
        return;
    }
    const struct box b = bars_meant(s);
    uint64_t tracks;
    if (add_tracks(s, &band, words, &tracks))
        hole_change(s, &b, tracks, 0);
    band_take_away(s); /* if nothing could be requested */
}

const struct editor_part BAND_PART = {
    ON_LINES({"accompany", .run = act_accompany_line}),
};
