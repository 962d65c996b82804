/* Frames with the lane, against saved screens in tests/tui/golden: velocities, a pedal,
 * bends; a stroke of the mouse; notes it holds. */

#include "tests/tui/scene.h"

static int16_t stroke[CELLS_MAX];

/* A scale in eighths on channel 0, a pedal for every half bar, bends up and down, and the
 * volume from another track's chunk. */
static struct score *make_music(void)
{
    static const uint8_t SCALE[] = {60, 62, 64, 65, 67, 69, 71, 72};
    struct score *s = score_of("480 | Piano: | Levels ch0:");
    int chunk = s->tracks[0].chunk, other = s->tracks[1].chunk;
    for (int i = 0; i < 32; i++) {
        int64_t at = 2 * i * SIXTEENTH;
        add_note(s, 0, at, 2 * SIXTEENTH, SCALE[i % 8], 20 + 15 * (i % 8));
        int bend = 8192 + (i % 8 < 4 ? 1 : -1) * 2000 * (i % 4);
        add_message(s, chunk, at, 0xE0, bend & 127, (uint8_t)(bend >> 7));
        if (i % 4 == 0)
            add_message(s, chunk, at, 0xB0, 64, 127);
        if (i % 4 == 3)
            add_message(s, chunk, at + SIXTEENTH, 0xB0, 64, 0);
        if (i % 4 == 2)
            add_message(s, other, at, 0xB0, 7, (uint8_t)(127 - 3 * i));
        if (i == 9 || i == 15)
            add_message(s, chunk, at, 0xB0, 7, (uint8_t)(4 * i));
    }
    return s;
}

static void lane_init(struct scene *s, int columns, int rows)
{
    scene_open(
        s, make_music(), columns, rows,
        (struct view){
            .mode = MODE_LANE,
            .lane = {.is_tall = true, .has_value = true, .label = "what it says here"},
            .cursor = {4 * SIXTEENTH, 64},
            .grid.ticks = SIXTEENTH,
            .transport.has_sound = true});
}

static const struct control VELOCITY = {CONTROL_VELOCITY, 0}, BEND = {CONTROL_BEND, 0},
                            PEDAL = {CONTROL_CHANGE, CC_PEDAL},
                            VOLUME = {CONTROL_CHANGE, CC_VOLUME};

static void set_lane(struct scene *s, struct control lane)
{
    s->view.lane.control = lane;
    s->view.lane.value = control_rest(lane);
}

SCREEN_WITH(lane_init, lane_velocity_80x24, set_lane(s, VELOCITY))
SCREEN_WITH(lane_init, lane_bend_200x50, set_lane(s, BEND))
/* What another chunk says on the channel lies behind; without colours, shaded. */
SCREEN_WITH(lane_init, lane_volume_mono_80x24, set_lane(s, VOLUME))

/* The stroke is the accent, whatever was there; a span is tinted. */
SCREEN_OF(lane_init, lane_pedal_80x24)
{
    set_lane(s, PEDAL);
    for (int i = 0; i < CELLS_MAX; i++)
        stroke[i] = i == 16 ? 127 : -1;
    s->view.port.left_tick = 0;
    s->view.port.ticks_per_column = SIXTEENTH;
    s->view.lane.stroke = stroke;
    s->view.lane.from = 18 * SIXTEENTH;
    s->view.lane.to = 24 * SIXTEENTH;
}

/* Notes that are held: where they would lie, solid and named; where they are, dashes. */
SCREEN_OF(lane_init, drafts_80x24)
{
    s->view.mode = MODE_NORMAL;
    s->view.lane.is_tall = false;
    for (int i = 0; i < 2; i++) {
        s->ghosts[i].note = s->score->tracks[0].notes[i + 2];
        s->replaced[i] = s->ghosts[i].note.id;
        s->ghosts[i].note.start += 2 * SIXTEENTH;
        s->ghosts[i].note.pitch += 5;
    }
    s->view.drafts = (struct drafts_view){s->ghosts, 2};
    s->view.ghosts.replaced = s->replaced;
    s->view.ghosts.n_replaced = 2;
}
