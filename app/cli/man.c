/* The manual page. See verbs.h. */
#include "app/base/values.h"
#include "app/cli/workstation.h"
#include "app/cli/verbs.h"
#include "tui/keys/bindings.h"

#include <string.h>

/* app/cli/man_guide.roff and man_end.roff: the user's guide, and the last sections. */
extern const char MAN_GUIDE[], MAN_END[];

/* Writes a text so that its dots, quotes and dashes are no requests of troff. */
static void write_escaped(FILE *to, const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", to);
    for (; *text; text++) {
        if (*text == '\\')
            fputs("\\e", to);
        else if (*text == '-')
            fputs("\\-", to);
        else
            fputc(*text, to);
    }
}

static void write_entry(FILE *to, const char *term, const char *text)
{
    fputs(".TP\n", to);
    write_escaped(to, term);
    fputc('\n', to);
    write_escaped(to, text);
    fputc('\n', to);
}

/* Writes "--bars N" and its help. */
static void write_option(FILE *to, const struct field *o)
{
    char term[64];
    snprintf(term, sizeof term, "--%s%s%s", o->name, o->argument ? " " : "",
             o->argument ? o->argument : "");
    write_entry(to, term, option_help(o));
}

static void write_verbs(FILE *to)
{
    const struct field *o;
    fputs(".SH VERBS\nEach works without a terminal, and has \\-\\-help.\n", to);
    for (int i = 0; i < n_verbs; i++) {
        if (i == n_own_verbs)
            fputs(".SH VERBS OF THE LABORATORY\nFor those who make models; \":learn\" "
                  "uses "
                  "train.\n",
                  to);
        fputs(".SS ", to);
        write_escaped(to, VERBS[i]->name);
        fputc(' ', to);
        write_escaped(to, VERBS[i]->arguments);
        fputc('\n', to);
        write_escaped(to, VERBS[i]->summary);
        fputs(".\n", to);
        for (int k = 0; (o = verb_option(VERBS[i], k)); k++)
            write_option(to, o);
    }
}

/* Lists the modes of a binding, " [normal, draw]"; nothing if it has all modes of the roll. */
static void modes_of(const struct binding *b, char *out, size_t n)
{
    const unsigned roll = IN(MODE_NORMAL) | IN(MODE_DRAW) | IN(MODE_SELECT);
    *out = '\0';
    for (int mode = 0; mode < MODE_COUNT && (b->modes & roll) != roll; mode++)
        if (b->modes & IN(mode))
            text_append(out, n, "%s%s", *out ? ", " : " [", mode_name((enum mode)mode));
    if (*out)
        text_append(out, n, "]");
}

static void write_keys(FILE *to)
{
    char keys[64], modes[128], text[320];
    fputs(".SH KEYS\nA count before a key repeats it if that makes sense. Modes are "
          "named if a key works only in some. ? shows the keys of the current mode, "
          "Ctrl\\-P finds a command by its words.\n",
          to);
    for (int group = 0; group < GROUP_COUNT; group++) {
        fprintf(to, ".SS %s\n", binding_group_name((enum binding_group)group));
        for (size_t i = 0; i < n_bindings; i++) {
            const struct binding *b = &bindings[i];
            if ((int)b->group != group || !b->help)
                continue;
            modes_of(b, modes, sizeof modes);
            snprintf(text, sizeof text, "%s%s", b->help, modes);
            write_entry(to, binding_keys_range(b, keys), text);
        }
    }
    fputs(".SS Typed after a colon\n", to);
    for (size_t i = 0; i < n_typed_lines; i++)
        write_entry(to, typed_lines[i].line, typed_lines[i].help);
}

static void write_settings(FILE *to)
{
    char value[SETTING_BYTES], wants[FIELD_WANTS_BYTES], term[1200], text[512];
    struct settings usual;
    const char *section = "";
    settings_init(&usual);
    fputs(".SH CONFIGURATION\nAn INI file of [sections] and lines name = value. A line "
          "with # is a comment. A wrong line is reported with its number and skipped.\n"
          ".B continuo config\nprints such a file with all settings and with the names "
          "and keys of all commands. In the section [keys],\n"
          ".B MODE.COMMAND = KEY, KEY\ngives a command other keys in one mode (x, gg, "
          "C\\-p, S\\-Left, F1, Space; none), and\n"
          ".B COMMAND = KEY\nin every mode that has it.\n",
          to);
    const struct field *f;
    for (int i = 0; (f = settings_field(i)) != NULL; i++) {
        if (strcmp(section, settings_section(i)) != 0)
            fprintf(to, ".SS [%s]\n", section = settings_section(i));
        snprintf(term, sizeof term, "%s = %s", f->name, settings_get(i, &usual, value));
        snprintf(text, sizeof text, "%s; %s", f->help, field_wants(f, NULL, wants));
        write_entry(to, term, text);
    }
}

void man_write(FILE *to)
{
    const struct field *o;
    fputs(".TH CONTINUO 1\n.SH NAME\ncontinuo \\- compose in the terminal with a "
          "transformer that continues you\n.SH SYNOPSIS\n.B continuo\n[options] "
          "[FILE.mid]\n.br\n.B continuo\nVERB [\\-\\-help] ...\n"
          ".SH DESCRIPTION\nWithout a verb, opens the workstation: a piano roll in the "
          "terminal. You draw a phrase, and a transformer decoder in the program "
          "continues "
          "it or rewrites a part of it. FluidSynth plays it. The machine's notes are "
          "proposals until you accept them.\n.SH OPTIONS\n",
          to);
    for (int i = 0; (o = verb_option(&WORKSTATION, i)); i++)
        write_option(to, o);
    fputs(MAN_GUIDE, to);
    write_verbs(to);
    write_keys(to);
    write_settings(to);
    fputs(MAN_END, to);
}
