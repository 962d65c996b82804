/* Steering: that every value reads what it writes, wherever one steps to, what a request
 * is made of, and the panel, without a screen. */
#include "tests/check.h"
#include "tests/app/driver.h"
#include "app/editor/takes/steering_panel.h"
#include "tui/keys/bindings.h"
#include "tui/panels/panels.h"

static const struct steer_row *row(const char *name)
{
    const struct steer_row *r = steer_find(name);
    assert_non_null(r);
    return r;
}

static void set(struct steering *s, const char *name, const char *text)
{
    if (!steer_set(row(name), s, text))
        fail_msg("%s cannot be %s", name, text);
}

static void assert_is(const struct steering *s, const char *name, const char *text)
{
    char is[STEER_TEXT_BYTES];
    assert_string_equal(steer_get(row(name), s, is), text);
}

/* What is written is read again, as the same value. */
static void assert_reads_back(const struct steer_row *r, const struct steering *s)
{
    char is[STEER_TEXT_BYTES];
    struct steering read = STEERING_DEFAULT;
    steer_get(r, s, is);
    if (!steer_set(r, &read, is))
        fail_msg("%s wrote %s and cannot read it", steer_name(r), is);
    struct steering other = *s;
    for (int i = 0; i < steer_n_rows(); i++)
        if (steer_row(i) != r)
            steer_reset(steer_row(i), &other);
    assert_memory_equal(&read.temperature, &other.temperature, 3 * sizeof(float));
    assert_true(read.seed == other.seed && read.n_takes == other.n_takes);
    assert_true(read.density == other.density && read.voices == other.voices);
    assert_true(read.note_length == other.note_length);
    assert_int_equal(read.register_pitch, other.register_pitch);
    assert_true(read.close == other.close);
}

TEST(every_row_is_whole)
{
    for (int i = 0; i < steer_n_rows(); i++) {
        const struct steer_row *r = steer_row(i);
        char wants[STEER_WANTS_BYTES];
        struct steering s = STEERING_DEFAULT;
        assert_true(*steer_help(r) && *steer_wants(r, wants));
        assert_null(strchr(steer_name(r), ' '));
        assert_ptr_equal(steer_find(steer_name(r)), r);
        assert_true(steer_is_default(r, &s));
        assert_reads_back(r, &s);
    }
    assert_null(steer_find("tempo"));
    assert_null(steer_find(""));
}

TEST(stepping_stays_among_its_values)
{
    for (int i = 0; i < steer_n_rows(); i++) {
        const struct steer_row *r = steer_row(i);
        struct steering s = STEERING_DEFAULT;
        for (int n = 0; n < 400; n++) {
            steer_step(r, &s, n < 150 ? 1 : n < 350 ? -1 : 37 * (n % 3 - 1));
            assert_reads_back(r, &s);
            double share = steer_share(r, &s);
            assert_true(share < 0 || share <= 1.0001);
        }
        steer_reset(r, &s);
        assert_true(steer_is_default(r, &s));
        steer_step(r, &s, INT32_MAX);
        assert_reads_back(r, &s);
        steer_step(r, &s, -INT32_MAX);
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
        steer_step(row("density"), &s, 1);
        steer_step(row("note-length"), &s, 1);
        steer_step(row("register"), &s, 1);
    }
    assert_is(&s, "density", "5.66");
    assert_is(&s, "note-length", "5.66");
}

TEST(any_is_below_the_lowest)
{
    struct steering s = STEERING_DEFAULT;
    assert_is(&s, "density", "any");
    steer_step(row("density"), &s, -1);
    assert_is(&s, "density", "any");
    steer_step(row("density"), &s, 1);
    assert_is(&s, "density", "1");
    steer_step(row("density"), &s, -6);
    assert_is(&s, "density", "0.125");
    steer_step(row("density"), &s, -1);
    assert_is(&s, "density", "any");
    steer_step(row("voices"), &s, 1);
    assert_is(&s, "voices", "1");
    steer_step(row("voices"), &s, 1);
    assert_is(&s, "voices", "2");
    steer_step(row("voices"), &s, -2);
    assert_is(&s, "voices", "any");
    steer_step(row("register"), &s, 1);
    assert_is(&s, "register", "C4");
}

