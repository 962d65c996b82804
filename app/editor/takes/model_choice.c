/* `:model NAME`: another model composes from now on, also the next time. `:model forget NAME`
 * removes a model of the user's own. */
#include "app/editor/takes/takes.h"
#include "app/editor/takes/machine.h"

#include "app/base/paths.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct model_choice {
    char wanted[4096]; /* as paths_model takes it; "": the bundled one */
    char name[64];     /* as it was typed */
    bool is_loading;   /* after a typed line: the user is told when it is loaded */
};

static const char BUNDLED[] = "continuo";

bool model_in_use(const struct session *s, char *path, size_t n_path)
{
    const char *wanted = s->parts.model->wanted;
    return paths_model(path, n_path, *wanted ? wanted : NULL);
}

/* Uses another model. All that reads the present one, or waits for it, ends first. */
static void use_model(struct session *s, const char *wanted)
{
    struct model_choice *m = s->parts.model;
    CALL_PARTS(model_goes, s);
    session_stop_take(s);
    if (s->has_take)
        session_drop_empty(s);
    if (!generator_use(s->generator, *wanted ? wanted : NULL)) {
        session_no_memory(s);
        return;
    }
    snprintf(m->wanted, sizeof m->wanted, "%s", wanted);
    m->is_loading = true;
}

/* Removes a model of the user's own. rest: "NAME" or "! NAME". */
static void forget_model(struct session *s, const char *rest)
{
    char path[4096], used[4096];
    const bool is_meant = *rest == '!';
    const char *name = rest + is_meant;
    name += strspn(name, " ");
    if (!paths_own_model(path, sizeof path, name) || access(path, F_OK)) {
        session_error(s, "there is no model of your own called %s", name);
    } else if (!is_meant) {
        session_error(s, "this deletes %s for good: :model forget! %s does it", name,
                      name);
    } else if (unlink(path)) {
        session_error(s, "%s cannot be removed: %s", name, strerror(errno));
    } else {
        if (model_in_use(s, used, sizeof used) && !strcmp(used, path)) {
            use_model(s, "");
            s->parts.model->is_loading = false;
            paths_remember("model", NULL);
        }
        session_say(s, "%s is removed", name);
    }
}

void act_model_line(struct session *s, const char *line)
{
    char path[4096], full[4096];
    struct model_choice *m = s->parts.model;
    if (g_str_has_prefix(line, "forget ") || g_str_has_prefix(line, "forget! "))
        forget_model(s, line + strlen("forget"));
    else if (*line && file_expand(full, sizeof full, line) &&
             paths_model(path, sizeof path, full) && !access(path, R_OK)) {
        snprintf(m->name, sizeof m->name, "%.63s", line);
        use_model(s, strcmp(line, BUNDLED) ? path : "");
    } else if (*line)
        session_error(s, "there is no model %s; :models lists them", line);
    else if (model_in_use(s, path, sizeof path))
        session_say(s, "the model is %.*s; :model NAME changes it, :models lists all",
                    (int)strcspn(file_base_name(path), "."), file_base_name(path));
    else
        session_error(s, "there is no model");
}

static void model_watch(struct session *s)
{
    struct model_choice *m = s->parts.model;
    struct generator_progress p;
    if (!m->is_loading)
        return;
    generator_progress(s->generator, &p);
    if (!p.loaded && !p.failed)
        return;
    m->is_loading = false;
    if (p.failed) {
        session_error(s, "%s; :model %s goes back", p.error, BUNDLED);
        return;
    }
    paths_remember("model", *m->wanted ? m->wanted : NULL);
    session_say(s, "the model is now %s", m->name);
}

static int timeout_ms(const struct session *s)
{
    return s->parts.model->is_loading ? BUSY_MS : -1;
}

static bool init(struct session *s, const struct session_options *o)
{
    snprintf(s->parts.model->wanted, sizeof s->parts.model->wanted, "%s",
             o->model ? o->model : "");
    return true;
}

const struct editor_part MODEL_PART = {
    PART_STATE(model),
    .init = init,
    .tick = model_watch,
    .timeout_ms = timeout_ms,
};
