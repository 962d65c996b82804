/* The configuration file: what it says holds, what is wrong in it is told with its line
 * and costs nothing else. What `continuo config` prints test_config_verb.sh reads again. */
#include "tests/check.h"
#include "tests/app/own_folder.h"

#include "tests/app/settings/config_text.h"

/* These are the errors, "LINE TEXT" with "|" between: each has that text in it. */
static void assert_errors(const struct config *c, const char *errors)
{
    int n = 0;
    for (const char *at = errors; *at; at += strspn(at, "|"), n++) {
        char text[200];
        const int line = (int)strtol(at, (char **)&at, 10);
        const size_t length = strcspn(++at, "|");
        snprintf(text, sizeof text, "%.*s", (int)length, at);
        at += length;
        assert_true(n < c->n_errors);
        if (c->errors[n].line != line || !strstr(c->errors[n].text, text))
            fail_msg("line %d, not %d: %s", c->errors[n].line, line, c->errors[n].text);
    }
    assert_int_equal(c->n_errors, n);
}

static enum command_id command_of(const struct config *c, enum mode mode, uint32_t code)
{
    struct command out = {0};
    struct keymap_state s = {.map = c->keymap};
    keys_feed(&s, mode, &(struct key){.code = code}, &out);
    return out.id;
}

TEST(settings_are_read)
{
    const struct config *c = read_text(
        "\xEF\xBB\xBF[sound]\r\nsoundfont = /a b/c.sf2 ; mine\r\n"
        "gain=1.5\n  driver: jack\n[machine]\n# none\nthreads = 3\n"
        "precision = f32\ntakes = 2\nscale = D minor\n\n[view]\ntheme = light\n"
        "follow = no\nascii = on\n[edit]\nvelocity = 100");
    for (int i = 0; i < c->n_errors; i++)
        print_message("%d: %s\n", c->errors[i].line, c->errors[i].text);
    assert_int_equal(c->n_errors, 0);
    const struct settings *s = &c->settings;
    assert_string_equal(s->soundfont, "/a b/c.sf2");
    assert_string_equal(s->driver, "jack");
    assert_string_equal(s->theme, "light");
    assert_true(s->gain == 1.5 && s->threads == 3 && s->velocity == 100);
    assert_true(s->ascii && !s->follow);
    assert_int_equal(s->precision.weights, WEIGHTS_F32);
    assert_int_equal(s->steering.n_takes, 2);
    assert_int_equal(s->steering.scale.letter, 'D');
    assert_null(c->keymap);
}

TEST(each_error_has_its_line)
{
    const struct config *c = read_text("a = b\n[sound]\ngain = loud\nvolume = 3\n"
                                       "follow = no\njunk\n[foo]\nbar = 1\n[view\n"
                                       "theme = light\n[edit]\nvelocity = 0\n");
    assert_errors(c, "1 a is in no section|3 gain is a number from 0.1 to 5, not loud|"
                     "4 there is no setting volume in [sound]|5 but in [view]|"
                     "6 not [section], name = value|8 there is no section [foo]|"
                     "9 ] is missing|10 there is no section [foo]|"
                     "12 velocity is a whole number from 1 to 127, not 0");
    char text[300];
    config_complaint(c, text, sizeof text);
    assert_non_null(strstr(text, "continuo.conf:1: a is in no section"));
    assert_non_null(strstr(text, "(and 8 more)"));
}

TEST(keys_are_given_and_taken)
{
    const struct config *c = read_text("[keys]\nundo = F7, C-z\nnormal.continue = u\n"
                                       "takes.shade = none\nselect.copy = F5\n");
    assert_int_equal(c->n_errors, 0);
    assert_int_equal(command_of(c, MODE_NORMAL, 'u'), CMD_CONTINUE);
    assert_int_equal(command_of(c, MODE_NORMAL, 'C'), CMD_NO_KEY);
    assert_int_equal(command_of(c, MODE_TAKES, 'C'), CMD_CONTINUE);
    assert_int_equal(command_of(c, MODE_NORMAL, K_F1 + 6), CMD_UNDO);
    assert_int_equal(command_of(c, MODE_TAKES, 26), CMD_UNDO);
    assert_int_equal(command_of(c, MODE_TAKES, '%'), CMD_NO_KEY);
    assert_int_equal(command_of(c, MODE_SELECT, K_F1 + 4), CMD_YANK);
    assert_int_equal(command_of(c, MODE_NORMAL, 'y'), CMD_YANK);
}

/* Whatever the order of the lines, and the command keeps its own keys. */
TEST(two_commands_on_one_key_are_refused)
{
    const struct config *c = read_text("[keys]\nnormal.continue = F5\nundo = F5\n"
                                       "normal.follow = x\nredo = g\nplay = 3\n"
                                       "nonsense = y\nplop.undo = y\nplay = blah\n"
                                       "takes.draw = i\nsave =\n");
    assert_errors(c,
                  "3 F5 is already continue in NORMAL|4 x is already delete in NORMAL|"
                  "5 g is already motif in SELECT|6 digits are counts|"
                  "7 no command called nonsense|8 no mode called plop|"
                  "9 blah is not a key|10 draw is not a command of that mode|"
                  "11 a key is missing");
    assert_int_equal(command_of(c, MODE_NORMAL, 'u'), CMD_UNDO);
    assert_int_equal(command_of(c, MODE_NORMAL, 'F'), CMD_FOLLOW);
    assert_int_equal(command_of(c, MODE_NORMAL, K_F1 + 4), CMD_CONTINUE);
    c = read_text("[keys]\nundo = ~\nhumanise = u\n"); /* both are told others */
    assert_int_equal(c->n_errors, 0);
    assert_int_equal(command_of(c, MODE_NORMAL, '~'), CMD_UNDO);
    assert_int_equal(command_of(c, MODE_NORMAL, 'u'), CMD_HUMANISE);
}

TEST(long_lines_and_noughts_cost_only_themselves)
{
    static const char REST[] = "\nvelo\0city = 1\n\xFF\xFE = 2\nvelocity = 90\n";
    static char text[4000];
    size_t n = (size_t)snprintf(text, sizeof text, "[edit]\n");
    memset(text + n, 'x', 1000);
    n += 1000;
    memcpy(text + n, REST, sizeof REST - 1);
    n += sizeof REST - 1;
    const struct config *c = read_bytes(text, n);
    assert_errors(c, "2 longer than a setting can be|3 not plain UTF-8 text|"
                     "4 not plain UTF-8 text");
    assert_int_equal(c->settings.velocity, 90);
}

/* The user's own file, or none; what is no such file tests/app/document/test_odd_files.c tells. */
TEST(the_users_own_file_is_read)
{
    setenv("XDG_CONFIG_HOME", in_folder("config"), 1);
    config_init(&config);
    config_read(&config);
    assert_true(!config.is_there && config.n_errors == 0);
    assert_ok(mkdir(in_folder("config"), 0700));
    assert_ok(mkdir(in_folder("config/continuo"), 0700));
    put_text("config/continuo/continuo.conf", "[edit]\nvelocity = 3\n");
    config_read(&config);
    assert_int_equal(config.settings.velocity, 3);
    unsetenv("XDG_CONFIG_HOME");
}

GROUP(make_model, remove_own_folder)
