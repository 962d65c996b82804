/* All features, a row each, in the critic's order. critic.h and critic.c include the rows with a
 * FEATURE of their own, so this header has no guard. A row has the name in FEATURE_; the number of its
 * word of blame in stores, which that of praise follows; the name in critic.json and in tables; whether
 * more of the value is better; a musician's word of praise (NULL: none) and the value from which it is
 * true; and the same in blame. Numbers and names never change. The comment above a row describes the
 * value. */
/* -- harmony -- */
/* share of chords of which no tone leaves the scale */
FEATURE(CHORDS_OF_KEY, 170, "chords of the key", true, "chords of the key", 0.95,
        "chords leave the key", 0.75)
/* share of chords with their root in the bass */
FEATURE(BASS_ON_ROOT, 172, "bass on root", true, "bass on the roots", 0.7,
        "bass off the roots", 0.4)
/* share of time outside the chord of the other tracks */
FEATURE(FOREIGN_NOTES, 174, "foreign notes", false, "notes of the chords", 0.15,
        "notes foreign to the chords", 0.3)
/* share of chords with a semitone, beyond the given share */
FEATURE(SEMITONES, 176, "semitones", false, NULL, 0, "semitones clash", 0.1)
/* mean roughness of intervals, beyond the given */
FEATURE(ROUGH, 178, "rough", false, NULL, 0, "rough chords", 0.03)
/* share of time of pitch classes that both have */
FEATURE(PITCHES_AS_GIVEN, 180, "pitches as given", true, "pitches as given", 0.85,
        "other pitches than given", 0.65)
/* by how much the entropy of pitch classes, by their time, is below that of the
 * same tracks' given notes, in nats */
FEATURE(FEW_PITCHES, 232, "few pitches", false, NULL, 0, "few pitches", 0.3)
/* share of notes outside the scale that are rare in the given bars */
FEATURE(OUTSIDE_KEY, 182, "outside the key", false, "keeps the key", 0.01,
        "notes outside the key", 0.05)
/* 1 or -1: the dominant before the take resolves or not; 0: there is none */
FEATURE(RESOLVES, 184, "dominant resolves", true, "resolves the dominant", 1,
        "the dominant is not resolved", -1)
/* 0 to 1, if a close was asked for */
FEATURE(CLOSE, 188, "close", true, "closes on the tonic", 0.85, "does not close", 0.39)
/* -- rhythm -- */
/* share of silent bars of the part that has most of them */
FEATURE(SILENT_PART, 190, "silent part", false, NULL, 0, "a part falls silent", 0.4)
/* mean share of silent bars, beyond the given */
FEATURE(SILENCE, 192, "silence", false, NULL, 0, "silent bars", 0.1)
/* mean logarithm of given notes a bar by new ones, if more; a track without
 * given notes is compared with the others */
FEATURE(SPARSER, 194, "sparser", false, NULL, 0, "sparser than the given music", 0.3)
/* the same, if less */
FEATURE(BUSIER, 196, "busier", false, NULL, 0, "busier than the given music", 0.3)
/* SPARSER of the tune alone */
FEATURE(TUNE_SPARSER, 198, "tune sparser", false, NULL, 0, "the tune thins out", 0.5)
/* share of onsets, by position, that both have */
FEATURE(RHYTHM_AS_GIVEN, 200, "rhythm as given", true, "rhythm as given", 0.85,
        "another rhythm", 0.6)
/* drums: likeness to the likest given bar */
FEATURE(GROOVE, 206, "groove as given", true, "keeps the groove", 0.85,
        "another groove", 0.55)
/* share of missing snares on 2 and 4 */
FEATURE(BACKBEAT_LOST, 208, "backbeat lost", false, NULL, 0, "backbeat lost", 0.25)
/* share of missing kicks on 1 */
FEATURE(KICK_LOST, 210, "kick lost", false, NULL, 0, "no kick on one", 0.25)
/* share of beats whose cymbal is missing */
FEATURE(HATS_LOST, 212, "hats lost", false, NULL, 0, "no steady hat", 0.25)
/* -- lines -- */
/* the tune: share of repeated notes, beyond the given */
FEATURE(REPEATED, 214, "repeated note", false, NULL, 0, "one note again and again", 0.2)
/* the tune: share of notes that return to the one before the last, likewise */
FEATURE(SEESAW, 216, "seesaw", false, NULL, 0, "swings between two notes", 0.15)
/* the tune: octaves from its given mean pitch to the new one */
FEATURE(REGISTER, 218, "tune register", false, NULL, 0, "the tune leaves its register",
        0.5)
/* share of onsets of two voices, beyond the given */
FEATURE(CROSSED, 224, "crossed voices", false, NULL, 0, "voices cross", 0.1)
/* -- form -- */
/* the tune: likeness to earlier new bars, beyond the habit */
FEATURE(LOOPS, 226, "tune loops", false, NULL, 0, "loops", 0.2)
/* the tune: the longest run of like bars, beyond the given */
FEATURE(SAME_BAR, 228, "same bar", false, NULL, 0, "the same bar again and again", 2)
/* likeness to given bars, beyond the habit */
FEATURE(COPIES, 230, "copies", false, NULL, 0, "copies the given bars", 0.25)
