#include "midi/sound/font_loader.h"

#include "midi/base/thread.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct font_loader {
    pthread_t thread;
    char *path;
    fluid_settings_t *settings;
    fluid_synth_t *synth; /* a synth that plays nothing */
    int id;               /* id of its font; negative: none */
    atomic_bool is_done;  /* set last by the thread, and publishes what it wrote */
};

static void *load(void *context)
{
    struct font_loader *l = context;
    l->id = fluid_synth_sfload(l->synth, l->path, 0);
    atomic_store(&l->is_done, true);
    return NULL;
}

static void release(struct font_loader *l)
{
    delete_fluid_synth(l->synth);
    delete_fluid_settings(l->settings);
    free(l->path);
    free(l);
}

struct font_loader *font_loader_start(const char *path)
{
    struct font_loader *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->id = FLUID_FAILED;
    l->path = strdup(path);
    l->settings = new_fluid_settings();
    if (l->settings)
        fluid_settings_setint(l->settings, "synth.polyphony", 1);
    l->synth = l->settings ? new_fluid_synth(l->settings) : NULL;
    if (!l->path || !l->synth || !thread_start(&l->thread, load, l)) {
        release(l);
        return NULL;
    }
    return l;
}

void font_loader_destroy(struct font_loader *l)
{
    if (!l)
        return;
    pthread_join(l->thread, NULL);
    release(l);
}

const char *font_loader_path(const struct font_loader *l)
{
    return l->path;
}

bool font_loader_is_done(const struct font_loader *l)
{
    return atomic_load(&l->is_done);
}

bool font_loader_is_bad(const struct font_loader *l)
{
    return l->id < 0;
}

/* FluidSynth looks in the new font first. Channels keep presets of the old font until
 * their programs are set again; FluidSynth frees the old font after its last voice. */
int font_loader_give(struct font_loader *l, fluid_synth_t *synth, int instead_of)
{
    fluid_sfont_t *font = fluid_synth_get_sfont_by_id(l->synth, l->id);
    fluid_synth_remove_sfont(l->synth, font);
    l->id = FLUID_FAILED;
    int id = fluid_synth_add_sfont(synth, font);
    fluid_synth_program_reset(synth);
    if (instead_of >= 0)
        fluid_synth_sfunload(synth, instead_of, 0);
    return id;
}
