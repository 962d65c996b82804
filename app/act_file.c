/* Transport, prompts, and the lines typed after `:`. */
#include "app/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void act_play(struct session *s, const struct command *c)
{
    (void)c;
    if (player_is_playing(s->player))
        player_stop(s->player);
    else
        player_play(s->player, s->n_ghosts && s->mode == MODE_TAKES &&
                                       s->hole_from > s->cursor_tick
                                   ? s->hole_from
                                   : s->cursor_tick);
}

void act_play_start(struct session *s, const struct command *c)
{
    (void)c;
    player_play(s->player, 0);
}

void act_panic(struct session *s, const struct command *c)
{
    (void)c;
    player_stop(s->player);
    player_panic(s->player);
    session_say(s, "all sound off");
}

void act_help(struct session *s, const struct command *c)
{
    (void)c;
    if (s->mode == MODE_HELP) {
        s->mode = s->mode_before;
        return;
    }
    s->mode_before = s->mode;
    s->mode = MODE_HELP;
    s->help_scroll = 0;
}

static void open_prompt(struct session *s, enum prompt prompt, const char *input)
{
    s->mode_before = s->mode;
    s->mode = MODE_PROMPT;
    s->prompt = prompt;
    snprintf(s->input, sizeof s->input, "%s", input);
    s->n_input = strlen(s->input);
}

void act_prompt(struct session *s, const struct command *c)
{
    const char *path = s->project.path ? s->project.path : "";
    if (c->id == CMD_OPEN)
        open_prompt(s, PROMPT_OPEN, "");
    else if (c->id == CMD_SAVE_AS)
        open_prompt(s, PROMPT_SAVE_AS, path);
    else if (c->id == CMD_TEMPO)
        open_prompt(s, PROMPT_TEMPO, "");
    else
        open_prompt(s, PROMPT_COMMAND, "");
}

void act_text(struct session *s, const struct command *c)
{
    char utf8[4];
    size_t n = 0;
    uint32_t u = c->text;
    if (u < 0x80) {
        utf8[n++] = (char)u;
    } else if (u < 0x800) {
        utf8[n++] = (char)(0xc0 | u >> 6);
        utf8[n++] = (char)(0x80 | (u & 63));
    } else if (u < 0x10000) {
        utf8[n++] = (char)(0xe0 | u >> 12);
        utf8[n++] = (char)(0x80 | (u >> 6 & 63));
        utf8[n++] = (char)(0x80 | (u & 63));
    } else {
        utf8[n++] = (char)(0xf0 | u >> 18);
        utf8[n++] = (char)(0x80 | (u >> 12 & 63));
        utf8[n++] = (char)(0x80 | (u >> 6 & 63));
        utf8[n++] = (char)(0x80 | (u & 63));
    }
    if (s->n_input + n >= sizeof s->input)
        return;
    memcpy(s->input + s->n_input, utf8, n);
    s->n_input += n;
    s->input[s->n_input] = '\0';
}

void act_backspace(struct session *s, const struct command *c)
{
    (void)c;
    if (s->n_input == 0) {
        s->mode = s->mode_before;
        return;
    }
    do
        s->n_input--;
    while (s->n_input > 0 && ((unsigned char)s->input[s->n_input] & 0xc0) == 0x80);
    s->input[s->n_input] = '\0';
}

static bool save(struct session *s, const char *path)
{
    enum midi_status st = project_save(&s->project, path);
    if (st == MIDI_NO_FILE && !path && !s->project.path) {
        struct command ask = {.id = CMD_SAVE_AS};
        act_prompt(s, &ask);
        return false;
    }
    const char *name = project_base_name(&s->project);
    if (st) {
        session_error(s, "%s %s%s%s: nothing was lost, :w NAME saves elsewhere",
                      path ? path : name, midi_strerror(st), errno ? ": " : "",
                      errno ? strerror(errno) : "");
        return false;
    }
    session_say(s, "saved %s, %zu notes%s", name, score_n_notes(s->project.score),
                s->n_ghosts ? "; the take that is waiting is not in it" : "");
    return true;
}

