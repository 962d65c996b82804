/* The undo tree as the lines that tui/panels/history_list.h draws. UI thread. */
#ifndef APP_HISTORY_ROWS_H
#define APP_HISTORY_ROWS_H

#include "app/document/project.h"
#include "tui/view/view.h"

/* Zero-initialise. The rows' labels are the history's. */
struct history_rows {
    struct history_row *rows; /* the newest state first: row i is state n - 1 - i */
    size_t n, cap;
    uint64_t present, saved; /* as they were told */
    uint64_t began_at;       /* the state when the list was opened */
};

/* Makes the rows of the project's history. false: out of memory, and there are none. */
bool history_rows_make(struct history_rows *h, const struct project *p);
/* The same, when only the present or the saved state may be another. */
void history_rows_update(struct history_rows *h, const struct project *p);
void history_rows_fini(struct history_rows *h);

#endif
