/* The manual page. See man.h. */
#include "app/man.h"

#include "tui/bindings.h"

/* A line's own dots, quotes and dashes must not be taken for requests. */
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

static void write_keys(FILE *to)
{
    char keys[64];
    for (int group = 0; group < GROUP_COUNT; group++) {
        fprintf(to, ".SS %s\n", binding_group_name((enum binding_group)group));
        for (size_t i = 0; i < n_bindings; i++)
            if ((int)bindings[i].group == group && bindings[i].help)
                write_entry(to, binding_keys_range(&bindings[i], keys),
                            bindings[i].help);
    }
    fputs(".SS Typed after a colon\n", to);
    for (size_t i = 0; i < n_typed_lines; i++)
        write_entry(to, typed_lines[i].line, typed_lines[i].help);
}

void man_write(FILE *to, const struct man_verb *verbs, size_t n_verbs)
{
    fputs(".TH CONTINUO 1\n.SH NAME\ncontinuo \\- compose in the terminal with a "
          "transformer "
          "that continues you\n.SH SYNOPSIS\n.B continuo\n[\\-\\-model FILE] "
          "[\\-\\-soundfont "
          "FILE] [\\-\\-audio DRIVER] [\\-\\-seed N] [\\-\\-threads N] "
          "[\\-\\-precision P] [FILE.mid]\n.br\n"
          ".B continuo\nVERB [\\-\\-help] ...\n.SH VERBS\n",
          to);
    for (size_t i = 0; i < n_verbs; i++)
        write_entry(to, verbs[i].name, verbs[i].summary);
    fputs(".SH KEYS\n", to);
    write_keys(to);
    fputs(".SH ENVIRONMENT\n", to);
    write_entry(to, "CONTINUO_HOME",
                "where models/ and the example are looked for first");
    write_entry(to, "CONTINUO_KERNELS",
                "plain, avx2 or avx512: no newer instructions than these");
    write_entry(to, "CONTINUO_SOUNDFONT", "the soundfont to play with");
    write_entry(to, "CONTINUO_THEME", "dark or light; else the terminal is asked");
    write_entry(to, "NO_COLOR", "when set, no colours");
    fputs(".SH EXIT STATUS\n0 done, 1 failed, 2 wrong usage.\n", to);
}
