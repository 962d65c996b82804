/* `e`: what the inspector shows on the roll, as a picture or a table. The ui thread writes
 * it: it is small, and the user asked for it. `continuo attention` writes matrices, too. */
#include "app/base/paths.h"
#include "app/base/values.h"
#include "app/editor/inspect/inspect.h"
#include "app/editor/session/session.h"
#include "app/inspection/attention_work.h"
#include "app/picture/map_picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct inspect_note *chosen_note(const struct session *s)
{
    const struct inspect_view *v = &s->parts.inspect->view;
    bool is_there = v->chosen >= 0 && v->chosen < (int)v->n_notes;
    return is_there ? &v->notes[v->chosen] : NULL;
}

/* "D5 at bar 1, beat 4", in ASCII. */
static const char *name_note(const struct session *s, const struct inspect_note *n,
                             char *buf, size_t n_buf)
{
    char pitch[16], place[PLACE_BYTES];
    attention_pitch_name(pitch, sizeof pitch, n->note.pitch);
    snprintf(buf, n_buf, "%s of track %d at %s", pitch, n->track + 1,
             place_name(session_timeline(s), n->note.start, place));
    return buf;
}

static const char *what_is_shown(const struct inspect_view *v)
{
    return v->shows_surprise ? "surprise of each note, in nats"
           : v->is_looked_at ? "what attended to it"
                             : "what it attended to";
}

static enum midi_status write_picture(struct session *s, const char *path)
{
    const struct inspect_view *v = &s->parts.inspect->view;
    char title[96], head[64] = "", note[96] = "", about[256];
    const struct inspect_note *chosen = chosen_note(s);
    struct wash_note *notes = calloc(v->n_notes + 1, sizeof *notes);
    struct wash_picture p = {.title = title,
                             .about = about,
                             .timeline = session_timeline(s),
                             .from = INT64_MAX,
                             .notes = notes,
                             .n_notes = (int)v->n_notes,
                             .shade = (enum heat_kind)v->scale};
    if (!notes)
        return MIDI_NO_MEMORY;
    for (int i = 0; i < p.n_notes; i++) {
        const struct inspect_note *n = &v->notes[i];
        const float amount = v->shows_surprise ? n->surprise : n->weight;
        notes[i] = (struct wash_note){.start = n->note.start,
                                      .length = n->note.length,
                                      .pitch = n->note.pitch,
                                      .weight = amount > 0 ? amount : 0,
                                      .is_chosen = i == v->chosen,
                                      .is_read = amount >= 0};
        const int64_t end = notes[i].start + notes[i].length;
        p.from = notes[i].start < p.from ? notes[i].start : p.from;
        p.to = end > p.to ? end : p.to;
    }
    inspect_head_title(v, head, sizeof head);
    snprintf(title, sizeof title, "%s", v->shows_surprise ? "surprise" : head);
    if (chosen)
        name_note(s, chosen, note, sizeof note);
    snprintf(about, sizeof about, "white: %s; tinted: %s", note, what_is_shown(v));
    enum midi_status st = wash_picture_save(&p, path);
    free(notes);
    return st;
}

static enum midi_status write_table(const struct session *s, const char *path)
{
    const struct inspect_view *v = &s->parts.inspect->view;
    char pitch[16];
    struct output_file out;
    if (!output_file_open(&out, path))
        return MIDI_CANNOT_WRITE;
    FILE *f = out.stream;
    fputs("bar,beat,track,pitch,chosen,weight,surprise_nats\n", f);
    for (size_t i = 0; i < v->n_notes; i++) {
        const struct inspect_note *n = &v->notes[i];
        const struct bar bar = timeline_bar_at(session_timeline(s), n->note.start);
        const int64_t beat = timeline_beat_ticks(session_timeline(s), bar.start);
        attention_pitch_name(pitch, sizeof pitch, n->note.pitch);
        fprintf(f, "%lld,%.7g,%d,%s,%d,", (long long)bar.index + 1,
                1 + (double)(n->note.start - bar.start) / (double)(beat > 0 ? beat : 1),
                n->track + 1, pitch, (int)i == v->chosen);
        if (n->weight >= 0)
            fprintf(f, "%.7g", (double)n->weight);
        putc(',', f);
        if (n->surprise >= 0)
            fprintf(f, "%.7g", (double)n->surprise);
        putc('\n', f);
    }
    return output_file_close(&out, true) ? MIDI_OK : MIDI_CANNOT_WRITE;
}

void act_export_line(struct session *s, const char *line)
{
    char path[4096];
    const bool is_picture = file_ends_with(line, ".png");
    enum midi_status st = MIDI_OK;
    if (!*line)
        return;
    if (!s->parts.inspect->is_open || !chosen_note(s))
        session_error(s, "nothing to export: no note is inspected");
    else if (!is_picture && !file_ends_with(line, ".csv"))
        session_error(s, "export to a picture, NAME.png, or to a table, NAME.csv");
    else if (!file_expand(path, sizeof path, line))
        session_error(s, "that name is too long");
    else if (access(path, F_OK) == 0)
        session_error(s, "%s already exists: choose another name", line);
    else {
        errno = 0;
        st = is_picture ? write_picture(s, path) : write_table(s, path);
        if (!st)
            session_say(s, "%s was written", path);
    }
    if (st)
        session_file_error(s, path, st, "");
}

/* "song-attention.png" in the current folder. */
const char *export_suggest(struct session *s, char *buf, size_t n)
{
    const char *name = s->project.path ? file_base_name(s->project.path) : "untitled";
    snprintf(buf, n, "%.*s-%s.png", (int)strcspn(name, "."), name,
             s->parts.inspect->shows_surprise ? "surprise" : "attention");
    return buf;
}
