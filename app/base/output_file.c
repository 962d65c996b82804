#include "app/base/paths.h"

#include <unistd.h>

/* The stream has its own descriptor, since the draft's must outlive it. */
static FILE *stream_of(const struct file_draft *d)
{
    int fd = dup(d->fd);
    FILE *stream = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!stream && fd >= 0)
        close(fd);
    return stream;
}

bool output_file_open(struct output_file *o, const char *path)
{
    *o = (struct output_file){.draft = {.fd = -1}};
    enum midi_status st = file_draft_open(&o->draft, path);
    if (st == MIDI_NOT_REGULAR)
        o->stream = fopen(path, "wb");
    else if (!st)
        o->stream = stream_of(&o->draft);
    if (!st && !o->stream)
        file_draft_discard(&o->draft);
    return o->stream;
}

bool output_file_close(struct output_file *o, bool is_whole)
{
    if (!o->stream)
        return false;
    bool ok = is_whole && !ferror(o->stream);
    ok = fclose(o->stream) == 0 && ok;
    o->stream = NULL;
    if (o->draft.fd < 0)
        return ok;
    if (ok)
        return file_draft_commit(&o->draft) == MIDI_OK;
    file_draft_discard(&o->draft);
    return false;
}
