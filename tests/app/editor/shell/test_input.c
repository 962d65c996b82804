/* The line that is typed: editing it, what was typed before, and Tab. */
#include "tests/check.h"
#include "app/editor/shell/shell.h"
#include "tests/app/script.h"

NUMBER_FACT(cursor, input_cursor(s))

SCRIPT(the_cursor_moves_and_edits, model_session) = {
    {":tempo 96‹Left›‹Left›\b", "input tempo96"},
    {"‹C-a›‹Delete›‹C-e›5", "input empo965"},
    {"‹Home›t‹End›‹Left›‹Left›‹Left›‹C-w›", "input 965; cursor 0"},
    {"‹Right›‹C-u›", "input 65"},
    {"‹End›‹Right›‹Right›‹Delete›", "input 65"}, /* past the end is the end */
    {"\033:a b  ‹C-w›", "input a "},
    {"‹C-w›‹C-w›‹C-w›", "input "},
    {"\b", "mode NORMAL"},
};

/* Ctrl-U takes what was typed, not what stood there to be gone on with. */
SCRIPT(what_was_given_stays, model_session) = {
    {"Bicello‹C-u›", "input instrument ; cursor 11"},
    {"‹C-u›oboe‹Left›‹C-u›", "input instrument e"},
    {"‹Home›‹C-u›x‹End›‹C-u›", "input "}, /* edited itself, it is typed */
    {"\033\rold‹C-u›new\r", "name0 new"},
    {"\033‹C-p›set the tempo\r96‹C-u›", "input tempo "},
    {"\b‹C-u›", "input "},
    {"\033:tempo 90‹C-u›", "input "},
};

TEST_WITH(letters_stay_whole, model_session)
{
    keys(s, ":音é‹Left›\b");
    assert_string_equal(s->view.prompt.text, "é");
    keys(s, "‹Delete›");
    assert_string_equal(s->view.prompt.text, "");
    for (int i = 0; i < 400; i++)
        keys(s, "音");
    assert_true(s->view.prompt.n < sizeof s->view.prompt.text &&
                s->view.prompt.n % 3 == 0);
    for (int i = 0; i < 400; i++)
        keys(s, i % 3 ? "‹Left›" : "x"); /* full: nothing more */
    assert_true(strlen(s->view.prompt.text) == s->view.prompt.n);
}

SCRIPT(what_was_typed_comes_back, model_session) = {
    {":tempo 90\r:tempo 91\r:tempo 91\rt‹Up›",
     "input "}, /* other prompts have their own */
    {"77\r:x‹Up›", "input tempo 91"},
    {"‹Up›", "input tempo 90"},
    {"‹Up›", "input tempo 90"},
    {"‹Down›‹Down›", "input x"},
    {"‹Down›", "input x"},
    {"‹Up›\r", "bpm 91"},
};

TEST_WITH(so_much_is_remembered, model_session)
{
    for (int i = 0; i < 3 * INPUT_HISTORY; i++) {
        char text[32];
        snprintf(text, sizeof text, "%d", i);
        input_remember(s, PROMPT_COMMAND, text);
    }
    assert_int_equal(s->parts.input->n, INPUT_HISTORY);
}

SCRIPT(tab_completes_lines, model_session) = {
    {":temper\t", "input temperature "},
    {"‹C-u›temp\t", "input temp", "~temperature  tempo"}, /* which of them? */
    {"‹C-u›set fol\t", "input set follow "},
    {"‹C-u›map C-z und\t", "input map C-z undo "},
    {"‹C-u›keep rh\t", "input keep rhythm "},
    {"‹C-u›seed x\t", "input seed x"}, /* not one of a few words */
    {"‹C-u›no such\t", "input no such"},
};

SCRIPT(a_completed_line_runs, model_session) = {
    {":keep rh\t\r", "error 0; mode NORMAL"},
};

/* The folder's path, typed; and the line without it. */
DOES(folder, keys(s, folder))

static const char *without_folder(const char *text)
{
    static char rest[1200];
    const char *at = strstr(text, folder);
    snprintf(rest, sizeof rest, "%.*s~%s", at ? (int)(at - text) : 0, text,
             at ? at + strlen(folder) : text);
    return rest;
}

TEXT_FACT(path, without_folder(s->view.prompt.text))

static int session_beside_songs(void **state)
{
    if (mkdir(in_folder("songs"), 0700))
        return -1;
    put_text("songs/fugue in C.mid", "");
    put_text("songs/fugue in D.mid", "");
    put_text("songs/.hidden.mid", "");
    put_text("songs/fugue in D.mid.continuo", "");
    put_text("songs/fugue in D.mid.continuo-wal", "");
    put_text("songs/fugue in D.mid.continuo-shm", "");
    return model_session(state);
}

SCRIPT(tab_completes_files, session_beside_songs) = {
    {":e ‹folder›/so\t", "path e ~/songs/"},
    {"\t", "path e ~/songs/fugue in ", "fugue in C.mid  fugue in D.mid"},
    {"D\t", "path e ~/songs/fugue in D.mid"},
    {"\033‹C-o›‹folder›/songs/.\t", "path ~/songs/.hidden.mid"},
    {"‹C-u›/no/such/folder/x\t", "input /no/such/folder/x"},
};

GROUP(make_model, remove_own_folder)
