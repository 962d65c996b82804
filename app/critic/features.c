/* See features.h. */
#include "app/critic/features.h"

#include <math.h>
#include <string.h>

const struct feature_row FEATURES[N_FEATURES] = {
    [FEATURE_CHORDS_OF_KEY] = {"chords of the key", true, "chords of the key", 0.95,
                               "chords leave the key", 0.75},
    [FEATURE_BASS_ON_ROOT] = {"bass on root", true, "bass on the roots", 0.7,
                              "bass off the roots", 0.4},
    [FEATURE_FOREIGN_NOTES] = {"foreign notes", false, "notes of the chords", 0.15,
                               "notes foreign to the chords", 0.3},
    [FEATURE_SEMITONES] = {"semitones", false, NULL, 0, "semitones clash", 0.1},
    [FEATURE_ROUGH] = {"rough", false, NULL, 0, "rough chords", 0.03},
    [FEATURE_PITCHES_AS_GIVEN] = {"pitches as given", true, "pitches as given", 0.85,
                                  "other pitches than given", 0.65},
    [FEATURE_OUTSIDE_KEY] = {"outside the key", false, "keeps the key", 0.01,
                             "notes outside the key", 0.05},
    [FEATURE_RESOLVES] = {"dominant resolves", true, "resolves the dominant", 1,
                          "the dominant is not resolved", -1},
    [FEATURE_LAST_CHORD] = {"last chord", true, "ends on tonic or dominant", 1,
                            "ends in the air", 0},
    [FEATURE_CLOSE] = {"close", true, "closes on the tonic", 0.85, "does not close",
                       0.39},
    [FEATURE_SILENT_PART] = {"silent part", false, NULL, 0, "a part falls silent", 0.4},
    [FEATURE_SILENCE] = {"silence", false, NULL, 0, "silent bars", 0.1},
    [FEATURE_SPARSER] = {"sparser", false, NULL, 0, "sparser than the given music",
                         0.3},
    [FEATURE_BUSIER] = {"busier", false, NULL, 0, "busier than the given music", 0.3},
    [FEATURE_TUNE_SPARSER] = {"tune sparser", false, NULL, 0, "the tune thins out",
                              0.5},
    [FEATURE_RHYTHM_AS_GIVEN] = {"rhythm as given", true, "rhythm as given", 0.85,
                                 "another rhythm", 0.6},
    [FEATURE_TUNE_RHYTHM] = {"tune rhythm", true, "the tune's rhythm as given", 0.85,
                             "the tune has another rhythm", 0.5},
    [FEATURE_LENGTHS_AS_GIVEN] = {"lengths as given", true, "note lengths as given",
                                  0.9, "other note lengths", 0.6},
    [FEATURE_GROOVE] = {"groove as given", true, "keeps the groove", 0.85,
                        "another groove", 0.55},
    [FEATURE_BACKBEAT_LOST] = {"backbeat lost", false, NULL, 0, "backbeat lost", 0.25},
    [FEATURE_KICK_LOST] = {"kick lost", false, NULL, 0, "no kick on one", 0.25},
    [FEATURE_HATS_LOST] = {"hats lost", false, NULL, 0, "no steady hat", 0.25},
    [FEATURE_OUT_OF_RANGE] = {"out of range", false, NULL, 0, "out of range", 0.05},
    [FEATURE_REPEATED] = {"repeated note", false, NULL, 0, "one note again and again",
                          0.2},
    [FEATURE_SEESAW] = {"seesaw", false, NULL, 0, "swings between two notes", 0.15},
    [FEATURE_LEAPS] = {"leaps", false, NULL, 0, "wide leaps", 0.1},
    [FEATURE_REGISTER] = {"tune register", false, NULL, 0,
                          "the tune leaves its register", 0.5},
    [FEATURE_FEW_PITCHES] = {"few pitches", false, NULL, 0, "few pitches", 0.4},
    [FEATURE_PHRASES] = {"phrase ends", true, "phrases end", 1, "no phrase ends", 0},
    [FEATURE_PARALLELS] = {"parallels", false, NULL, 0, "parallel fifths or octaves",
                           0.05},
    [FEATURE_CROSSED] = {"crossed voices", false, NULL, 0, "voices cross", 0.1},
    [FEATURE_DOUBLED] = {"doubled", false, NULL, 0, "doubles another part", 0.25},
    [FEATURE_LOOPS] = {"tune loops", false, NULL, 0, "loops", 0.2},
    [FEATURE_SAME_BAR] = {"same bar", false, NULL, 0, "the same bar again and again",
                          2},
    [FEATURE_COPIES] = {"copies", false, NULL, 0, "copies the given bars", 0.25},
};

int feature_find(const char *name)
{
    for (int i = 0; i < N_FEATURES; i++)
        if (!strcmp(FEATURES[i].name, name))
            return i;
    return -1;
}

const char *feature_word(int feature, bool praises)
{
    return praises ? FEATURES[feature].praise : FEATURES[feature].blame;
}

bool feature_tells(int feature, double x, bool praises)
{
    const double at =
        praises ? FEATURES[feature].praise_at : FEATURES[feature].blame_at;
    return FEATURES[feature].is_merit == praises ? x >= at : x <= at;
}

bool features_measure(const struct scene *c, double out[N_FEATURES])
{
    for (int i = 0; i < N_FEATURES; i++)
        out[i] = 0;
    features_harmony(c, out);
    features_rhythm(c, out);
    features_form(c, out);
    const bool ok = features_lines(c, out);
    for (int i = 0; i < N_FEATURES; i++)
        out[i] = isfinite(out[i]) ? out[i] : 0;
    return ok;
}
