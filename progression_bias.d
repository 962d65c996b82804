progression_bias.o: app/biases/progression_bias.c \
  app/biases/progression_bias.h midi/tokens/piece.h midi/score/score.h \
  midi/base/midi.h midi/score/taps.h midi/score/timeline.h \
  app/base/draw.h model/decoder/sampler.h model/base/rng.h \
  app/biases/bias_add.h midi/tokens/hole.h midi/tokens/fill.h \
  midi/tokens/tokens.h

app/biases/progression_bias.h:

midi/tokens/piece.h:

midi/score/score.h:

midi/base/midi.h:

midi/score/taps.h:

midi/score/timeline.h:

app/base/draw.h:

model/decoder/sampler.h:

model/base/rng.h:

app/biases/bias_add.h:

midi/tokens/hole.h:

midi/tokens/fill.h:

midi/tokens/tokens.h:
