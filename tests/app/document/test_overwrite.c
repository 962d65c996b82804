/* What the verbs write over with -o: a file that the editor would ask about only with
 * --force, their own input only as the same kind of file. Runs the real program. */
#include "tests/check.h"
#include "tests/app/kept.h"
#include "tests/app/program_home.h"
#include "app/document/overwrite.h"

static int at_home(void **state)
{
    home_of_program = getenv("CONTINUO_HOME");
    return make_own_folder(state);
}

/* "‹refuses saved.mid|copy in.mid -o saved.mid|unsaved edits›": nothing there changes, and
 * the message has that text. */
WORD(refuses)
{
    char name[64], line[256], says[64];
    size_t n, n_after;
    assert_int_equal(sscanf(arguments, "%63[^|]|%255[^|]|%63[^|]", name, line, says),
                     3);
    auto_free uint8_t *before = get_bytes(name, &n);
    const int status = run_program(line);
    if (status != 1 || !strstr(said, says))
        WRONG("%s: exit %d, %s", line, status, said);
    auto_free uint8_t *after = get_bytes(name, &n_after);
    assert_int_equal(n, n_after);
    assert_memory_equal(before, after, n);
}

DOES(does, assert_done(arguments))

/* Music of two notes, with its store, and then edited, so many notes, or opened. */
#define MUSIC             "‹saved2 in.mid›‹leave›"
#define COPY(to)          "‹does copy in.mid -o " to "›"
#define REFUSES(to, says) "‹refuses " to "|copy in.mid -o " to "|" says "›"
#define EDIT(name)        "‹open " name "›‹draw 1›‹settle›‹leave›"

SCRIPT(a_store_with_unsaved_edits_is_not_undercut, empty_session) = {
    {MUSIC COPY("saved.mid") "‹saved2 saved.mid›‹leave›" COPY(
        "saved.mid")}, /* all is saved */
    {EDIT("saved.mid") REFUSES("saved.mid", "unsaved edits")},
    {"‹refuses saved.mid|copy saved.mid -o saved.mid|unsaved edits›"
     "‹sh ln -s saved.mid link.mid›"
     "‹refuses saved.mid|copy in.mid -o link.mid|unsaved edits›"
     "‹refuses saved.mid|render in.mid -o saved.mid --format wav|unsaved edits›"},
    {"‹open saved.mid›u‹settle›‹leave›" COPY("saved.mid")}, /* at what was saved */
    {EDIT("saved.mid") COPY("saved.mid --force")},
};

/* Each of several files. */
SCRIPT(so_is_that_of_a_take, empty_session) = {
    {MUSIC "‹saved2 out-2.mid›‹leave›" EDIT("out-2.mid")},
    {"‹refuses out-2.mid|continue in.mid -o out.mid --takes 3 --model /none|"
     "out-2.mid: is not written: its store has unsaved edits›"},
};

SCRIPT(an_open_piece_is_not_undercut, empty_session) = {
    {MUSIC "‹saved2 open.mid›‹open open.mid›" REFUSES("open.mid", "has it open")},
    {"‹draw 1›‹settle›" REFUSES("open.mid", "has it open")},
};

/* A check leaves no store behind, and one that says nothing is no reason. */
TEST_WITH(other_stores_are_no_reason, empty_session)
{
    keys(s, MUSIC COPY("plain.mid")
                COPY("plain.mid") "‹sh test ! -e plain.mid.continuo && "
                                  "printf 'no store' >plain.mid.continuo›" COPY(
                                      "plain.mid") "‹sh test -e plain.mid.continuo›");
    assert_null(overwrite_refusal(in_folder("nowhere.mid")));
    assert_null(overwrite_refusal("/dev/null"));
}

/* Edits that are in the state folder, since the folder takes no store. */
SCRIPT(edits_in_the_state_folder_count, empty_session) = {
    {MUSIC COPY("kept.mid") "‹sh mkdir -m 700 kept.mid.continuo›" EDIT("kept.mid")},
    {REFUSES("kept.mid", "unsaved edits") COPY("kept.mid --force")},
};

SCRIPT(a_hard_link_is_not_separated, empty_session) = {
    {MUSIC COPY("one.mid") "‹sh ln one.mid two.mid›" REFUSES("two.mid", "hard link")},
    {"‹refuses two.mid|copy one.mid -o two.mid|hard link›"},
    {"‹sh test one.mid -ef two.mid›" COPY(
        "two.mid --force") "‹sh ! test one.mid -ef two.mid›"},
};

SCRIPT(a_damaged_input_stays, empty_session) = {
    {MUSIC COPY("cut.mid") "‹sh truncate -s -6 cut.mid && ln -s cut.mid cut-link.mid›"},
    {"‹refuses cut.mid|copy cut.mid -o cut.mid|not read completely›"
     "‹refuses cut.mid|copy cut-link.mid -o cut.mid|not read completely›"
     "‹refuses cut.mid|copy cut.mid -o ./cut-link.mid|not read completely›"},
    {"‹does copy cut.mid -o elsewhere.mid›‹does copy cut.mid -o cut.mid --force›"},
    {"‹does copy cut.mid -o cut.mid›"}, /* it is whole now */
};

#define INPUT(line) "‹refuses in.mid|" line "|is an input›"

SCRIPT(an_input_is_not_written_over_in_another_format, empty_session) = {
    {MUSIC COPY("other.mid") "‹sh ln -s in.mid in-link.mid›"},
    {INPUT("render in.mid -o in.mid --format wav")
         INPUT("render in.mid -o in-link.mid --format wav --force")},
    {INPUT("tokens --data in.mid -o in.mid")
         INPUT("tokens --data in.mid -o ./in.mid --force")},
    {INPUT("quantise in.mid -o in.mid")
         INPUT("quantise other.mid -o in.mid --mean-with in.mid")},
    {INPUT("train --data in.mid -o in.mid --steps 1")
         INPUT("train --data in.mid -o in.mid --steps 1 --force")},
    {INPUT("continue other.mid -o in.mid --model in.mid")},
    {INPUT("inpaint other.mid -o in.mid --from 1 --to 2 --more-like in.mid")},
    {COPY("in.mid") COPY("in.json")}, /* the same kind of file */
    {"‹refuses in.json|tokens --data in.json -o in.npy|is an input›"},
};

GROUP(at_home, remove_own_folder)
