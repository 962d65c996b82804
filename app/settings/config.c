#include "app/settings/config.h"

#include "app/base/paths.h"
#include "tui/base/text.h"

#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The input of inih, one line at a time, and its last result. */
struct reading {
    struct config *config;
    const char *bytes, *end;
    int line;      /* that was given last, from 1 */
    bool wants;    /* it has a name and a value, */
    bool was_told; /* and inih has returned them */
    struct key_request keys[KEY_REQUESTS_MAX];
    size_t n_keys;
};

void config_init(struct config *c)
{
    *c = (struct config){0};
    settings_init(&c->settings);
}

void config_fini(struct config *c)
{
    keymap_destroy(c->keymap);
    c->keymap = NULL;
}

void config_error(struct config *c, int line, const char *format, ...)
{
    va_list args;
    int n = c->n_errors < CONFIG_MAX_ERRORS ? c->n_errors : CONFIG_MAX_ERRORS, at = n;
    c->n_errors++;
    while (at > 0 && c->errors[at - 1].line > line)
        at--;
    if (at == CONFIG_MAX_ERRORS)
        return;
    int after = n < CONFIG_MAX_ERRORS ? n - at : n - at - 1;
    memmove(&c->errors[at + 1], &c->errors[at], (size_t)after * sizeof c->errors[0]);
    c->errors[at].line = line;
    va_start(args, format);
    vsnprintf(c->errors[at].text, sizeof c->errors[at].text, format, args);
    va_end(args);
}

const char *config_complaint(const struct config *c, char *buf, size_t n)
{
    char more[32] = "", place[16] = "";
    *buf = '\0';
    if (!c->n_errors)
        return buf;
    if (c->n_errors > 1)
        snprintf(more, sizeof more, " (and %d more)", c->n_errors - 1);
    if (c->errors[0].line)
        snprintf(place, sizeof place, ":%d", c->errors[0].line);
    snprintf(buf, n, "%s%s: %s%s", file_base_name(c->path), place, c->errors[0].text,
             more);
    return buf;
}

/* What makes a line none of a configuration; NULL: nothing does. */
static const char *find_fault(const char *line, size_t n)
{
    if (n > CONFIG_MAX_LINE)
        return "the line is longer than a setting can be";
    for (size_t at = 0, used; at < n; at += used) {
        uint32_t code;
        used = text_decode(line + at, n - at, &code);
        if (!used ||
            (used == 1 && (code == TEXT_REPLACEMENT || (code < ' ' && code != '\t'))))
            return "the line is not plain UTF-8 text";
    }
    if (n && *line == '[' && !memchr(line, ']', n))
        return "the section's ] is missing";
    return NULL;
}

/* inih's reader, as fgets. Indentation goes, since inih takes an indented line for more
 * of the value before; lines that are wrong become empty ones. */
static char *next_line(char *out, int n_out, void *stream)
{
    struct reading *r = stream;
    if (r->wants && !r->was_told)
        config_error(r->config, r->line,
                     "this is not [section], name = value or a # comment");
    r->wants = r->was_told = false;
    if (r->bytes >= r->end)
        return NULL;
    const char *line = r->bytes, *stop = memchr(line, '\n', (size_t)(r->end - line));
    stop = stop ? stop : r->end;
    r->bytes = stop < r->end ? stop + 1 : stop;
    r->line++;
    while (stop > line && (stop[-1] == '\r' || stop[-1] == ' ' || stop[-1] == '\t'))
        stop--;
    while (line < stop && (*line == ' ' || *line == '\t'))
        line++;
    size_t n = (size_t)(stop - line);
    if (r->line == 1 && n >= 3 && !memcmp(line, "\xEF\xBB\xBF", 3)) {
        line += 3; /* a byte order mark */
        n -= 3;
    }
    const char *wrong = find_fault(line, n);
    if (wrong)
        config_error(r->config, r->line, "%s", wrong);
    if (wrong || n + 2 > (size_t)n_out)
        n = 0;
    r->wants = n && !strchr("[;#", *line);
    memcpy(out, line, n);
    memcpy(out + n, "\n", 2);
    return out;
}

/* inih's handler. */
static int handle(void *user, const char *section, const char *name, const char *value)
{
    struct reading *r = user;
    struct config *c = r->config;
    char why[KEY_COMPLAINT_BYTES], wants[FIELD_WANTS_BYTES];
    const bool is_key = !strcmp(section, "keys");
    const int i = is_key ? -1 : settings_find(section, name);
    const int elsewhere = is_key ? -1 : settings_find(NULL, name);
    r->was_told = true;
    if (!*section)
        config_error(c, r->line,
                     "%.60s is in no section; put it after [keys], [sound], [machine], "
                     "[view] or [edit]",
                     name);
    else if (!is_key && settings_find(section, NULL) < 0)
        config_error(c, r->line,
                     "there is no section [%.40s]; there are [keys], [sound], "
                     "[machine], [view] and [edit]",
                     section);
    else if (is_key && r->n_keys == KEY_REQUESTS_MAX)
        config_error(c, r->line, "these are too many keys");
    else if (is_key && !key_request_parse(&r->keys[r->n_keys], name, value, why))
        config_error(c, r->line, "%s", why);
    else if (is_key)
        r->keys[r->n_keys++].line = r->line;
    else if (i < 0)
        config_error(c, r->line, "there is no setting %.60s in [%.40s]%s%s%s", name,
                     section, elsewhere < 0 ? "" : ", but in [",
                     elsewhere < 0 ? "" : settings_about(elsewhere).section,
                     elsewhere < 0 ? "; `continuo config` lists them" : "]");
    else if (!settings_set(i, &c->settings, value))
        config_error(c, r->line, "%s is %s, not %.60s", name, settings_wants(i, wants),
                     value);
    return 1;
}

void config_read_bytes(struct config *c, const char *path, const char *bytes, size_t n)
{
    struct reading *r = calloc(1, sizeof *r);
    snprintf(c->path, sizeof c->path, "%s", path);
    c->is_there = true;
    if (!r) {
        config_error(c, 0, "out of memory");
        return;
    }
    *r = (struct reading){.config = c, .bytes = bytes, .end = bytes + n};
    if (ini_parse_stream(next_line, r, handle, r) < 0)
        config_error(c, 0, "out of memory");
    if (r->n_keys)
        key_requests_apply(c, r->keys, r->n_keys);
    free(r);
}

void config_read(struct config *c)
{
    char path[sizeof c->path] = "";
    const bool has_home = user_config_file(path, sizeof path);
    snprintf(c->path, sizeof c->path, "%s", has_home ? path : "");
    if (!has_home)
        return;
    FILE *f = regular_file_open(c->path);
    char *bytes = f ? malloc(CONFIG_MAX_BYTES + 1) : NULL;
    c->is_there = f || (errno != ENOENT && errno != ENOTDIR);
    if (!f && c->is_there && errno == EINVAL)
        config_error(c, 0, "it is not a file of settings");
    else if (!f && c->is_there)
        config_error(c, 0, "it cannot be read: %s", strerror(errno));
    const size_t n = f && bytes ? fread(bytes, 1, CONFIG_MAX_BYTES + 1, f) : 0;
    if (f)
        fclose(f);
    if (n > CONFIG_MAX_BYTES)
        config_error(c, 0, "it is too large and was not read");
    else if (bytes)
        config_read_bytes(c, path, bytes, n);
    free(bytes);
}
