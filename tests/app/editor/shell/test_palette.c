/* The palette: which line fits what is typed best, what is in it, and that choosing a
 * line does it, in the mode it was opened in. */
#include "tests/check.h"
#include "tests/app/editor/edit/pointer.h"

#include "app/editor/shell/palette.h"
#include "app/document/state.h"
#include "app/editor/shell/shell.h"

static const char *first_line(struct session *s)
{
    const struct view *v = view_of(s);
    const struct list_view *list = &v->lists[LIST_PALETTE];
    assert_true(list->is_open);
    return list->n ? v->palette[list->point].text : "";
}

static const char *first_keys(struct session *s)
{
    const struct view *v = view_of(s);
    return v->lists[LIST_PALETTE].n ? v->palette[0].keys : "";
}

TEXT_FACT(first, first_line(s))
TEXT_FACT(first_keys, first_keys(s))
NUMBER_FACT(tutor, s->parts.tutor->is_on)
NUMBER_FACT(chosen, s->view.lists[LIST_PALETTE].point)
NUMBER_FACT(found, s->parts.palette->n_found)
/* A bit for each letter that fits. */
NUMBER_FACT(marks, view_of(s)->palette[0].marks)

SCRIPT(letters_are_found_in_order, model_session) = {
    {"‹C-p›IN zoom", "first zoom in on time; marks 111"}, /* all but the space */
    {"‹C-w›mooz", "first "},
    {"‹C-u›", "marks 0; found 60..999"},
};

SCRIPT(a_command_is_done, model_session) = {
    {"\r‹C-p›undo", "mode PALETTE; n 1; first undo"},
    {"\r", "mode NORMAL; n 0"},
    {"3‹C-p›put a note\r", "notes 0+3s 60"}, /* three steps long */
};

/* In SELECT the same words find what works there. */
SCRIPT(it_knows_the_mode, model_session) = {
    {"\rv‹C-p›duplicate\r", "n 2"},
    {"‹C-p›accept the shown take", "first "}, /* no take waits */
    {"\r", "mode NORMAL"},
    {"?‹C-p›draw mode\r", "mode DRAW"},
};

/* What people type, and the key or the line that does it. */
TEST_WITH(other_words_are_known, empty_session)
{
    static const char ASKED[] =
        "quantize -> =; humanize -> ~; harmonize -> :harmonise; "
        "export audio -> :render NAME.flac; bounce -> :render NAME.flac; "
        "insert bar -> :insert 2; time signature -> :meter 3/4; transpose -> }; "
        "glue -> gj; bpm -> :tempo 96; click -> #; new track -> A; "
        "delete track -> X; rename track -> :rename NAME; "
        "sound patch -> :instrument NAME; colors -> :theme NAME; generate -> C; "
        "inpaint -> cc; attention -> I; retrograde -> :reverse; "
        "half speed -> :stretch 200%; midi input -> :input NAME; record -> R; "
        "save -> Ctrl-S; exit -> Ctrl-Q; tutorial -> :tutor; settings -> :config; "
        "delete -> x; loop -> \\; key signature -> :key Bb minor; "
        "duplicate track -> D; move to track -> :move 2; delete bar -> :remove 2; "
        "volume -> :volume 100; ";
    const char *at = ASKED;
    char asked[64], found[64];
    for (int n; sscanf(at, "%63[^>]> %63[^;]; %n", asked, found, &n) == 2; at += n) {
        asked[strlen(asked) - 2] = '\0'; /* " -" */
        play(s, formatted("‹C-p›%s", asked), formatted("first_keys %s", found), NULL);
        keys(s, "\033");
    }
    assert_int_equal(*at, '\0');
}

/* What the list of tracks does is found without it. */
SCRIPT(the_track_is_removed_from_the_roll, empty_session) = {
    {"A‹C-p›delete track\r", "mode NORMAL; tracks 1", "~remove track 2"},
};

SCRIPT(lines_are_run_or_left_to_complete, model_session) = {
    {"‹C-p›:tempo\r", "mode COMMAND; input tempo "},
    {"96\r", "bpm 96"},
    {"‹C-p›tutorial\r", "mode NORMAL; tutor"}, /* which needs no more */
    {"‹C-p›which soundfont plays\r", "", "~ "},
};

