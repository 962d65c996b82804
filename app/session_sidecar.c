/* Between the session and what is kept beside the music. */
#include "app/session.h"
#include "app/sidecar.h"

void session_load_sidecar(struct session *s)
{
    struct sidecar side;
    char why[SIDECAR_WHY_BYTES];
    uint64_t seed = s->steering.seed; /* goes on counting where none is kept */
    enum sidecar_status st = sidecar_load(&side, s->project.path, why);
    s->steering = side.steering;
    if (st != SIDECAR_OK)
        s->steering.seed = seed;
    if (st == SIDECAR_FAILED)
        session_error(s, "opened, but not the settings in %s.continuo: %s",
                      project_base_name(&s->project), why);
}

bool session_save_sidecar(struct session *s)
{
    char why[SIDECAR_WHY_BYTES];
    struct sidecar side;
    sidecar_init(&side);
    side.steering = s->steering;
    if (sidecar_save(&side, s->project.path, why) == SIDECAR_OK)
        return true;
    session_error(s, "saved, but not the settings in %s.continuo: %s",
                  project_base_name(&s->project), why);
    return false;
}
