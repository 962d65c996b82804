/* The features of a style, a row each: the place in the row of features, the name, and the weights in
 * hundredths of a nat for each style but "any":
 * chorale, piano, song, quartet, folk, hymn, leadsheet, ensemble, orchestra, band, drums, pop, jazz, blues, latin.
 * models/styles.py writes the weights. The last row holds what each style weighs without a feature.
 * styles.c includes the rows with a FEATURE of its own, so that this header has no guard. */
// clang-format off
/* players */
FEATURE(TRACKS, "tracks", 73, 56, 39, 19, -136, 60, -83, 107, 92, 86, -12, -73, -88, -39, -133)
FEATURE(ALONE, "one track", -127, -104, -129, -234, 136, -109, 138, -92, 89, 317, 39, -6, -10, 17, 7)
FEATURE(TWO, "two tracks", -72, -9, -164, 19, 13, 11, 130, -133, 53, 117, -10, -41, 85, -33, -1)
FEATURE(THREE, "three tracks", 13, -34, 10, 117, -20, 96, -92, 66, 18, 39, -33, -39, 27, -39, -24)
FEATURE(FOUR, "four tracks", 102, -28, -33, 258, -81, 94, -132, -80, -76, -68, -24, -63, -32, -92, -35)
FEATURE(DRUMS_ONLY, "drums only", 120, -1, -17, -4, -29, -181, 65, -23, -86, -114, 149, -33, -136, 304, -313)
FEATURE(PIANO, "piano", -114, 457, 366, -291, -411, -263, 220, -1, -263, -298, -19, 12, 1, -125, -59)
FEATURE(BELLS, "bells", -9, -282, -322, -790, -989, 250, 800, -1567, 60, 1063, 55, 1120, 913, -1131, 832)
FEATURE(ORGAN, "organ", 445, 331, -490, -517, 85, -504, -537, 30, 17, -118, -48, 170, 229, 116, -153)
FEATURE(GUITAR, "guitar", -100, -451, -189, -43, 569, -194, -343, -688, -631, 558, 34, 262, -132, 506, 363)
FEATURE(BASS_GUITAR, "bass guitar", -196, -171, -918, -218, 446, -249, -86, -816, -1134, 368, -63, 535, 605, 848, 528)
FEATURE(SOLO_STRINGS, "solo strings", -232, -597, -382, 541, 205, -250, -41, 79, 354, 52, -51, -282, -79, -339, -112)
FEATURE(ENSEMBLE, "ensemble", -379, -694, -3, -600, -176, 536, -24, 354, 208, 48, -80, 103, -328, -58, -170)
FEATURE(BRASS, "brass", -462, -547, -1125, -474, 520, -284, -314, 503, 378, 377, -33, 463, 536, 137, 301)
FEATURE(REED, "reed", -288, -1183, 625, -723, -23, -189, -550, -193, 566, 46, -74, 373, 569, 219, 188)
FEATURE(PIPE, "pipe", -170, -923, 328, -878, 353, -288, -146, -197, 748, 265, -79, 242, 209, 74, 334)
FEATURE(SYNTH_LEAD, "synth lead", 314, -34, -60, 292, -872, 228, -7, -340, -1102, 1205, 169, 1276, -490, -227, -699)
FEATURE(SYNTH_PAD, "synth pad", 359, 19, -150, 194, -641, 398, 13, -129, -324, 845, 182, 1191, -693, -389, -949)
FEATURE(OTHER, "other", 294, -290, -463, 47, 1563, 193, 609, -436, -1567, 1132, 174, -1375, 1110, -592, -605)
FEATURE(DRUMS, "drums", -18, -90, -117, -147, 163, -82, -45, -72, 84, 167, 55, 6, 222, -12, -111)
/* meter */
FEATURE(TRIPLE, "three", -61, 218, 132, 137, 179, 144, 111, 198, 66, -2, 18, -380, -24, -358, -348)
FEATURE(COMPOUND, "compound", -64, 136, 149, 13, 165, 231, 24, 98, -128, -55, -91, 96, -344, 269, -490)
FEATURE(DUPLE, "two", -210, 249, 264, 157, 138, -19, 114, 295, 40, -350, 34, -363, -229, -40, -203)
FEATURE(ODD_METER, "odd meter", 62, 211, 203, -95, -249, 400, 176, 142, 32, 277, 44, -431, 213, -247, -748)
FEATURE(PICKUP, "pickup", 135, 231, 82, 288, -138, -134, -47, 242, -163, -117, 68, -245, -203, 31, -28)
/* rhythm of pitched notes, by position in the quarter */
FEATURE(ON_BEAT, "on the beat", -22, 2, -36, -101, 112, 173, 100, -54, 170, -51, -150, -185, 106, -100, 49)
FEATURE(HALF_BEAT, "half beat", 50, -101, 20, 181, 88, -288, 190, 4, 143, -16, -102, 227, -438, -60, 272)
FEATURE(SWUNG, "swung", -433, -278, -173, -240, -168, 79, -264, -251, -55, -34, -10, 380, 479, 834, -779)
FEATURE(TRIPLET, "triplet", 125, 970, 872, 228, -112, -868, 571, 374, 486, 865, 97, -1250, -260, -1025, -1136)
FEATURE(SIXTEENTH, "sixteenth", -33, 110, 182, 197, -270, -16, -156, 206, -291, 67, 27, 103, 208, -821, 456)
FEATURE(UNEVEN, "uneven", -37, 40, -113, -180, 19, 215, -771, 86, -332, 327, -4, 158, 456, 371, -372)
FEATURE(ATTACKS, "attacks", -26, 85, 31, -8, 235, -175, -95, 162, 307, 8, -28, 44, -85, -156, -227)
FEATURE(CHORD_SIZE, "chord size", -72, -42, 1, -30, 15, -2, 40, -10, 3, -5, -13, 4, 40, 7, 68)
FEATURE(RESTS, "rests", -445, 291, 44, 431, 4, -47, 51, 232, 8, -95, -86, 107, -192, 195, -499)
FEATURE(LONG, "long", -127, 37, 13, 137, -527, -263, 287, 374, 364, 381, -98, 167, -115, -179, -519)
/* drums */
FEATURE(BACKBEAT, "backbeat", -55, -80, -126, -16, 106, 49, 37, -270, 231, 144, -156, 5, 0, 154, -75)
FEATURE(EACH_KICK, "kick on each beat", -8, -115, -142, -33, 153, -47, 8, 14, 125, 56, -410, 181, -77, 105, 95)
FEATURE(RIDE, "ride", -34, -223, -92, -192, -50, -37, -56, -187, -617, 31, -25, 355, 97, 433, 490)
FEATURE(HAT, "hat", -24, -166, -137, -55, -71, -13, -115, -141, -607, 132, 190, 538, 70, 393, -382)
FEATURE(STICK, "stick", 235, -65, -286, 136, 693, 43, -318, -312, -1464, 325, 327, 640, -901, -1556, 2085)
FEATURE(HANDS, "hand drums", 13, -61, -72, -115, -49, 50, -218, 339, -58, -2, -71, 388, -187, -655, 422)
FEATURE(HITS, "hits", -4, -31, -40, -12, 27, -16, -15, -107, -46, -4, 52, -23, 42, 35, 92)
/* chords */
FEATURE(SEVENTHS, "dominant sevenths", -205, -44, 26, -14, -103, -364, -149, -40, -144, -164, -71, -41, 424, 497, -21)
FEATURE(MAJOR7, "major sevenths", -60, 110, 26, -220, -358, -83, -325, -92, -207, 40, -11, 274, 310, 238, 252)
FEATURE(MINOR7, "minor sevenths", -22, -29, 118, -128, -205, -165, -278, -293, -160, -197, -2, 64, 459, 425, 162)
FEATURE(DIMINISHED, "diminished", -168, 18, 173, 436, -498, -543, -396, 212, 150, 291, 33, -82, -22, 541, -178)
FEATURE(SUSPENDED, "suspended", 209, 181, 122, 80, -124, 103, -697, -45, 13, 351, 0, -209, 182, -133, -34)
FEATURE(MINOR, "minor", 23, 152, -16, 33, -50, -107, -96, -104, -30, 209, -35, -32, -81, 55, 52)
FEATURE(CHANGES, "changes", 93, 30, 88, 14, -87, 60, 86, 43, -3, -70, -37, -35, -59, -103, -72)
FEATURE(BLUES, "blues", 17, -3, -44, -99, -1, 2, -3, -64, -76, -5, 4, 12, 27, 176, 28)
/* lowest part */
FEATURE(BASS, "bass on each beat", 219, 42, -58, -204, 4, 220, -374, -61, -171, 72, -69, 148, 129, 383, -220)
FEATURE(BASS_OFF, "bass off the beat", 83, 21, 80, 27, -292, -17, -422, 47, 65, 159, -21, 66, 87, -1, 223)
FEATURE(BASS_STEPS, "bass steps", 239, -55, -68, 213, 18, -30, -71, -29, 238, 125, -52, -96, -90, -134, -338)
FEATURE(BASS_REPEATS, "bass repeats", -178, 14, 32, 67, -147, 114, 146, -6, 58, 228, -23, 15, -105, 108, -303)
FEATURE(BASS_HEIGHT, "bass height", 39, 7, 53, 26, -17, -13, 45, 102, -112, -75, -24, -27, -27, 52, 15)
/* highest part */
FEATURE(TUNE_STEPS, "tune steps", 217, 164, 2, -160, -107, -114, 94, 121, -41, 41, -86, 16, -17, -40, -145)
FEATURE(TUNE_LEAPS, "tune leaps", -90, 59, 131, 42, -175, 135, -289, 206, 141, 294, -109, 69, -89, -242, -121)
FEATURE(TUNE_REPEATS, "tune repeats", -284, 86, 75, 65, -103, -239, -69, 234, 2, 83, -55, 103, 95, 43, 13)
FEATURE(TUNE_HEIGHT, "tune height", -22, 37, -26, -57, 101, -103, 23, 5, -40, 52, -20, 15, -2, 26, 64)
FEATURE(TUNE_SPEED, "tune speed", -40, 5, -29, -37, 10, 199, 297, -42, -17, -35, -26, -32, -58, -84, -85)
/* form */
FEATURE(SAME_BARS, "same bars", -59, 0, 133, 300, 116, 21, -88, 214, 163, 474, -1416, -26, 165, -36, 48)
FEATURE(EACH, "each", -69, -375, -87, 404, -274, 530, -194, -686, 221, -263, 611, 187, 211, -435, 230)
// clang-format on
