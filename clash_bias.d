clash_bias.o: app/biases/clash_bias.c app/biases/clash_bias.h \
  midi/tokens/piece.h midi/score/score.h midi/base/midi.h \
  midi/score/taps.h midi/score/timeline.h app/biases/bias_add.h \
  midi/tokens/hole.h midi/tokens/fill.h midi/tokens/tokens.h

app/biases/clash_bias.h:

midi/tokens/piece.h:

midi/score/score.h:

midi/base/midi.h:

midi/score/taps.h:

midi/score/timeline.h:

app/biases/bias_add.h:

midi/tokens/hole.h:

midi/tokens/fill.h:

midi/tokens/tokens.h:
