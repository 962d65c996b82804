/* `e`: the inspector's page as a picture, or its notes as a table. The ui thread writes it: it is
 * small, and the user asked for it. `continuo attention` writes finer matrices. */
#include "app/base/paths.h"
#include "app/base/values.h"
#include "app/editor/inspect/inspect.h"
#include "app/editor/session/session.h"
#include "app/inspection/attention_work.h"
#include "app/picture/picture.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct inspect_note *chosen_note(const struct session *s)
{
    const struct inspect_view *v = &s->parts.inspect->view;
    bool is_there = v->chosen >= 0 && v->chosen < (int)v->n_notes;
    return is_there ? &v->notes[v->chosen] : NULL;
}

/* Writes the inspector's page, with what the screen has no room for. */
static enum midi_status write_picture(struct session *s, const char *path)
{
    const struct inspecting *i = s->parts.inspect;
    const struct inspect_note *chosen = chosen_note(s);
    char head[64], pitch[16], place[PLACE_BYTES], heading[512];
    struct view v;
    session_view(s, &v, 0);
    struct inspect_view page = i->view;
    const bool is_grid = page.page == INSPECT_GRID;
    inspect_head_title(&page, head, sizeof head);
    inspected_pitch_name(pitch, sizeof pitch, chosen->note.pitch);
    snprintf(heading, sizeof heading, "%s%s%s\n%s: %s of track %d at %s; %s",
             is_grid               ? "every layer and head"
             : page.shows_surprise ? "surprise"
                                   : head,
             page.head_name && *page.head_name && !is_grid ? ": " : "",
             page.head_name && !is_grid ? page.head_name : "",
             project_base_name(&s->project), pitch, chosen->track + 1,
             place_name(session_timeline(s), chosen->note.start, place),
             page.shows_surprise ? "tinted: how surprising each note was"
             : page.is_looked_at ? "tinted: what attended to it"
                                 : "tinted: what it attended to");
    page.unit = page.shows_surprise ? "surprise" : "weight";
    v.inspect = &page;
    return picture_save(&v, heading, path);
}

static enum midi_status write_table(const struct session *s, const char *path)
{
    const struct inspect_view *v = &s->parts.inspect->view;
    struct output_file out;
    if (!output_file_open(&out, path))
        return MIDI_CANNOT_WRITE;
    FILE *f = out.stream;
    fputs("bar,beat,track,pitch,chosen,weight,surprise_nats\n", f);
    for (size_t i = 0; i < v->n_notes; i++) {
        const struct inspect_note *n = &v->notes[i];
        const struct note_name name =
            note_name_of(session_timeline(s), n->note.start, n->note.pitch);
        fprintf(f, "%lld,%.7g,%d,%s,%d,", (long long)name.bar, name.beat, n->track + 1,
                name.pitch, n->is_chosen);
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
    if (!s->view.inspect || !chosen_note(s))
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

/* Suggests "song-attention.png" in the current folder. */
const char *export_suggest(struct session *s, char *buf, size_t n)
{
    const char *name = s->project.path ? file_base_name(s->project.path) : "untitled";
    snprintf(buf, n, "%.*s-%s.png", (int)strcspn(name, "."), name,
             s->parts.inspect->shows_surprise ? "surprise" : "attention");
    return buf;
}
