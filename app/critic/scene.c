/* See scene.h. */
#include "app/critic/scene.h"

#include "app/decoding/context.h"
#include "midi/base/larger.h"
#include "midi/edit/timeline_events.h"
#include "midi/tokens/chord_guess.h"
#include "midi/tokens/grid_chord.h"

#include <stdlib.h>

/* Makes a piece of the score with the new notes. map: see piece_from_score. In the wanted tracks, by
 * their numbers in the score, a kit's first track stands for those that are one token track there. */
static enum midi_status read_piece(struct piece *p, int map[TOKEN_MAX_TRACKS],
                                   uint64_t *wanted, const struct score *s,
                                   const struct continuation_options *o,
                                   const struct take *take)
{
    int home[128];
    uint64_t kit;
    struct score *all = score_clone(s);
    const int64_t to = step_from_tick(take->stats.to_tick, s->ticks_per_quarter);
    bool ok = all;
    for (size_t t = 0; ok && t < all->n_tracks; t++)
        all->tracks[t].mute = false;
    for (size_t i = 0; ok && i < take->n_notes; i++) {
        const int track = take->notes[i].track;
        struct note note = take->notes[i].note;
        note.id = 0;
        if (track >= 0 && (size_t)track < all->n_tracks)
            ok = score_add_note(all, track, note);
    }
    enum midi_status st =
        ok ? piece_from_score(p, all, STYLE_ANY, map, to) : MIDI_NO_MEMORY;
    const int first = ok ? score_split_kit(all, home, &kit) : -1;
    *wanted = o->tracks;
    if (first >= 0 && *wanted & kit)
        *wanted = (*wanted & ~kit) | UINT64_C(1) << first;
    score_destroy(all);
    if (!st && (st = context_read_chords(p, s, INT64_MAX)))
        piece_fini(p);
    return st;
}

/* Tracks that were to be written are there without notes, too. */
static void find_asked(struct scene *c, const struct score *s,
                       int map[TOKEN_MAX_TRACKS], uint64_t wanted)
{
    c->asked = wanted ? 0 : piece_tracks(&c->all);
    for (int i = 0; i < TOKEN_MAX_TRACKS && (size_t)i < s->n_tracks; i++) {
        int t = 0;
        while (t < TOKEN_MAX_TRACKS && map[t] != i && map[t] >= 0)
            t++;
        if (!(wanted >> i & 1) || t == TOKEN_MAX_TRACKS)
            continue;
        map[t] = i;
        c->asked |= UINT64_C(1) << t;
        c->all.families[t] = piece_family(&s->tracks[i]);
    }
}

/* Copies the piece with notes of its own: those of the take or of the score (-1: both), but for those of
 * one track (-1: none). false: out of memory. */
static bool copy_notes(struct piece *out, const struct scene *c, int is_new,
                       int without)
{
    const struct piece *p = &c->all;
    *out = *p;
    out->n_notes = 0;
    out->notes = calloc(p->n_notes + 1, sizeof *p->notes);
    for (size_t i = 0; out->notes && i < p->n_notes; i++)
        if (p->notes[i].track != without &&
            (is_new < 0 || scene_is_new(c, &p->notes[i]) == is_new))
            out->notes[out->n_notes++] = p->notes[i];
    return out->notes;
}

/* Written chords go on through the new bars if one stands in them or behind, or given notes do. Else
 * the last of chords that stop with the music would read as if it went on: takes are drawn without
 * it, too (app/decoding/context.c). */
static enum midi_status find_chords(struct scene *c)
{
    const struct piece *p = &c->all;
    const int64_t from = c->bars[c->first_new], to = c->bars[c->end_new];
    const bool goes_on = piece_note_at(&c->given, to) < c->given.n_notes ||
                         (p->n_chords && p->chords[p->n_chords - 1].step >= from);
    enum midi_status st = MIDI_OK;
    c->written_to = goes_on ? INT64_MAX : from;
    for (int t = 0; !st && t <= TOKEN_MAX_TRACKS; t++) {
        struct piece heard;
        if (t < TOKEN_MAX_TRACKS && !c->tracks[t].n)
            continue;
        const bool ok = copy_notes(&heard, c, -1, t);
        heard.chords = NULL;
        heard.n_chords = 0;
        st = ok ? chord_guess(&heard) : MIDI_NO_MEMORY;
        c->chords[t] = (struct chord_list){heard.chords, heard.n_chords};
        free(heard.notes);
    }
    return st;
}

