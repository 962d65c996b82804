/* The two lines at the bottom: nothing that is said is cut while there is room for it. */

#include "tests/tui/scene.h"

#include "tui/keys/keymap.h"

static void foot_init(struct scene *s, int columns, int rows)
{
    scene_open(s, score_of("480 | A:"), columns, rows,
               (struct view){.grid = {120, "1/16"},
                             .cursor.pitch = 60,
                             .machine.model_name = "continuo.safetensors",
                             .port = {0, 120, 72, 1, {{0}}}});
}

/* The last two lines: they have each of these words, and none that begins with "-". */
static void assert_foot(struct scene *s, const char *const *words)
{
    const char *foot = rows_from(s, s->cells.rows - 2);
    for (; *words; words++)
        if (**words == '-' ? strstr(foot, *words + 1) != NULL : !strstr(foot, *words))
            fail_msg("%s: it is %s", *words, foot);
}
#define FOOT(...) assert_foot(s, (const char *const[]){__VA_ARGS__, NULL})

SCENE_OF(foot_init, the_model_makes_room_for_the_selection, 80, 24)
{
    static const uint64_t ids[118];
    FOOT("no sound   continuo", "-safetensors"); /* which all of them are */
    add_note(s->score, 0, 0, 480, 60, 80);
    s->view.version++;
    s->view.selection.ids = ids;
    s->view.selection.n = 118;
    s->view.selection.n_tracks = 1;
    FOOT("118 notes selected", "no sound", "-sound   continuo");
}

/* What `c` would rewrite is not cut for what is known anyway. */
SCENE_OF(foot_init, what_goes_is_said_whole, 80, 24)
{
    static const uint64_t ids[28];
    s->view.mode = MODE_SELECT;
    s->view.selection.ids = ids;
    s->view.selection.n = 28;
    s->view.selection.n_tracks = 4;
    strcpy(s->view.selection.change_label, "c rewrites bars 1-2 of 4 tracks");
    FOOT("28 notes selected   c rewrites bars 1-2 of 4 tracks", "no sound");
    strcpy(s->view.selection.change_label,
           "c rewrites 2 beats of bar 12 of Soprano, C4 to E4");
    FOOT("of Soprano, C4 to E4");
}

/* A hundred in a hundred is when all are drawn, shown or not. */
SCENE_OF(foot_init, what_is_drawn_unseen_is_told, 80, 24)
{
    s->view.machine.is_generating = true;
    s->view.machine.n_bars = 8;
    s->view.machine.n_at_work = 4;
    s->view.machine.n_draws = 16;
    s->view.machine.share = 2.0 / 16;
    FOOT("composing bar 5 of 8", "12%");
    s->view.machine.n_drawn = 8;
    s->view.machine.share = 8.5 / 16;
    FOOT("drawing take 9 of 16", "53%");
    s->view.machine.n_drawn = 16;
    FOOT("drawing take 16 of 16");
}

/* A hint goes over to the command's next key when the first is another command's. */
SCENE_OF(foot_init, a_hint_names_a_key_that_is_left, 200, 24)
{
    static const uint32_t MORE[2] = {'X'};
    struct binding *map = keymap_create();
    FOOT(" zi zoom");
    s->view.keys.map = map;
    keymap_free_keys(map, IN(MODE_NORMAL), (const uint32_t[2]){'z', 'i'});
    FOOT("Ctrl-Right zoom", "-zi zoom");
    keymap_add(&map, IN(MODE_NORMAL), MORE, CMD_ZOOM_IN);
    s->view.keys.map = map;
    FOOT("Ctrl-Right zoom", "-X zoom");
    keymap_clear(map, IN(MODE_NORMAL), CMD_ZOOM_IN);
    FOOT("-zoom");
    keymap_add(&map, IN(MODE_NORMAL), MORE, CMD_ZOOM_IN);
    s->view.keys.map = map;
    FOOT(" X zoom", "-Ctrl-Right zoom");
    free(map);
}

SCENE_OF(foot_init, a_long_sentence_has_both_lines, 80, 24)
{
    s->view.message = (struct message_view){.text = "short"};
    FOOT("? help");
    s->view.message = (struct message_view){
        .text = "one two three four five six seven eight nine ten eleven twelve "
                "thirteen fourteen fifteen sixteen"};
    FOOT("eleven twelve thirteen", "\n fourteen fifteen sixteen", "-? help");
    s->view.mode = MODE_PROMPT;
    FOOT("-fifteen");
}
