/* Features that need a function of their own; used by critic_features.c only. Each is how
 * the passage differs from the bars before it, unless its name says what it is. */
#ifndef APP_CRITIC_MEASURES_H
#define APP_CRITIC_MEASURES_H

struct critic_view;

/* critic_measures_pitch.c */
double measure_local_key(const struct critic_view *v);
double measure_scale(const struct critic_view *v);
double measure_tonic(const struct critic_view *v);
double measure_dominant(const struct critic_view *v);
double measure_seam(const struct critic_view *v);
double measure_ends_on_triad(const struct critic_view *v);

/* critic_measures_form.c */
double measure_eight_back(const struct critic_view *v);
double measure_new_bars(const struct critic_view *v);
double measure_density(const struct critic_view *v);
double measure_onsets(const struct critic_view *v);
double measure_track_density(const struct critic_view *v);
double measure_balance(const struct critic_view *v);
double measure_bars_differ(const struct critic_view *v);
double measure_growing(const struct critic_view *v);
double measure_last_bar(const struct critic_view *v);
double measure_last_note(const struct critic_view *v);
double measure_end(const struct critic_view *v);
double measure_groove(const struct critic_view *v);
double measure_drum_density(const struct critic_view *v);
double measure_track_voices(const struct critic_view *v);

#endif