TEST(what_is_no_such_value_is_refused)
{
    static const char *const BAD[][2] = {
        {"temperature", "5.1"}, {"temperature", "nan"},
        {"temperature", ""},    {"temperature", "any"},
        {"top-p", "0"},         {"takes", "9"},
        {"takes", "1.5"},       {"takes", "any"},
        {"style", "jazz"},      {"style", ""},
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
        if (steer_set(row(BAD[i][0]), &s, BAD[i][1]))
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

TEST(wishes_reach_the_request)
{
    struct steering s = STEERING_DEFAULT;
    struct continuation_options o = CONTINUATION_DEFAULT, learnt = o;
    learnt.sampling.seed = learnt.stays_seed = 1;
    learnt.guidance = STEERING_DEFAULT.guidance;
    learnt.n_takes = 4;
    learnt.n_draws = 16;
    steer_apply(&s, &o);
    assert_memory_equal(&o, &learnt, sizeof o);
    set(&s, "density", "2");
    set(&s, "voices", "3");
    set(&s, "min-notes", "12");
    set(&s, "temperature", "1.3");
    set(&s, "polyphony", "2");
    set(&s, "takes", "5");
    set(&s, "close", "on");
    steer_apply(&s, &o);
    assert_true(o.sampling.temperature == 1.3f);
    assert_int_equal(o.max_polyphony, 2);
    assert_int_equal(o.n_takes, 5);
    assert_int_equal(o.hole.density, fill_density_level(2));
    assert_int_equal(o.hole.polyphony, 2);
    assert_int_equal(o.hole.min_notes, 12);
    assert_int_equal(o.hole.length, FILL_ANY);
    assert_true(o.hole.close);
    set(&s, "density", "any");
    set(&s, "close", "off");
    steer_apply(&s, &o); /* none stays behind */
    assert_false(o.hole.close);
    assert_int_equal(o.hole.density, FILL_ANY);
}

TEST(differences_are_told)
{
    struct steering s = STEERING_DEFAULT;
    char told[64], cut[12];
    steer_tell(&s, &STEERING_DEFAULT, told, sizeof told);
    assert_string_equal(told, "");
    set(&s, "density", "2");
    set(&s, "style", "folk");
    steer_tell(&s, &STEERING_DEFAULT, told, sizeof told);
    assert_string_equal(told, "style folk, density 2");
    steer_tell(&s, &STEERING_DEFAULT, cut, sizeof cut);
    assert_string_equal(cut, "style folk,");
}

/* -- in the workstation -- */

static int open_session(void **state)
{
    *state = headless_open();
    return *state ? 0 : -1;
}

/* As it is typed, through the table of keys. */
static void press(struct session *s, const char *keys)
{
    struct keymap_state state = {0};
    for (; *keys; keys++) {
        uint32_t code = *keys == '\n'     ? K_ENTER
                        : *keys == '\b'   ? K_BACKSPACE
                        : *keys == '\033' ? K_ESCAPE
                                          : (uint32_t)*keys;
        struct command c;
        if (keys_feed(&state, s->mode, &(struct key){.code = code}, &c))
            act_run(s, &c);
    }
}

static void go_to_line(struct session *s, const char *name)
{
    for (int i = 0; i < steer_n_rows(); i++)
        if (steer_row(i) == row(name))
            s->parts.steer->chosen = i;
}

TEST_IN(values_are_typed_after_a_colon, open_session, close_session)
{
    struct session *s = *state;
    press(s, ":density 2\n");
    assert_string_equal(s->message.text, "density 2");
    press(s, ":temperature 9\n");
    assert_true(s->message.is_error);
    assert_string_equal(s->message.text,
                        "temperature wants a number from 0 to 5; it is 1");
    press(s, ":style jazz\n");
    assert_non_null(
        strstr(s->message.text, "guess any chorale piano song quartet folk"));
    press(s, ":register G4\n");
    assert_int_equal(s->steering.register_pitch, 67);
}

TEST_IN(a_flag_is_typed_or_turned, open_session, close_session)
{
    struct session *s = *state;
    press(s, ":close\n");
    assert_string_equal(s->message.text, "close on");
    assert_true(s->steering.close);
    press(s, ":close\n");
    assert_false(s->steering.close);
    press(s, ":close on\n:close on\n");
    assert_true(s->steering.close);
    press(s, ":close soon\n");
    assert_string_equal(s->message.text, "close wants on or off; it is on");
    go_to_line(s, "close");
    press(s, "Phlhl");
    assert_true(s->steering.close);
    press(s, "h\033");
    assert_string_equal(s->message.text, "from the next take on: close off");
    assert_false(s->steering.close);
}

TEST_IN(keys_change_values, open_session, close_session)
{
    struct session *s = *state;
    s->parts.steer->chosen = 0;
    press(s, "Pl");
    assert_int_equal(s->mode, MODE_STEER);
    assert_is(&s->steering, "temperature", "1.05");
    press(s, "0");
    assert_is(&s->steering, "temperature", "1");
    press(s, ".7\n");
    assert_int_equal(s->mode, MODE_STEER);
    assert_is(&s->steering, "temperature", "0.7");
    press(s, "12\033"); /* typed and left */
    assert_is(&s->steering, "temperature", "0.7");
    press(s, "jhh\n");
    assert_int_equal(s->mode, MODE_PROMPT);
    assert_string_equal(s->prompt.text, "top-p ");
    press(s, "2\n");
    assert_true(s->message.is_error);
    assert_is(&s->steering, "top-p", "0.93");
    press(s, "\bk\033");
    assert_is(&s->steering, "top-p", "0.95");
    assert_int_equal(s->mode, MODE_NORMAL);
    assert_string_equal(s->message.text, "from the next take on: temperature 0.7");
    press(s, "PkP"); /* round to the last, and nothing changed */
    assert_int_equal(s->parts.steer->chosen, steer_n_rows() - 1);
    assert_string_equal(s->message.text, "");
}

/* Where it is seen: the lines move when there is no room for all and another is chosen. */
static int line_of(const struct session *s, const char *name)
{
    struct steer_panel p =
        steer_panel_for(&s->layout, steer_n_rows(), s->parts.steer->chosen);
    int i = 0;
    while (steer_row(i) != row(name))
        i++;
    return p.box.items.row + i - p.box.first;
}

TEST_IN(the_mouse_changes_values, open_session, close_session)
{
    struct session *s = *state;
    press(s, "P");
    s->parts.steer->chosen = 0;
    struct steer_panel p = steer_panel_for(&s->layout, steer_n_rows(), 0);
    struct command c = {.id = CMD_STEER_POINT,
                        .column = p.value,
                        .row = line_of(s, "density"),
                        .button = 1};
    act_run(s, &c);
    assert_ptr_equal(steer_row(s->parts.steer->chosen), row("density"));
    assert_is(&s->steering, "density", "any");
    c.column = p.more;
    c.row = line_of(s, "density");
    act_run(s, &c);
    act_run(s, &c);
    assert_is(&s->steering, "density", "1.41");
    c.column = p.less;
    act_run(s, &c);
    assert_is(&s->steering, "density", "1");
    c = (struct command){
        .id = CMD_STEER_MORE, .column = p.value, .row = line_of(s, "voices")};
    act_run(s, &c);
    assert_is(&s->steering, "voices", "1");
    assert_ptr_equal(steer_row(s->parts.steer->chosen), row("voices"));
    c = (struct command){
        .id = CMD_STEER_POINT, .column = s->layout.columns - 1, .row = 5, .button = 1};
    act_run(s, &c); /* beside it */
    assert_is(&s->steering, "voices", "1");
}

TEST_IN(the_panel_is_in_the_view, open_session, close_session)
{
    struct session *s = *state;
    struct view v;
    press(s, ":style guess\n:takes 4\n");
    session_view(s, &v, 0);
    assert_int_equal(v.steer.n, 0);
    assert_string_equal(v.steer.summary, "");
    press(s, "P");
    go_to_line(s, "density");
    press(s, "2");
    session_view(s, &v, 0); /* behind the prompt */
    assert_int_equal(v.steer.n, steer_n_rows());
    assert_int_equal(v.mode, MODE_PROMPT);
    press(s, "\n");
    session_view(s, &v, 0);
    assert_string_equal(v.steer.lines[v.steer.chosen].value, "2");
    assert_true(v.steer.lines[v.steer.chosen].is_set);
    assert_string_equal(v.steer.summary, "density 2");
}

TEST_IN(it_returns_to_where_it_was, open_session, close_session)
{
    struct session *s = *state;
    press(s, "vP\033");
    assert_int_equal(s->mode, MODE_SELECT);
    press(s, "\033cc");
    assert_int_equal(s->mode, MODE_TAKES);
    wait_for_end(s);
    bool has_take = s->has_take;
    press(s, "P\033");
    assert_int_equal(s->mode, has_take ? MODE_TAKES : MODE_NORMAL);
    press(s, "P");
    session_drop_take(s); /* it went meanwhile */
    press(s, "P");
    assert_int_equal(s->mode, MODE_NORMAL);
}

TEST_IN(requests_are_made_of_it, open_session, close_session)
{
    struct session *s = *state;
    press(s, ":density 2\n:temperature 0.9\ncc");
    assert_int_equal(s->request.asked.options.hole.density, fill_density_level(2));
    assert_true(s->request.asked.options.sampling.temperature == 0.9f);
    assert_true(s->request.asked.options.sampling.seed == 5);
    wait_for_end(s);
    press(s, ":density any\n:voices 2\n:seed 9\nr"); /* another, as it is asked now */
    assert_int_equal(s->request.asked.options.hole.density, FILL_ANY);
    assert_int_equal(s->request.asked.options.hole.polyphony, 1);
    assert_true(s->request.asked.options.sampling.seed == 9);
    wait_for_end(s);
}

GROUP(make_model, remove_own_folder)
