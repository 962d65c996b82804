/* Chooses the rows that the roll shows. Rows outside the scale can be folded away. On a drum
 * track the rows are a kit: the sounds that the piece uses and the common sounds, by name. On
 * other tracks they are the keys of a piano; also if the roll frames takes of other tracks
 * (app/editor/takes/framing.c). */
#include "app/editor/session/session.h"
#include "midi/score/general_midi.h"

#include <string.h>

/* The sounds of a drum kit, the most important first. `instead` is nearly the same sound; if the
 * piece uses only that one, the kit has it instead. `key` is the key of the computer's keyboard
 * that strikes the sound. */
static const struct sound {
    uint8_t pitch, instead;
    char key;
} KIT[] = {
    {GM_KICK, 35, 'z'}, {38, 40, 'x'}, {42, 42, 'c'}, {46, 46, 'v'},
    {49, 57, 'n'},      {51, 59, 'b'}, {43, 41, 'g'}, {47, 45, 'h'},
    {50, 48, 'j'},      {44, 44, 'm'}, {37, 37, 's'}, {39, 39, 'd'},
};
enum { N_KIT = sizeof KIT / sizeof KIT[0] };

struct fold {
    /* The pitches of notes, and the project's version and hidden tracks that they were found
     * for. */
    bool is_known;
    uint64_t version, hidden;
    struct pitch_set used, hit; /* by visible tracks; by drum tracks */

    int pitch;            /* the cursor's at the last look */
    struct viewport keys; /* the view and the cursor's pitch before the kit */
    int keys_pitch;
    char letters[128]; /* of each pitch's key; 0: none */
};

bool session_has_rows_for(const struct session *s, int track)
{
    return !s->view.kit.is_shown || track_is_drums(&s->project.score->tracks[track]);
}

/* Finds the pitches of all notes if the music or the hidden tracks have changed. */
static void update_used(struct session *s)
{
    const struct score *score = s->project.score;
    struct fold *f = s->parts.fold;
    uint64_t hidden = score->n_tracks; /* which of them are */
    for (size_t t = 0; t < score->n_tracks; t++)
        hidden = hidden * 3 + score->tracks[t].hide;
    if (f->is_known && f->version == s->project.version && f->hidden == hidden)
        return;
    f->is_known = true;
    f->version = s->project.version;
    f->hidden = hidden;
    f->used = f->hit = (struct pitch_set){{0, 0}};
    for (size_t k = 0; k < score->n_tracks; k++) {
        const struct track *t = &score->tracks[k];
        for (size_t i = 0; i < t->n_notes; i++) {
            if (!t->hide)
                pitch_set_add(&f->used, t->notes[i].pitch & 127);
            if (track_is_drums(t))
                pitch_set_add(&f->hit, t->notes[i].pitch & 127);
        }
    }
}

static int n_rows(const struct pitch_set *p)
{
    return __builtin_popcountll(p->at[0]) + __builtin_popcountll(p->at[1]);
}

/* Returns the used sounds, and common sounds as far as rows are left. */
static struct pitch_set rows_of_kit(struct session *s)
{
    const struct score *score = s->project.score;
    update_used(s);
    struct pitch_set show = s->parts.fold->hit;
    for (int take = 0; take < s->takes.n; take++) {
        const struct proposal *p = &s->takes.list[take];
        for (size_t i = 0; i < p->n_waiting; i++) {
            int track = p->ghosts[i].track;
            if (track >= 0 && track < (int)score->n_tracks &&
                track_is_drums(&score->tracks[track]))
                pitch_set_add(&show, p->ghosts[i].note.pitch & 127);
        }
    }
    for (int i = 0; i < N_KIT && n_rows(&show) < s->layout.roll.rows; i++)
        if (!pitch_set_has(&show, KIT[i].instead))
            pitch_set_add(&show, KIT[i].pitch);
    for (int pitch = 0; s->roll.whole_kit && pitch < 128; pitch++)
        if (*gm_drum_name(pitch))
            pitch_set_add(&show, pitch);
    return show;
}

/* Returns the pitch of the two that has a row. */
static int pitch_of_sound(const struct session *s, const struct sound *sound)
{
    const struct pitch_set *hit = &s->parts.fold->hit;
    return pitch_set_has(hit, sound->instead) && !pitch_set_has(hit, sound->pitch)
               ? sound->instead
               : sound->pitch;
}

int session_kit_key(const struct session *s, uint32_t letter)
{
    for (int i = 0; i < N_KIT; i++)
        if (letter == (uint32_t)KIT[i].key)
            return pitch_of_sound(s, &KIT[i]);
    return -1;
}