SCRIPT(tracks_are_gone_to, model_session) = {
    {"‹line track Alto\033[2J›:track Tenor\r‹C-p›go alto\r", "track 1; mode NORMAL"},
};

NUMBER_FACT(last_chosen,
            s->view.lists[LIST_PALETTE].n - 1 - s->view.lists[LIST_PALETTE].point)
NUMBER_FACT(lines_before, view_of(s)->lists[LIST_PALETTE].top)

SCRIPT(one_walks_through_it, model_session) = {
    {"‹C-p›‹Up›", "chosen 60..999; last_chosen 0; lines_before 40..999"},
    {"‹C-n›‹Down›‹Down›", "chosen 2"},
    {"zz‹C-w›‹C-u›\b", "mode NORMAL"}, /* of nothing: closes */
    {"‹C-p›\033", "mode NORMAL"},
    {"‹C-p›no such thing at all‹Down›\r", "mode NORMAL"},
};

SCRIPT(the_mouse_chooses, model_session) = {
    {"\r‹C-p›undo‹item 0›", "n 0"},
    {"‹C-p›‹beside›", "mode NORMAL"},
};

/* Everything with a key in this mode is in it, and all lines. */
TEST_WITH(nothing_is_left_out, model_session)
{
    struct palette *p = palette_create(s);
    size_t n_lines = 0;
    for (size_t i = 0; i < n_bindings; i++) {
        const struct binding *b = &bindings[i];
        bool found = !(b->modes & IN(MODE_NORMAL)) || b->group == GROUP_MOUSE ||
                     b->id == CMD_ESCAPE || b->id == CMD_PALETTE ||
                     b->id == CMD_REGISTER; /* which only begins a command */
        for (size_t k = 0; k < p->n_items; k++)
            found |= p->items[k].command.id == b->id;
        if (!found)
            fail_msg("not in the palette: %s", b->help);
    }
    for (size_t k = 0; k < p->n_items; k++)
        n_lines += !*p->items[k].kind && p->items[k].line;
    assert_int_equal(n_lines, n_typed_lines);
    palette_destroy(p);
}

/* What needs a place on the screen is in no mode's palette. */
TEST_WITH(nothing_of_the_mouse_is_in_it, model_session)
{
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        s->view.mode = (enum mode)mode;
        struct palette *p = palette_create(s);
        for (size_t k = 0; k < p->n_items; k++)
            for (size_t i = 0; i < n_bindings; i++)
                if (bindings[i].id == p->items[k].command.id &&
                    p->items[k].command.id && bindings[i].help &&
                    bindings[i].modes & IN(mode) && key_is_mouse(bindings[i].keys[0]))
                    fail_msg("in the palette: %s", p->items[k].text);
        palette_destroy(p);
    }
    s->view.mode = MODE_NORMAL;
}

/* -- files -- */

static void assert_recent(int n, const char *first)
{
    struct recent r;
    recent_read(&r);
    assert_int_equal(r.n, n);
    assert_non_null(strstr(r.paths[0], first));
    recent_forget(&r);
}

TEST_WITH(files_opened_are_remembered, model_session)
{
    setenv("XDG_STATE_HOME", in_folder("state"), 1);
    s->preferences.remembers_files = true;
    keys(s, formatted("\r:w %s\r", in_folder("tune one.mid")));
    /* The session's writer may be at the same store. */
    assert_true(!s->project.autosave.writer ||
                writer_wait(s->project.autosave.writer, 10000));
    for (int i = 0; i < 2; i++)
        recent_add(NULL, in_folder("tune one.mid"));
    recent_add(NULL, "/no/such/file.mid"); /* is nowhere, and not kept */
    assert_recent(1, "/tune one.mid");
    play(s, "‹C-p›open tune one\r", "n 1", "~1 note");
    for (int i = 0; i < 2 * RECENT_MAX; i++) { /* the oldest go */
        put_text(formatted("%d.mid", i), "");
        recent_add(NULL, in_folder(formatted("%d.mid", i)));
    }
    assert_recent(RECENT_MAX, "/39.mid");
    unsetenv("XDG_STATE_HOME");
}

GROUP(make_model, remove_own_folder)
