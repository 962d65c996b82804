/* A run that rehearses learns a user's music within minutes. It soon memorises a few files,
 * so it is measured several times: on held-out bars of that music, and on excerpts of other
 * music. The best model has the least sum of both. */
#include "app/training/train_session.h"

#include "app/base/say.h"
#include "midi/base/clock.h"

#include <stdio.h>

enum { CHECKS = 8 };
static const double TELL_SECONDS = 0.2;

static double share_done(const struct train_session *s)
{
    const struct train_request *q = s->request;
    double done = q->minutes > 0 ? train_session_seconds(s) / (q->minutes * 60.0)
                                 : (double)trainer_steps(s->trainer) /
                                       (double)q->options.max_steps;
    return done < 1.0 ? done : 1.0;
}

bool train_rehearse_is_due(const struct train_session *s)
{
    return share_done(s) * CHECKS >= s->n_checks;
}

void train_rehearse_tell(struct train_session *s, bool at_once)
{
    const double now = clock_now_seconds();
    if (!s->request->progress || (!at_once && now - s->told < TELL_SECONDS))
        return;
    s->told = now;
    printf("%.4f %.4f %.4f %.4f %.4f\n", share_done(s), s->first_loss.own,
           s->best_loss.own, s->first_loss.old, s->best_loss.old);
    fflush(stdout);
}

int train_rehearse_close(struct train_session *s)
{
    train_rehearse_tell(s, true);
    if (!s->n_saved)
        return say_error(s->request->out,
                         "is not written: the model did not improve on this music");
    train_report_line(
        &s->report,
        "nats per note, before and now: this music %.3f %.3f, other music %.3f %.3f",
        s->first_loss.own, s->best_loss.own, s->first_loss.old, s->best_loss.old);
    return 0;
}
