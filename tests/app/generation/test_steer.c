/* Steering: that every value reads what it writes, wherever one steps to, what a request
 * is made of, and the panel, without a screen. */
#include "tests/check.h"
#include "tests/app/script.h"
#include "app/editor/takes/machine.h"
#include "tui/panels/panels.h"

static const struct field *row(const char *name)
{
    const struct field *r = steer_find(name);
    assert_non_null(r);
    return r;
}

static void set(struct steering *s, const char *name, const char *text)
{
    if (!field_read(row(name), s, text))
        fail_msg("%s cannot be %s", name, text);
}

static void assert_is(const struct steering *s, const char *name, const char *text)
{
    char is[STEER_TEXT_BYTES];
    assert_string_equal(field_write(row(name), s, is, sizeof is), text);
}

/* What is written is read again. */
static void assert_reads_back(const struct field *r, const struct steering *s)
{
    char is[STEER_TEXT_BYTES];
    struct steering read = STEERING_DEFAULT;
    set(&read, r->name, field_write(r, s, is, sizeof is));
    assert_is(&read, r->name, is);
}

TEST(every_row_is_whole)
{
    for (int i = 0; i < steer_n_rows(); i++) {
        const struct field *r = steer_row(i);
        char wants[FIELD_WANTS_BYTES];
        struct steering s = STEERING_DEFAULT;
        assert_true(*r->help && *field_wants(r, NULL, wants));
        assert_null(strchr(r->name, ' '));
        assert_ptr_equal(steer_find(r->name), r);
        assert_true(field_is_equal(r, &s, &STEERING_DEFAULT));
        assert_reads_back(r, &s);
    }
    assert_null(steer_find("tempo"));
    assert_null(steer_find(""));
}

TEST(stepping_stays_among_its_values)
{
    for (int i = 0; i < steer_n_rows(); i++) {
        const struct field *r = steer_row(i);
        struct steering s = STEERING_DEFAULT;
        for (int n = 0; n < 400; n++) {
            field_step(r, &s, n < 150 ? 1 : n < 350 ? -1 : 37 * (n % 3 - 1));
            assert_reads_back(r, &s);
            double share = field_share(r, &s);
            assert_true(share < 0 || share <= 1.0001);
        }
        field_copy(r, &s, &STEERING_DEFAULT);
        assert_true(field_is_equal(r, &s, &STEERING_DEFAULT));
        field_step(r, &s, INT32_MAX);
        assert_reads_back(r, &s);
        field_step(r, &s, -INT32_MAX);
        assert_reads_back(r, &s);
    }
}

/* A step of a wish is a step of what the model was taught. */
TEST(a_step_is_a_level)
{
    struct steering s = STEERING_DEFAULT;
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.hole = CONTINUATION_HOLE_DEFAULT;
    o.hole.to_tick = 1;
    set(&s, "density", "0.125");
    set(&s, "note-length", "0.125");
    set(&s, "register", "C1");
    for (int level = 0; level < FILL_DENSITIES; level++) {
        steer_apply(&s, &o);
        assert_int_equal(o.hole.density, level);
        assert_int_equal(o.hole.length, level);
        assert_int_equal(o.hole.height, level);
        field_step(row("density"), &s, 1);
        field_step(row("note-length"), &s, 1);
        field_step(row("register"), &s, 1);
    }
    assert_is(&s, "density", "5.66");
    assert_is(&s, "note-length", "5.66");
}

TEST(what_is_no_such_value_is_refused)
{
    static const char *const BAD[][2] = {
        {"temperature", "5.1"}, {"temperature", "nan"},
        {"temperature", ""},    {"temperature", "any"},
        {"top-p", "0"},         {"takes", "9"},
        {"takes", "1.5"},       {"takes", "any"},
        {"style", "polka"},     {"style", ""},
        {"density", "-1"},      {"density", "6"},
        {"density", "1 2"},     {"voices", "9"},
        {"register", "C4-C5"},  {"register", "H4"},
        {"register", "C0"},     {"close", ""},
        {"close", "1"},         {"close", "any"},
        {"min-notes", "1001"},  {"seed", "-1"},
        {"seed", "1e3"},        {"seed", "18446744073709551616"},
        {"polyphony", "129"},
    };
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        struct steering s = STEERING_DEFAULT;
        if (field_read(row(BAD[i][0]), &s, BAD[i][1]))
            fail_msg("%s was %s", BAD[i][0], BAD[i][1]);
        assert_memory_equal(&s, &STEERING_DEFAULT, sizeof s);
    }
    struct steering s = STEERING_DEFAULT;
    set(&s, "seed", "18446744073709551615");
    assert_is(&s, "seed", "18446744073709551615");
    set(&s, "density", "2");
    set(&s, "density", "0");
    assert_is(&s, "density", "any");
}

/* -- in the workstation -- */

static const char *value(struct session *s, const char *name)
{
    static char text[STEER_TEXT_BYTES];
    return field_write(row(name), &s->steering, text, sizeof text);
}

TEXT_FACT(temperature, value(s, "temperature"))
TEXT_FACT(top_p, value(s, "top-p"))
TEXT_FACT(dense, value(s, "density"))
TEXT_FACT(voices, value(s, "voices"))
TEXT_FACT(close, value(s, "close"))
TEXT_FACT(line, steer_row(s->view.lists[LIST_STEER].point)->name)
NUMBER_FACT(last_line, s->view.lists[LIST_STEER].point == steer_n_rows() - 1)
NUMBER_FACT(register, s->steering.register_pitch)

