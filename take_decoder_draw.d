take_decoder_draw.o: app/decoding/take_decoder_draw.c \
  app/biases/bias_add.h app/biases/clash_bias.h midi/tokens/piece.h \
  midi/score/score.h midi/base/midi.h midi/score/taps.h \
  midi/score/timeline.h app/decoding/take_decoder.h \
  app/biases/activity_bias.h app/biases/cadence.h midi/tokens/fill.h \
  midi/tokens/tokens.h midi/score/scale.h app/biases/band_bias.h \
  app/decoding/context.h app/decoding/band_role.h \
  app/decoding/continuation.h midi/tokens/hole_plan.h \
  model/decoder/attention_probe.h model/decoder/decoder.h \
  model/weights/model.h model/base/pool.h model/decoder/sampler.h \
  model/base/rng.h midi/tokens/hole.h app/biases/onset_grid.h \
  app/biases/parallel_bias.h app/biases/drift_bias.h \
  app/biases/due_bias.h app/biases/figure_bias.h app/biases/key_bias.h \
  app/decoding/live_row.h app/decoding/model_reader.h \
  app/biases/control_bias.h app/decoding/motif.h \
  app/biases/progression_bias.h app/biases/voice_leading.h \
  app/decoding/taste.h midi/tokens/grammar.h

app/biases/bias_add.h:

app/biases/clash_bias.h:

midi/tokens/piece.h:

midi/score/score.h:

midi/base/midi.h:

midi/score/taps.h:

midi/score/timeline.h:

app/decoding/take_decoder.h:

app/biases/activity_bias.h:

app/biases/cadence.h:

midi/tokens/fill.h:

midi/tokens/tokens.h:

midi/score/scale.h:

app/biases/band_bias.h:

app/decoding/context.h:

app/decoding/band_role.h:

app/decoding/continuation.h:

midi/tokens/hole_plan.h:

model/decoder/attention_probe.h:

model/decoder/decoder.h:

model/weights/model.h:

model/base/pool.h:

model/decoder/sampler.h:

model/base/rng.h:

midi/tokens/hole.h:

app/biases/onset_grid.h:

app/biases/parallel_bias.h:

app/biases/drift_bias.h:

app/biases/due_bias.h:

app/biases/figure_bias.h:

app/biases/key_bias.h:

app/decoding/live_row.h:

app/decoding/model_reader.h:

app/biases/control_bias.h:

app/decoding/motif.h:

app/biases/progression_bias.h:

app/biases/voice_leading.h:

app/decoding/taste.h:

midi/tokens/grammar.h:
