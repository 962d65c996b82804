band_bias.o: app/biases/band_bias.c app/biases/band_bias.h \
  midi/tokens/piece.h midi/score/score.h midi/base/midi.h \
  midi/score/taps.h midi/score/timeline.h app/biases/bias_add.h \
  midi/base/larger.h midi/tokens/grid_chord.h midi/score/chord.h \
  midi/tokens/hole.h midi/tokens/fill.h midi/tokens/tokens.h

app/biases/band_bias.h:

midi/tokens/piece.h:

midi/score/score.h:

midi/base/midi.h:

midi/score/taps.h:

midi/score/timeline.h:

app/biases/bias_add.h:

midi/base/larger.h:

midi/tokens/grid_chord.h:

midi/score/chord.h:

midi/tokens/hole.h:

midi/tokens/fill.h:

midi/tokens/tokens.h:
