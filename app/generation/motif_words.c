/* See motif_words.h. */
#include "app/generation/motif_words.h"

#include "app/base/values.h"
#include "midi/score/general_midi.h"
#include "midi/tokens/piece.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const MOTIF_KINDS[] = {"off", "exact", "transposed", "varied", NULL};

/* A bar's number at *text, which moves past it. */
static bool read_bar(const char **text, int *bar)
{
    char *end;
    const long n = strtol(*text, &end, 10);
    if (**text < '0' || **text > '9' || n < 1 || n > 1 << 20)
        return false;
    *text = end;
    *bar = (int)n;
    return true;
}

bool motif_read(const char *text, struct motif_bars *out)
{
    struct motif_bars b = {.kind = MOTIF_EXACT};
    int kind = MOTIF_EXACT;
    if (!read_bar(&text, &b.first))
        return false;
    b.last = b.first;
    if (*text == '-' && (text++, !read_bar(&text, &b.last)))
        return false;
    if (*text == ':' && (!value_word(text + 1, MOTIF_KINDS, &kind) || !kind))
        return false;
    if ((*text && *text != ':') || b.last < b.first)
        return false;
    b.kind = (enum motif_kind)kind;
    *out = b;
    return true;
}

/* By the mean pitch of what begins there; -1: none is audible. */
static int highest_track(const struct score *s, int64_t from, int64_t to)
{
    int best = -1;
    double most = -1;
    for (int t = 0; t < (int)s->n_tracks && t < TOKEN_MAX_TRACKS; t++) {
        const struct track *track = &s->tracks[t];
        bool is_heard = !track->mute && piece_family(track) != FAMILY_DRUMS;
        double sum = 0;
        int n = 0;
        for (size_t i = 0; is_heard && i < track->n_notes; i++)
            if (track->notes[i].start >= from && track->notes[i].start < to) {
                sum += track->notes[i].pitch;
                n++;
            }
        if (n && sum / n > most) {
            most = sum / n;
            best = t;
        }
    }
    return best;
}

struct continuation_motif motif_of_bars(const struct motif_bars *b,
                                        const struct score *s, int track)
{
    struct continuation_motif m = {
        .kind = b->kind,
        .from_tick = timeline_bar(&s->timeline, b->first - 1).start,
        .to_tick = timeline_bar(&s->timeline, b->last).start,
        .pitch_hi = 127,
    };
    track = track < 0 ? highest_track(s, m.from_tick, m.to_tick) : track;
    m.tracks = track >= 0 && track < TOKEN_MAX_TRACKS ? UINT64_C(1) << track : 0;
    return m;
}

const char *motif_say(const struct motif_place *at, const struct timeline *t,
                      char buf[MOTIF_TEXT])
{
    static const char *const INTERVALS[] = {"",          "a second", "a third",
                                            "a fourth",  "a fifth",  "a sixth",
                                            "a seventh", "an octave"};
    const int n = abs(at->steps);
    char how[MOTIF_TEXT / 2] = "";
    if (at->kind == MOTIF_VARIED)
        snprintf(how, sizeof how, ", varied");
    else if (n && n < (int)(sizeof INTERVALS / sizeof *INTERVALS))
        snprintf(how, sizeof how, ", %s %s", INTERVALS[n],
                 at->steps > 0 ? "up" : "down");
    *buf = '\0';
    if (at->kind)
        snprintf(buf, MOTIF_TEXT, "motif in bar %" PRId64 "%s",
                 timeline_bar_at(t, at->tick).index + 1, how);
    return buf;
}