bool scene_chord_beside(const struct scene *c, int track, int64_t step,
                        struct grid_chord *out)
{
    const struct chord_list lists[] = {
        {c->all.chords, step < c->written_to ? c->all.n_chords : 0},
        c->chords[track],
        c->chords[TOKEN_MAX_TRACKS]};
    for (int i = 0; i < 3; i++) {
        const size_t n = grid_chords_until(lists[i].of, lists[i].n, step);
        if (n && lists[i].of[n - 1].root < 12) {
            *out = lists[i].of[n - 1];
            out->bass = i ? out->root : out->bass;
            return true;
        }
    }
    return false;
}

enum midi_status scene_init(struct scene *scene, const struct score *s,
                            const struct continuation_options *o,
                            const struct take *take)
{
    const int tpq = s->ticks_per_quarter;
    const int64_t from_tick = take->stats.from_tick, to_tick = take->stats.to_tick;
    int map[TOKEN_MAX_TRACKS];
    uint64_t wanted;
    struct piece p;
    *scene = (struct scene){
        .is_hole = o->hole.to_tick > 0, .close = o->hole.close, .first_id = s->next_id};
    if (from_tick < 0 || to_tick <= from_tick)
        return MIDI_EMPTY;
    enum midi_status st = read_piece(&p, map, &wanted, s, o, take);
    if (st)
        return st;
    /* The bars that are read. The take's first bar is the one in which it begins; of a continuation that
     * completes a bar, the next one. */
    const int64_t from = step_from_tick(from_tick, tpq),
                  to = step_from_tick(to_tick, tpq), bar = piece_bar_at(&p, from),
                  completes = !scene->is_hole && from > piece_bar_start(&p, bar) &&
                              piece_bar_start(&p, bar + 1) < to,
                  first = bar + completes, end = piece_bar_at(&p, to - 1) + 1,
                  before = smaller(first, SCENE_BARS_BEFORE);
    scene->first_new = (int)before;
    scene->end_new = (int)(before + end - first);
    if (end <= first)
        st = MIDI_EMPTY;
    else if (end - first > CONTINUATION_MAX_BARS + 1)
        st = MIDI_TOO_LONG;
    else
        st = piece_window(&scene->all, &p, (int32_t)(first - before),
                          scene->end_new + (scene->is_hole ? SCENE_BARS_AFTER : 0));
    piece_fini(&p);
    if (!st) {
        scene->n_bars = scene->all.n_bars;
        piece_bar_starts(&scene->all, scene->bars);
        find_asked(scene, s, map, wanted);
        const bool ok = copy_notes(&scene->given, scene, false, -1) &&
                        copy_notes(&scene->now, scene, true, -1);
        st = !ok ? MIDI_NO_MEMORY : scene->all.n_notes ? MIDI_OK : MIDI_EMPTY;
    }
    if (!st) {
        struct track_facts facts[TOKEN_MAX_TRACKS];
        analyse_tracks(scene->tracks, &scene->all, 0, scene->all.n_notes);
        analyse_tracks(scene->tracks_given, &scene->given, 0, scene->given.n_notes);
        for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
            facts[t] =
                scene->tracks_given[t].n ? scene->tracks_given[t] : scene->tracks[t];
        scene->tune =
            find_outer_track(facts, scene->asked & ~piece_drums(&scene->all), true);
        /* The key is that of a scale that was set, or a guess that heeds the signature. */
        struct signature signature;
        struct scale set;
        st = timeline_signature(s, from_tick, &signature);
        if (o->scale && scale_from_mask(o->scale, &set))
            signature = (struct signature){o->scale, scale_tonic(&set)};
        const struct piece_key key =
            piece_key(&scene->all, &signature, scene->bars[scene->first_new],
                      scene->bars[scene->end_new]);
        const int tonic = key.tonic < 0 ? 0 : key.tonic;
        const unsigned raised = 1u << (tonic + 9) % 12 | 1u << (tonic + 11) % 12;
        scene->tonic = tonic;
        scene->is_minor = key.is_minor;
        scene->scale =
            o->scale ? o->scale
            : key.tonic < 0
                ? KEY_OF_C
                : (uint16_t)(scale_mask(&key.scale) | (key.is_minor ? raised : 0));
    }
    if (!st)
        st = find_chords(scene);
    if (st)
        scene_fini(scene);
    return st;
}

void scene_fini(struct scene *scene)
{
    piece_fini(&scene->all);
    free(scene->given.notes);
    free(scene->now.notes);
    for (int t = 0; t <= TOKEN_MAX_TRACKS; t++)
        free(scene->chords[t].of);
    *scene = (struct scene){0};
}
