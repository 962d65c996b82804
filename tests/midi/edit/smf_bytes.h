/* MIDI files spelled out by hand: the fixed parts, and a check that a file
 * comes back as it should. */
#ifndef TESTS_MIDI_SMF_BYTES_H
#define TESTS_MIDI_SMF_BYTES_H

#include "midi/smf/smf.h"

#include <stdlib.h>

#define HEADER(format, n_tracks, division)                                             \
    'M', 'T', 'h', 'd', 0, 0, 0, 6, 0, format, 0, n_tracks, (division) >> 8,           \
        (division)&0xFF
/* A track chunk with its length counted, and one that may lie about it. */
#define TRACK(...)           TRACK_SAYING(sizeof((uint8_t[]){__VA_ARGS__}), __VA_ARGS__)
#define TRACK_SAYING(n, ...) 'M', 'T', 'r', 'k', 0, 0, 0, n, __VA_ARGS__
#define END                  0xFF, 0x2F, 0

#define BYTES(name, ...)     static const uint8_t name[] = {__VA_ARGS__}

/* Fails the test unless the file reads. The caller destroys the score. */
static inline struct score *read_bytes(const uint8_t *bytes, size_t n,
                                       struct smf_report *report)
{
    struct score *s = NULL;
    assert_int_equal(smf_read(&s, bytes, n, report), MIDI_OK);
    assert_non_null(s);
    return s;
}

static inline void assert_writes(const struct score *s, const uint8_t *want, size_t n)
{
    uint8_t *bytes = NULL;
    size_t n_bytes = 0;
    assert_int_equal(smf_write(s, &bytes, &n_bytes), MIDI_OK);
    assert_int_equal(n_bytes, n);
    assert_memory_equal(bytes, want, n);
    free(bytes);
}

/* `in` is written back as `out`, and reads without complaint if `is_clean`. */
static inline void assert_comes_back(const uint8_t *in, size_t n_in, const uint8_t *out,
                                     size_t n_out, bool is_clean)
{
    struct smf_report report;
    struct score *s = read_bytes(in, n_in, &report);
    assert_int_equal(report.n_warnings == 0, is_clean);
    assert_writes(s, out, n_out);
    score_destroy(s);
}

#define ASSERT_KEPT(file) assert_comes_back(file, sizeof file, file, sizeof file, true)
#define ASSERT_BECOMES(file, want)                                                     \
    assert_comes_back(file, sizeof file, want, sizeof want, true)
#define ASSERT_MENDED(file, want)                                                      \
    assert_comes_back(file, sizeof file, want, sizeof want, false)

#endif