/* To a line of the panel, by its name. */
WORD(line_of)
{
    while (steer_row(s->view.lists[LIST_STEER].point) != row(arguments))
        s->view.lists[LIST_STEER].point =
            (s->view.lists[LIST_STEER].point + 1) % steer_n_rows();
}

SCRIPT(values_are_typed_after_a_colon, model_session) = {
    {":density 2\r", "", "density 2"},
    {":temperature 9\r", "error",
     "temperature must be a number from 0 to 5; it is 0.8"},
    {":style polka\r", "", "~guess, any, chorale, piano, song, quartet, folk"},
    {":register G4\r", "register 67"},
};

SCRIPT(a_flag_is_typed_or_turned, model_session) = {
    {":close\r", "close on", "close on"},
    {":close\r", "close off"},
    {":close on\r:close on\r", "close on"},
    {":close soon\r", "", "close must be on or off; it is on"},
    {"‹line_of close›Phlhl", "close on"},
    {"h\033", "close off", "from the next take on: close off"},
};

SCRIPT(keys_change_values, model_session) = {
    {"‹line_of temperature›Pl", "mode STEER; temperature 0.85"},
    {"0", "temperature 0.8"},
    {".7\r", "mode STEER; temperature 0.7"},
    {"12\033", "temperature 0.7"}, /* typed and left */
    {"jhh\r", "mode COMMAND; input top-p "},
    {"2\r", "top_p 0.98", "!"},
    {"\bk\033", "top_p 1; mode NORMAL", "from the next take on: temperature 0.7"},
    {"PkP", "last_line", ""}, /* round to the last, and nothing changed */
};

SCRIPT(any_is_below_the_lowest, model_session) = {
    {"‹line_of density›Ph", "dense any"},
    {"l", "dense 1"},
    {"hhhhhh", "dense 0.125"},
    {"h", "dense any"},
    {"‹line_of voices›l", "voices 1"},
    {"l", "voices 2"},
    {"hh", "voices any"},
    {"‹line_of register›l", "register 60"},
};

/* At the mouse, in a line by its name: "‹at_more density›". */
static void point_at(struct session *s, const char *name, uint32_t code, int more)
{
    const struct list_box b = box_of(s, LIST_STEER);
    const struct steer_columns p = steer_columns_of(&b);
    int i = 0;
    while (steer_row(i) != row(name))
        i++;
    point(s, code,
          more < 0 ? p.less
          : more   ? p.more
                   : p.value,
          b.items.row + i - b.first);
}

DOES(at_value, point_at(s, arguments, K_PRESS, 0))
DOES(at_more, point_at(s, arguments, K_PRESS, 1))
DOES(at_less, point_at(s, arguments, K_PRESS, -1))
DOES(wheel, point_at(s, arguments, K_WHEEL_UP, 0))

SCRIPT(the_mouse_changes_values, model_session) = {
    {"P‹line_of temperature›‹at_value density›", "line density; dense any"},
    {"‹at_more density›‹at_more density›", "dense 1.41"},
    {"‹at_less density›", "dense 1"},
    {"‹wheel voices›", "line voices; voices 1; dense 1"},
};

NUMBER_FACT(lines, view_of(s)->lists[LIST_STEER].is_open)
NUMBER_FACT(is_set, view_of(s)->steer.lines[s->view.lists[LIST_STEER].point].is_set)
TEXT_FACT(summary, view_of(s)->steer.summary)
TEXT_FACT(shown, view_of(s)->steer.lines[s->view.lists[LIST_STEER].point].value)

SCRIPT(the_panel_is_in_the_view, model_session) = {
    {":style guess\r:takes 4\r", "no lines; summary "},
    {"P‹line_of density›2", "mode COMMAND; lines"}, /* behind the prompt */
    {"\r", "shown 2; is_set; summary density 2"},
};

SCRIPT(it_returns_to_where_it_was, model_session) = {
    {"vP\033", "mode SELECT"},
    {"\033:min-notes 1\rcc‹made›P\033", "mode TAKES"},
    {"P‹drop_take›P", "mode NORMAL"}, /* it went meanwhile */
};

TEST_WITH(requests_are_made_of_it, model_session)
{
    const struct continuation_options *o = &s->request.asked.options;
    keys(s, ":density 2\r:temperature 0.9\r:min-notes 1\r:polyphony 2\r:close\r:takes "
            "2\rcc");
    assert_true(o->sampling.seed == 5 && o->sampling.temperature == 0.9f);
    assert_int_equal(o->hole.density, fill_density_level(2));
    assert_int_equal(o->hole.length, FILL_ANY);
    assert_true(o->hole.min_notes == 1 && o->max_polyphony == 2 && o->hole.close);
    assert_true(o->n_takes == 2 && o->guidance == STEERING_DEFAULT.guidance);
    /* another, as it is asked now: nothing stays behind */
    keys(s, "‹made›:density any\r:voices 2\r:seed 9\r:close\rr");
    assert_true(o->sampling.seed == 9 && o->hole.polyphony == 1 && !o->hole.close);
    assert_int_equal(o->hole.density, FILL_ANY);
    wait_for_end(s);
}

GROUP(make_model, remove_own_folder)
