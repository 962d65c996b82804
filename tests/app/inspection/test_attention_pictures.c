/* continuo attention as pictures: of every kind of model, each has something to see. */
#include "tests/check.h"
#include "tests/app/inspection/attention_home.h"

#include <png.h>

/* Width and height of a picture, and how many colours it has, counted up to a hundred. */
struct seen {
    int width, height, n_colours;
};

static struct seen look_at(const char *name)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    uint32_t colours[100];
    struct seen s = {0};
    assert_int_not_equal(png_image_begin_read_from_file(&image, in_folder(name)), 0);
    image.format = PNG_FORMAT_RGBA;
    auto_free uint32_t *pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(pixels);
    assert_int_not_equal(png_image_finish_read(&image, NULL, pixels, 0, NULL), 0);
    for (size_t i = 0; i < (size_t)image.width * image.height; i++) {
        int k = 0;
        while (k < s.n_colours && colours[k] != pixels[i])
            k++;
        if (k == s.n_colours && k < 100)
            colours[s.n_colours++] = pixels[i];
    }
    s.width = (int)image.width;
    s.height = (int)image.height;
    return s;
}

TEST(test_pictures)
{
    static const char *const OPTIONS[] = {
        "",
        "--layer 1 --head 2",
        "--layer 2",
        "--head all --shade rank",
        "--note 40",
        "--bar 2 --by --shade linear",
        "--model grid",
        "--model grid --layer 1 --head 1 --part time",
        "--model hears --heard --head 1",
        "--model hears --heard --note 30",
    };
    for (size_t i = 0; i < sizeof OPTIONS / sizeof OPTIONS[0]; i++) {
        assert_done(formatted("attention in.mid -o a.png %s", OPTIONS[i]));
        struct seen s = look_at("a.png");
        assert_in_range(s.width, 200, 4000);
        assert_in_range(s.height, 100, 4000);
        assert_true(s.n_colours > 20);
    }
}

GROUP(set_up, remove_own_folder)
