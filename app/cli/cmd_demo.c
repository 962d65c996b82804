/* continuo demo: the whole of it without a terminal. The bundled example is
 * continued by eight bars and left as music, sound and picture. */
#include "app/cli/verbs.h"

#include "app/base/paths.h"
#include "app/picture/picture.h"
#include "app/editor/perform/render_file.h"
#include "app/base/say.h"
#include "app/generation/take.h"

enum { MAX_PATH = 4096 };

static bool name_file(char *path, const struct options *o, const char *name)
{
    int n = snprintf(path, MAX_PATH, "%s/%s", o->output, name);
    if (n >= 0 && n < MAX_PATH)
        return true;
    say_error(o->output, "the name is too long");
    return false;
}

static void say_wrote(const char *path, const char *what)
{
    fputs("wrote ", stdout);
    say_safe(stdout, path);
    printf(": %s\n", what);
}

static bool write_music(const struct options *o, const struct score *s)
{
    char path[MAX_PATH];
    if (!name_file(path, o, "demo.mid"))
        return false;
    enum midi_status st = smf_save(s, path);
    if (st)
        say_midi_error(path, st);
    else
        say_wrote(path, "the music");
    return st == MIDI_OK;
}

static bool write_sound(const struct options *o, const struct score *s)
{
    char path[MAX_PATH];
    if (!name_file(path, o, "demo.wav") ||
        !render_file(s, path, &(struct render_request){.soundfont = o->soundfont},
                     NULL))
        return false;
    say_wrote(path, "its sound");
    return true;
}

static bool write_picture(const struct options *o, const struct score *s,
                          int64_t generated_from)
{
    char path[MAX_PATH];
    if (!name_file(path, o, "demo.png"))
        return false;
    enum midi_status st = picture_save(s, generated_from, path);
    if (st)
        say_midi_error(path, st);
    else
        say_wrote(path, "its picture, with the continuation hatched");
    return !st;
}

static bool continue_example(const struct options *o, const char *file, struct score *s,
                             int64_t *generated_from)
{
    struct engine e;
    struct take t;
    if (!engine_open(&e, o->model, o->precision, o->threads))
        return false;
    bool ok = take_make(&t, 1, &e, file, s, &o->continuation);
    if (ok && !(ok = take_apply(&t, s)))
        say_midi_error(file, MIDI_NO_MEMORY);
    if (ok) {
        *generated_from = t.stats.from_tick;
        printf("continued the example by %d bars: %zu notes, %.0f tokens per second, "
               "the first note after %.2f s\n",
               o->continuation.bars, t.n_notes, take_speed(&t), t.seconds_to_first);
    }
    take_fini(&t);
    engine_close(&e);
    return ok;
}

static bool may_write_all(const struct options *o)
{
    static const char *const NAMES[] = {"demo.mid", "demo.wav", "demo.png"};
    char path[MAX_PATH];
    bool may = true;
    for (size_t i = 0; may && i < sizeof NAMES / sizeof *NAMES; i++)
        may = name_file(path, o, NAMES[i]) && !verb_may_write(path, o->force, NULL, 0);
    return may;
}

static int cmd_demo(struct options *o)
{
    char example[MAX_PATH];
    int64_t generated_from = 0;
    if (!paths_find(example, sizeof example, PATHS_EXAMPLE))
        return say_error("models/example.mid", "was not found; set CONTINUO_HOME");
    struct score *s = say_load(example, NULL);
    if (s)
        options_follow(o, s);
    bool ok = s && may_write_all(o) && !say_make_folder(o->output) &&
              continue_example(o, example, s, &generated_from) && write_music(o, s) &&
              write_sound(o, s) && write_picture(o, s, generated_from);
    score_destroy(s);
    return ok ? 0 : 1;
}

const struct verb VERB_DEMO = {
    .name = "demo",
    .summary = "continue the example: a MIDI file, a WAV, a picture",
    .run = cmd_demo,
    .arguments = "-o DIR [options]",
    .about = "Continues the bundled example by eight bars (--bars) and writes\n"
             "DIR/demo.mid, DIR/demo.wav and DIR/demo.png. DIR is created if missing.",
    .bars = 8,
    .takes = OPTION_OUTPUT | OPTION_MODEL | OPTION_BARS | OPTION_SAMPLING |
             OPTION_MUSIC | OPTION_THREADS | OPTION_PRECISION | OPTION_SOUNDFONT,
    .needs = OPTION_OUTPUT,
};
