/* The features one by one, in the order of the table of critic_features.c: each says how
 * the passage differs from what is heard before it, unless its name says what it is. Used
 * there only. */
#ifndef APP_CRITIC_MEASURES_H
#define APP_CRITIC_MEASURES_H

struct critic_view;

/* critic_measures_pitch.c */
double measure_local_key(const struct critic_view *v);
double measure_scale(const struct critic_view *v);
double measure_entropy(const struct critic_view *v);
double measure_pitch_distance(const struct critic_view *v);
double measure_tonic(const struct critic_view *v);
double measure_dominant(const struct critic_view *v);
double measure_register(const struct critic_view *v);
double measure_track_register(const struct critic_view *v);
double measure_range(const struct critic_view *v);
double measure_pitches(const struct critic_view *v);
double measure_seam(const struct critic_view *v);
double measure_ends_on_triad(const struct critic_view *v);

/* critic_measures_form.c */
double measure_bar_before(const struct critic_view *v);
double measure_rhythm_before(const struct critic_view *v);
double measure_shape_before(const struct critic_view *v);
double measure_two_back(const struct critic_view *v);
double measure_four_back(const struct critic_view *v);
double measure_eight_back(const struct critic_view *v);
double measure_best_bar(const struct critic_view *v);
double measure_best_rhythm(const struct critic_view *v);
double measure_best_shape(const struct critic_view *v);
double measure_bass_repeats(const struct critic_view *v);
double measure_new_bars(const struct critic_view *v);
double measure_density(const struct critic_view *v);
double measure_onsets(const struct critic_view *v);
double measure_track_density(const struct critic_view *v);
double measure_balance(const struct critic_view *v);
double measure_silence(const struct critic_view *v);
double measure_bars_differ(const struct critic_view *v);
double measure_growing(const struct critic_view *v);
double measure_last_bar(const struct critic_view *v);
double measure_last_note(const struct critic_view *v);
double measure_end(const struct critic_view *v);
double measure_groove(const struct critic_view *v);
double measure_drum_density(const struct critic_view *v);

/* critic_measures_texture.c */
double measure_voices(const struct critic_view *v);
double measure_voices_spread(const struct critic_view *v);
double measure_track_voices(const struct critic_view *v);
double measure_harsh(const struct critic_view *v);
double measure_clashes(const struct critic_view *v);
double measure_close(const struct critic_view *v);
double measure_full(const struct critic_view *v);
double measure_parallels(const struct critic_view *v);
double measure_repeated_notes(const struct critic_view *v);
double measure_steps(const struct critic_view *v);
double measure_leaps(const struct critic_view *v);
double measure_wide(const struct critic_view *v);
double measure_turns(const struct critic_view *v);
double measure_melody_leaps(const struct critic_view *v);
double measure_bass_leaps(const struct critic_view *v);
double measure_bass_steps(const struct critic_view *v);
double measure_places(const struct critic_view *v);
double measure_on_beat(const struct critic_view *v);
double measure_off_grid(const struct critic_view *v);
double measure_lengths(const struct critic_view *v);
double measure_length(const struct critic_view *v);
double measure_length_spread(const struct critic_view *v);
double measure_loudness(const struct critic_view *v);
double measure_loudness_spread(const struct critic_view *v);

#endif
