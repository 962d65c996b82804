/* Rendering to a file while the work goes on, by typed lines and keys. */
#include "tests/check.h"
#include "tests/app/script.h"

/* Tests begin in a folder that is empty; nothing is left in it. */
static char place[] = "/tmp/continuo-render-XXXXXX";

FIXTURE(make_place)
{
    return mkdtemp(place) && !chdir(place) ? 0 : -1;
}

FIXTURE(remove_place)
{
    return chdir("/") || rmdir(place);
}

static int session_in_it(void **state)
{
    return rmdir(place) || mkdir(place, 0700) || chdir(place) || empty_session(state);
}

DOES(wait, WAIT_FOR(s, !s->parts.rendering))

DOES(remove, assert_int_equal(unlink(arguments), 0))

static int64_t n_bytes(const char *path)
{
    struct stat st;
    return stat(path, &st) ? -1 : st.st_size;
}

NUMBER_FACT(rendering, s->parts.rendering != NULL)
NUMBER_FACT(ticks_soon, session_timeout_ms(s) < 100)
NUMBER_FACT(flac, n_bytes("a b.flac"))
NUMBER_FACT(ogg, n_bytes("long.ogg"))

SCRIPT(it_is_written, session_in_it) = {
    {"‹put 0+1q 60›:render a b.flac 24 48000\r",
     "rendering; ticks_soon"}, /* its share */
    {"‹wait›", "flac 1000..9999999; no error", "~wrote"},
    {":render a b.flac\r", "no rendering", "!"}, /* it is there already */
    {":render! a b.flac\r", "rendering"},
    {":render other.wav\r", "", "!"}, /* one at a time */
    {"‹wait›‹remove a b.flac›"},
    {":render c.wav 24 -3dB\r‹wait›", "no error", "~gain -3.0dB, peak"},
    {":render! c.wav 40dB\r‹wait›", "no error", "~too loud"},
    {"‹remove c.wav›"},
};

SCRIPT(it_is_stopped, session_in_it) = {
    {"‹put 0+1000b 60›:render long.ogg\r:q\r", "no quit", "!"}, /* half an hour */
    {"‹C-c›‹wait›", "ogg -1", "~was stopped"},
    {":render long.wav\r", "rendering"}, /* the session ends meanwhile */
};

SCRIPT(refusals, session_in_it) = {
    {"‹refused render x.mp3|render x.flac 32|render x.wav 7999|render x.wav 20|render "
     "x.ogg 192001|render›",
     "no rendering"},
    {":render nowhere/x.wav\r‹wait›", "", "!"},
};

GROUP(make_place, remove_place)