/* Makes rows two lines high where all of a kit have room; returns the rows. */
static struct pitch_set fit_kit(struct session *s)
{
    const struct pitch_set rows = rows_of_kit(s);
    s->view.port.rows_per_pitch = 2 * n_rows(&rows) <= s->layout.roll.rows ? 2 : 1;
    return rows;
}

void session_fold(struct session *s)
{
    struct fold *f = s->parts.fold;
    const struct track *t = session_track(s);
    bool is_kit = t && track_is_drums(t) && !s->roll.frames_pitches;
    struct viewport *p = &s->view.port;
    struct roll_point *cursor = &s->view.cursor;
    /* Rows stay while the mouse holds notes. On the way back from a kit the cursor returns to its
     * old pitch unless it was moved. */
    const bool changes = is_kit != s->view.kit.is_shown && !s->drag;
    if (changes) {
        s->view.kit.is_shown = is_kit;
        session_lay_out(s, s->layout.columns, s->layout.rows);
    }
    if (changes && is_kit) {
        f->keys = *p;
        f->keys_pitch = cursor->pitch;
        const struct pitch_set rows = fit_kit(s);
        if (!pitch_set_has(&rows, cursor->pitch))
            cursor->pitch = pitch_of_sound(s, &KIT[0]);
    } else if (changes) {
        if (cursor->pitch == f->pitch)
            cursor->pitch = f->keys_pitch;
        p->hidden = (struct pitch_set){{0, 0}};
        p->top_pitch = f->keys.top_pitch;
        p->rows_per_pitch = f->keys.rows_per_pitch;
        viewport_show(p, &s->layout, cursor->tick, cursor->pitch);
    }
    f->pitch = cursor->pitch;
    if (s->roll.folds_for_take)
        return;
    uint16_t mask = s->roll.folds ? session_scale_mask(s) : 0;
    struct pitch_set hidden = {{0, 0}};
    if (s->view.kit.is_shown || mask) {
        update_used(s);
        struct pitch_set show = s->view.kit.is_shown ? rows_of_kit(s) : f->used;
        pitch_set_add(&show, s->view.cursor.pitch);
        for (int pitch = 0; !s->view.kit.is_shown && pitch < 128; pitch++)
            if (scale_has(mask, pitch))
                pitch_set_add(&show, pitch);
        const struct proposal *take =
            s->view.kit.is_shown ? NULL : proposals_shown(&s->takes);
        for (size_t i = 0; take && i < take->n_waiting; i++)
            pitch_set_add(&show, take->ghosts[i].note.pitch & 127);
        hidden = (struct pitch_set){{~show.at[0], ~show.at[1]}};
    }
    if (hidden.at[0] != s->view.port.hidden.at[0] ||
        hidden.at[1] != s->view.port.hidden.at[1])
        viewport_fold(&s->view.port, &s->layout, hidden, s->view.cursor.pitch);
}

void act_fold(struct session *s)
{
    if (s->view.kit.is_shown)
        act_toggle(s, &s->roll.whole_kit, "all sounds of a kit",
                   "only used and common sounds");
    else if (need_scale(s))
        act_toggle(s, &s->roll.folds, "only rows of the scale, and of other notes",
                   "all rows");
    session_show_cursor(s);
}

/* Another piece begins with the rows of the keys. */
static void forget(struct session *s)
{
    struct fold *f = s->parts.fold;
    f->is_known = s->view.kit.is_shown = false;
    s->view.port.hidden = (struct pitch_set){{0, 0}};
    session_lay_out(s, s->layout.columns, s->layout.rows);
}

static void resized(struct session *s)
{
    if (!s->view.kit.is_shown)
        return;
    fit_kit(s);
    session_show_cursor(s);
}

static void view_kit(struct session *s, struct view *v)
{
    struct fold *f = s->parts.fold;
    v->kit.used = f->hit;
    if (!s->view.kit.is_shown ||
        (s->view.mode != MODE_PLAY && s->view.mode != MODE_STEP))
        return;
    memset(f->letters, 0, sizeof f->letters);
    for (int i = 0; i < N_KIT; i++)
        f->letters[pitch_of_sound(s, &KIT[i])] = KIT[i].key;
    v->kit.letters = f->letters;
}

const struct editor_part FOLD_PART = {
    PART_STATE(fold),   .reset = forget,  .acted = session_fold,
    .resized = resized, .view = view_kit,
};
