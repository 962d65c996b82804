/* continuo compare: the published benchmark, every variant of the decoder with an
 * equal budget, as one table. */
#include "app/cli/verbs.h"

#include "app/training/compare.h"
#include "app/base/say.h"
#include "app/base/json_fields.h"

#include <errno.h>
#include <string.h>

static int write_json(const struct compare *c)
{
    char path[4096];
    const char *dir = c->settings->request.out;
    int n = snprintf(path, sizeof path, "%s/table.json", dir);
    if (n < 0 || (size_t)n >= sizeof path)
        return say_error(dir, "the name is too long");
    cJSON *table = compare_table_json(c);
    bool ok = json_write_file(table, path);
    cJSON_Delete(table);
    return ok ? 0 : say_error(path, strerror(errno));
}

static int cmd_compare(int argc, char **argv)
{
    struct train_settings s;
    struct compare c;
    int status = train_options_parse(&s, &VERB_COMPARE, argc, argv);
    if (status >= 0)
        return status;
    status = compare_run(&c, &s);
    enum midi_status st = status ? MIDI_OK : compare_table_print(&c, stdout);
    if (st)
        status = say_midi_error(s.request.data, st);
    if (!status)
        status = write_json(&c);
    compare_fini(&c);
    return status;
}

const struct verb VERB_COMPARE = {
    .name = "compare",
    .summary = "train every variant of the decoder on four voices",
    .main = cmd_compare,
    .arguments = "--data FILE.json -o DIR [options]",
    .about =
        "Trains every variant of the decoder on four voices, with the same size,\n"
        "data and budget. Prints a table of nats per note on held-out pieces, with\n"
        "published figures. Each model is DIR/NAME.safetensors. A second run keeps\n"
        "the finished models and resumes the interrupted one.",
    .after = "Times and sizes apply to each variant. DIR/table.json holds the table.",
    .takes = IN_COMPARE,
    .table = &TRAIN_OPTIONS,
};
