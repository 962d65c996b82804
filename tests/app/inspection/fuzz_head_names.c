/* Whatever bytes lie beside a model for the names of its heads: each name that is taken
 * is text that a terminal only shows, and there is one for every head asked for. */
#include "app/inspection/head_names.h"
#include "tests/memory_file.h"

enum { MOST_BYTES = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    struct head_names names;
    if (n_bytes > MOST_BYTES)
        return 0;
    const char *path = memory_file_with("x.heads.json", bytes, n_bytes);
    bool is_read = head_names_read(&names, path);
    require(is_read == (names.names != NULL));
    for (int layer = -1; layer <= names.n_layers; layer++)
        for (int head = -1; head <= names.n_heads; head++) {
            const char *name = head_names_of(&names, layer, head);
            require(strlen(name) < HEAD_NAME_BYTES && is_plain_line(name));
        }
    head_names_fini(&names);
    return 0;
}