void act_save(struct session *s, const struct command *c)
{
    (void)c;
    errno = 0;
    save(s, NULL);
}

static void leave(struct session *s, bool forced)
{
    if (project_modified(&s->project) && !forced)
        session_error(s, "there are unsaved changes: :w saves, :q! leaves without");
    else
        s->quit = true;
}

void act_save_quit(struct session *s, const struct command *c)
{
    (void)c;
    errno = 0;
    s->quit = save(s, NULL);
}

void act_quit(struct session *s, const struct command *c)
{
    leave(s, c->id == CMD_QUIT_NOW);
}

static bool set_map(struct session *s, struct change *change, enum midi_status st)
{
    if (!change || st) {
        change_destroy(change);
        session_error(s, "that does not fit here");
        return false;
    }
    return session_do(s, change);
}

static void line_tempo(struct session *s, const char *word)
{
    char *end;
    double bpm = strtod(word, &end);
    if (end == word || !(bpm >= 4 && bpm <= 1000)) {
        session_error(s, "tempo wants quarter notes a minute, 4 to 1000");
        return;
    }
    int64_t tick = timeline_bar_at(&s->project.score->timeline, s->cursor_tick).start;
    struct change *change = change_create("tempo");
    if (set_map(s, change,
                change ? change_set_tempo(change, s->project.score, tick, bpm)
                       : MIDI_NO_MEMORY))
        session_say(s, "tempo %g from this bar", bpm);
}

static void line_meter(struct session *s, const char *word)
{
    char *end;
    long num = strtol(word, &end, 10), den = 0;
    if (*end == '/')
        den = strtol(end + 1, &end, 10);
    if (*end || num < 1 || num > 64 || den < 1 || den > 128 || (den & (den - 1))) {
        session_error(s, "meter wants beats and a note value, as in 3/4 or 6/8");
        return;
    }
    int64_t tick = timeline_bar_at(&s->project.score->timeline, s->cursor_tick).start;
    struct change *change = change_create("meter");
    if (set_map(s, change,
                change ? change_set_meter(change, s->project.score, tick, (int)num,
                                          (int)den)
                       : MIDI_NO_MEMORY))
        session_say(s, "meter %ld/%ld from this bar", num, den);
}

static void line_track(struct session *s, const char *name)
{
    struct change *change = change_create("add a track");
    int n = (int)s->project.score->n_tracks;
    uint8_t channel = (uint8_t)(n < 9 ? n : n < 15 ? n + 1 : 15); /* 9 is the drums */
    if (set_map(s, change,
                change ? change_add_track(change, s->project.score,
                                          *name ? name : "Track", channel, 0)
                       : MIDI_NO_MEMORY)) {
        s->track = n;
        session_say(s, "track %d added", n + 1);
    }
}

static void line_number(struct session *s, const char *what, const char *word,
                        double lo, double hi, float *value)
{
    char *end;
    double x = strtod(word, &end);
    if (end == word || !(x >= lo && x <= hi)) {
        session_error(s, "%s wants a number from %g to %g; it is %g", what, lo, hi,
                      *value);
        return;
    }
    *value = (float)x;
    session_say(s, "%s %g", what, x);
}

static void line_seed(struct session *s, const char *word)
{
    char *end;
    unsigned long long seed = strtoull(word, &end, 10);
    if (end == word || *end) {
        session_error(s, "seed wants a whole number");
        return;
    }
    s->asked.options.sampling.seed = seed;
    session_say(s, "seed %llu", seed);
}

