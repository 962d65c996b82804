/* Pictures of attention, read back pixel by pixel: every cell has its colour, what is not
 * seen has none, and letters are drawn. */
#include "tests/check.h"
#include "app/picture/map_picture.h"
#include "tests/app/own_folder.h"

#include <png.h>

static struct canvas read_back(void)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    struct canvas c = {0};
    assert_int_not_equal(png_image_begin_read_from_file(&image, in_folder("map.png")),
                         0);
    image.format = PNG_FORMAT_RGB;
    c.pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(c.pixels);
    assert_int_not_equal(png_image_finish_read(&image, NULL, c.pixels, 0, NULL), 0);
    c.width = (int)image.width;
    c.height = (int)image.height;
    return c;
}

static int count_pixels(const struct canvas *c, struct colour wanted)
{
    int n = 0;
    for (int i = 0; i < c->width * c->height; i++)
        n += c->pixels[3 * i] == wanted.r && c->pixels[3 * i + 1] == wanted.g &&
             c->pixels[3 * i + 2] == wanted.b;
    return n;
}

/* Four by four, six of them not seen; one is the most there is, here or there, the rest
 * nothing. */
TEST(cells_have_their_colours)
{
    float cells[16];
    for (int i = 0; i < 16; i++)
        cells[i] = i % 4 <= i / 4 ? 0.0f : NAN;
    cells[8] = 1;
    struct map_picture p = {.title = "",
                            .about = "",
                            .unit = "",
                            .cells = cells,
                            .n_down = 1,
                            .n_across = 1,
                            .n_rows = 4,
                            .n_columns = 4,
                            .is_weight = true};
    assert_int_equal(map_picture_save(&p, in_folder("map.png")), MIDI_OK);
    struct canvas with = read_back();
    cells[0] = 1;
    cells[8] = 0;
    assert_int_equal(map_picture_save(&p, in_folder("map.png")), MIDI_OK);
    struct canvas without = read_back();
    const struct colour unseen = {30, 30, 36};
    int cell = count_pixels(&with, unseen) / 6;
    assert_true(cell >= 9 && count_pixels(&with, unseen) == 6 * cell);
    assert_int_equal(count_pixels(&with, heat_colour(1)),
                     count_pixels(&without, heat_colour(1)));
    assert_true(count_pixels(&with, heat_colour(1)) >= cell);
    assert_true(count_pixels(&with, heat_colour(0)) >= 9 * cell);
    canvas_fini(&with);
    canvas_fini(&without);
}

TEST(heat_goes_there_and_back)
{
    const float amounts[] = {0, 0.001f, 0.01f, 0.2f, 0.5f, NAN, INFINITY};
    for (int kind = HEAT_LINEAR; kind <= HEAT_RANK; kind++) {
        struct heat h;
        assert_true(heat_init(&h, (enum heat_kind)kind, amounts, 7, true));
        double last = -1;
        for (int i = 1; i < 5; i++) {
            double share = heat_share(&h, (double)amounts[i]);
            assert_true(share > last);
            last = share;
            if (share >= 0)
                assert_true(fabs(heat_amount(&h, share) - (double)amounts[i]) < 1e-6);
        }
        assert_true(fabs(last - 1) < 1e-9);
        heat_fini(&h);
    }
}

/* Every letter is its own, and those below the line reach below it. */
TEST(letters_are_told_apart)
{
    for (char a = '!'; a <= '~'; a++)
        for (char b = (char)(a + 1); b <= '~'; b++)
            if (memcmp(glyph_rows(a), glyph_rows(b), GLYPH_ROWS) == 0)
                fail_msg("%c and %c are alike", a, b);
    for (const char *c = "gpqyj"; *c; c++)
        assert_true(glyph_rows(*c)[GLYPH_ROWS - 1] != 0);
    assert_ptr_equal(glyph_rows('\033'), glyph_rows('\377'));
}

GROUP(make_own_folder, remove_own_folder)
