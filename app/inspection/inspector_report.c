/* Reports: parts change hands, and what they come in place of is freed. See
 * inspector.h. */
#include "app/inspection/inspector_internal.h"

#include <stdlib.h>
#include <string.h>

void inspector_report_fini(struct inspector_report *r)
{
    free(r->wash.notes);
    free(r->wash.tokens);
    free(r->wash.weights);
    free(r->wash.compared);
    free(r->alternatives.given);
    free(r->matrix.cells);
    free(r->thumbnails.cells);
    free(r->surprise.notes);
    *r = (struct inspector_report){0};
}

/* Of n bytes, where there is a request that `from` is of. */
static void swap_part(void *to, void *from, size_t n, uint64_t of)
{
    char before[sizeof(struct inspector_report)];
    if (!of)
        return;
    memcpy(before, to, n);
    memcpy(to, from, n);
    memcpy(from, before, n);
}

void inspector_report_merge(struct inspector_report *to, struct inspector_report *from)
{
    swap_part(&to->wash, &from->wash, sizeof to->wash, from->wash.of);
    swap_part(&to->alternatives, &from->alternatives, sizeof to->alternatives,
              from->alternatives.of);
    swap_part(&to->matrix, &from->matrix, sizeof to->matrix, from->matrix.of);
    swap_part(&to->thumbnails, &from->thumbnails, sizeof to->thumbnails,
              from->thumbnails.of);
    swap_part(&to->mutes, &from->mutes, sizeof to->mutes, from->mutes.of);
    swap_part(&to->who_matters, &from->who_matters, sizeof to->who_matters,
              from->who_matters.of);
    swap_part(&to->surprise, &from->surprise, sizeof to->surprise, from->surprise.of);
    to->request = from->request;
    to->is_done = from->is_done;
    memcpy(to->error, from->error, sizeof to->error);
}