static void line_style(struct session *s, const char *word)
{
    static const char *const NAMES[] = {"any", "chorale", "piano", "song", "quartet"};
    static const enum style STYLES[] = {STYLE_ANY, STYLE_CHORALE, STYLE_PIANO,
                                        STYLE_SONG, STYLE_QUARTET};
    if (!strcmp(word, "guess")) {
        s->asked.options.style = CONTINUATION_STYLE_GUESS;
        session_say(s, "style guessed from the music");
        return;
    }
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (!strcmp(word, NAMES[i])) {
            s->asked.options.style = STYLES[i];
            session_say(s, "style %s", word);
            return;
        }
    session_error(s, "style is one of: guess any chorale piano song quartet");
}

static void line_open(struct session *s, const char *path, bool forced)
{
    if (!*path)
        session_error(s, "open which file? :e NAME.mid");
    else if (project_modified(&s->project) && !forced)
        session_error(s, "there are unsaved changes: :w saves, :e! NAME opens without");
    else
        session_open(s, path);
}

static bool line_files(struct session *s, const char *verb, const char *rest)
{
    const char *path = *rest ? rest : NULL;
    errno = 0;
    if (!strcmp(verb, "w"))
        save(s, path);
    else if (!strcmp(verb, "wq") || !strcmp(verb, "x"))
        s->quit = save(s, path);
    else if (!strcmp(verb, "q"))
        leave(s, false);
    else if (!strcmp(verb, "q!"))
        leave(s, true);
    else if (!strcmp(verb, "e") || !strcmp(verb, "e!"))
        line_open(s, rest, verb[1] == '!');
    else
        return false;
    return true;
}

static bool line_machine(struct session *s, const char *verb, const char *rest)
{
    struct sampling *sampling = &s->asked.options.sampling;
    if (!strcmp(verb, "seed"))
        line_seed(s, rest);
    else if (!strcmp(verb, "style"))
        line_style(s, rest);
    else if (!strcmp(verb, "temperature"))
        line_number(s, verb, rest, 0, 5, &sampling->temperature);
    else if (!strcmp(verb, "top-p"))
        line_number(s, verb, rest, 0.01, 1, &sampling->top_p);
    else if (!strcmp(verb, "min-p"))
        line_number(s, verb, rest, 0, 0.99, &sampling->min_p);
    else
        return false;
    return true;
}

void act_command_line(struct session *s, const char *line)
{
    char verb[24];
    while (*line == ' ' || *line == ':')
        line++;
    size_t n = strcspn(line, " ");
    if (n == 0)
        return;
    snprintf(verb, sizeof verb, "%.*s", (int)(n < sizeof verb ? n : sizeof verb - 1),
             line);
    const char *rest = line + n + strspn(line + n, " ");
    if (line_files(s, verb, rest) || line_machine(s, verb, rest))
        return;
    if (!strcmp(verb, "tempo"))
        line_tempo(s, rest);
    else if (!strcmp(verb, "meter"))
        line_meter(s, rest);
    else if (!strcmp(verb, "track"))
        line_track(s, rest);
    else if (!strcmp(verb, "sound"))
        session_say(s, "%s", player_status(s->player, s->status, sizeof s->status));
    else if (!strcmp(verb, "help"))
        act_help(s, &(struct command){.id = CMD_HELP});
    else
        session_error(s, "no command :%s; ? lists them", verb);
}

void act_submit(struct session *s, const struct command *c)
{
    (void)c;
    char line[sizeof s->input];
    memcpy(line, s->input, sizeof line);
    s->mode = s->mode_before;
    s->message[0] = '\0';
    switch (s->prompt) {
    case PROMPT_OPEN:
        line_open(s, line, false);
        break;
    case PROMPT_SAVE_AS:
        errno = 0;
        if (*line)
            save(s, line);
        break;
    case PROMPT_TEMPO:
        if (strchr(line, '/'))
            line_meter(s, line);
        else
            line_tempo(s, line);
        break;
    case PROMPT_COMMAND:
        act_command_line(s, line);
        break;
    }
}
