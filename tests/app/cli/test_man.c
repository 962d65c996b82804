/* The manual page has all that the tables have, and nothing that troff would take for a
 * request of its own. */
#include "tests/check.h"
#include "app/settings/settings.h"
#include "app/cli/workstation.h"
#include "app/cli/verbs.h"
#include "tui/keys/bindings.h"

static char *page; /* with what was escaped for troff as it reads */

/* "\-" is a dash, "\e" a backslash, "\&" nothing. */
static void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (*from != '\\') {
            *to++ = *from;
            continue;
        }
        from++;
        if (*from == '-' || *from == 'e')
            *to++ = *from == 'e' ? '\\' : '-';
        else
            assert_int_equal(*from, '&');
    }
    *to = '\0';
}

FIXTURE(write_page)
{
    size_t n;
    FILE *f = open_memstream(&page, &n);
    if (!f)
        return -1;
    man_write(f);
    return fclose(f);
}

FIXTURE(free_page)
{
    free(page);
    return 0;
}

TEST(only_known_requests)
{
    static const char *const KNOWN[] = {".TH ", ".SH ", ".SS ", ".TP",
                                        ".PP",  ".B ",  ".br"};
    for (const char *line = page; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        bool known = *line != '.' && *line != '\'';
        for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++)
            known |= !strncmp(line, KNOWN[i], strlen(KNOWN[i]));
        if (!known)
            fail_msg("troff would not know: %.60s", line);
    }
}

static void assert_has(const char *text)
{
    if (!strstr(page, text))
        fail_msg("not in the manual page: %s", text);
}

TEST(all_of_it_is_there)
{
    const struct field *o;
    unescape(page);
    for (int i = 0; (o = verb_option(&WORKSTATION, i)); i++)
        assert_has(option_help(o));
    for (int v = 0; v < n_verbs; v++) {
        assert_has(VERBS[v]->summary);
        for (int i = 0; (o = verb_option(VERBS[v], i)); i++) {
            assert_has(o->name);
            assert_has(option_help(o));
        }
    }
    for (size_t i = 0; i < n_bindings; i++)
        if (bindings[i].help)
            assert_has(bindings[i].help);
    for (size_t i = 0; i < n_typed_lines; i++)
        assert_has(typed_lines[i].line);
    for (int i = 0; settings_field(i); i++)
        assert_has(settings_field(i)->help);
    for (int group = 0; group < GROUP_COUNT; group++)
        assert_has(binding_group_name((enum binding_group)group));
    assert_has("continuo.conf");
    assert_has("NO_COLOR");
    assert_has("\n.SH FIRST STEPS\n"); /* the guide */
}

GROUP(write_page, free_page)
