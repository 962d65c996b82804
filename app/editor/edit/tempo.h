/* Tempo and meter at the cursor. UI thread only. */
#ifndef APP_TEMPO_H
#define APP_TEMPO_H

struct session;

void act_tempo_word(struct session *s, const char *word); /* "96" or "96-120" */
void act_meter_word(struct session *s, const char *word); /* "3/4" */

#endif
