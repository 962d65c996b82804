/* Pictures of the inspector's pages, read back pixel by pixel: every cell of a map has its own
 * colour, what is not seen has none, the roll shows its notes, and letters are told apart. */
#include "tests/check.h"
#include "app/picture/picture.h"
#include "tests/app/own_folder.h"
#include "tests/midi/score_of.h"

#include <png.h>

struct pixels {
    int width, height;
    uint8_t *at; /* [height, width, 3] */
};

/* Saves and reads back a picture. */
static struct pixels picture_of(const struct score *s, const struct inspect_view *i)
{
    const struct view v = {.score = s, .inspect = i, .track = -1, .cursor = {-1, -1}};
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_int_equal(picture_save(&v, "title\nline", in_folder("map.png")), MIDI_OK);
    assert_int_not_equal(png_image_begin_read_from_file(&image, in_folder("map.png")),
                         0);
    image.format = PNG_FORMAT_RGB;
    struct pixels p = {(int)image.width, (int)image.height,
                       malloc(PNG_IMAGE_SIZE(image))};
    assert_non_null(p.at);
    assert_int_not_equal(png_image_finish_read(&image, NULL, p.at, 0, NULL), 0);
    return p;
}

/* Counts and frees. */
static int count_pixels(struct pixels p, uint32_t wanted)
{
    int n = 0;
    for (int i = 0; i < p.width * p.height; i++)
        n += (uint32_t)(p.at[3 * i] << 16 | p.at[3 * i + 1] << 8 | p.at[3 * i + 2]) ==
             wanted;
    free(p.at);
    return n;
}

/* Four by four, six of them not seen; one is the most there is, the rest nothing. The legend
 * has neither colour, for its steps lie between. */
TEST(every_cell_has_its_colour)
{
    enum { SIDE = 4, CELL = 24 * 24 };
    auto_score *s = score_of("480 4/4 | voice: 60q 62 64 65");
    float shades[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++)
        shades[i] = i % SIDE <= i / SIDE ? 0.0f : -1;
    shades[8] = 1;
    const struct inspect_mark marks[] = {{0, 0, ""}, {2, -1, "C4"}};
    struct inspect_view v = {.page = INSPECT_MATRIX,
                             .chosen = -1,
                             .pair = -1,
                             .map_most = 1,
                             .unit = "weight",
                             .matrix = {shades, SIDE, SIDE, NULL},
                             .matrix_layer = -1,
                             .queries = {SIDE, marks, 2},
                             .keys = {SIDE, marks, 2}};
    assert_int_equal(count_pixels(picture_of(s, &v), shade_viridis(1)), CELL);
    assert_int_equal(count_pixels(picture_of(s, &v), shade_viridis(0)), 9 * CELL);
    const struct inspect_view heads = {.page = INSPECT_GRID,
                                       .chosen = -1,
                                       .layer = -1,
                                       .head = -1,
                                       .n_layers = 1,
                                       .n_heads = 1,
                                       .thumbnails = {shades, SIDE, SIDE, NULL}};
    assert_int_equal(count_pixels(picture_of(s, &heads), shade_viridis(0)),
                     9 * count_pixels(picture_of(s, &heads), shade_viridis(1)));
}

/* Tokens that are as many as a long piece has keep their own pixels. */
TEST(a_long_matrix_keeps_every_token)
{
    enum { SIDE = 1200 };
    auto_score *s = score_of("480 4/4 | voice: 60q");
    auto_free float *shades = calloc((size_t)SIDE * SIDE, sizeof *shades);
    assert_non_null(shades);
    for (int i = 0; i < SIDE; i++)
        shades[i * SIDE + i] = 1;
    const struct inspect_view v = {.page = INSPECT_MATRIX,
                                   .chosen = -1,
                                   .pair = -1,
                                   .matrix = {shades, SIDE, SIDE, NULL},
                                   .queries = {SIDE, NULL, 0},
                                   .keys = {SIDE, NULL, 0}};
    assert_int_equal(count_pixels(picture_of(s, &v), shade_viridis(1)), SIDE);
}

/* A beat of a note is as large wherever it is, and all of the music is in the picture, however
 * much there is. */
TEST(the_roll_shows_all_notes)
{
    static const char *const MUSIC[] = {"480 4/4 | voice: 60q 62 64 72",
                                        "480 4/4 | voice: (60q 62 64 72)*900"};
    for (size_t k = 0; k < sizeof MUSIC / sizeof MUSIC[0]; k++) {
        auto_score *s = score_of("%s", MUSIC[k]);
        const size_t n = s->tracks[0].n_notes;
        auto_free struct inspect_note *notes = calloc(n, sizeof *notes);
        assert_non_null(notes);
        for (size_t i = 0; i < n; i++)
            notes[i] = (struct inspect_note){.note = s->tracks[0].notes[i],
                                             .weight = 1,
                                             .shade = i == 0 || i == n - 1 ? 1 : 0};
        const struct inspect_view v = {.page = INSPECT_ROLL,
                                       .chosen = -1,
                                       .pair = -1,
                                       .most = 1,
                                       .notes = notes,
                                       .n_notes = n};
        struct pixels p = picture_of(s, &v);
        assert_in_range(p.width, 400, 4000);
        const int first = count_pixels(p, shade_viridis(1));
        notes[0].shade = 0;
        const int last = count_pixels(picture_of(s, &v), shade_viridis(1));
        notes[n - 1].shade = 0;
        const int none = count_pixels(picture_of(s, &v), shade_viridis(1));
        assert_true(last > none && first > last);
    }
}

TEST(letters_are_told_apart)
{
    for (uint32_t a = '!'; a <= '~'; a++)
        for (uint32_t b = a + 1; b <= '~'; b++)
            if (memcmp(letter_rows(a), letter_rows(b), LETTER_ROWS) == 0)
                fail_msg("%c and %c are alike", (char)a, (char)b);
    for (const char *c = "gpqyj"; *c; c++)
        assert_true(letter_rows((uint32_t)*c)[LETTER_ROWS - 1] != 0);
    assert_ptr_equal(letter_rows('\033'), letter_rows(0x4E2D));
}

GROUP(make_own_folder, remove_own_folder)
