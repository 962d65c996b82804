/* The editor's parts, in the order in which they run: first those whose order matters
 * (input, answers, new takes, sound, the view, saving, the inspector), then, from GRID on,
 * all others. A new part is added here, and nowhere else. */
#include "app/editor/session/part.h"

#define EACH_PART_BY(X)                                                                \
    X(CHORDS), X(FOLD), X(SELECT), X(TAKE_VIEW), X(RECORDER), X(ANSWER), X(ARRIVAL),   \
        X(RENDER), X(PLAY), X(DEVICES), X(CLOCK), X(TUTOR), X(HEARING), X(NAVIGATION), \
        X(FRAMING), X(MOUSE), X(MACHINE), X(RECORD), X(AUTOSAVE), X(CLIPBOARD),        \
        X(KEPT), X(INSPECT), X(INSPECT_FOLLOW), X(INSPECT_LOOK), X(INSPECT_REWRITE),   \
        X(INSPECT_EXPORT), X(GRID), X(LOOP), X(SCALE), X(CHOOSE), X(PUT_NOTES),        \
        X(PUT_CHORD), X(ARPEGGIO), X(FIND), X(ACT), X(INSTRUMENT), X(JOIN), X(LANE),   \
        X(LANE_EDIT), X(TIMELINE_LIST), X(MIXER), X(MOUSE_VIEW), X(ARTICULATION),      \
        X(TEMPO), X(TIMING), X(TRACK_FILE), X(TRACKS), X(TO_TRACK), X(TRANSPOSE),      \
        X(HISTORY_LIST), X(ACCEPT), X(COMPOSE), X(HOLE), X(MOTIF), X(STEERING_PANEL),  \
        X(WAITING_TAKES), X(MODEL), X(LEARN), X(FIT_TEMPO), X(PIANO), X(STEP_RECORD),  \
        X(FREE_TAKE), X(FILE), X(INPUT), X(PALETTE), X(PROMPT), X(PREFERENCES)

#define DECLARED(part) part##_PART
#define LISTED(part)   &part##_PART
extern const struct editor_part EACH_PART_BY(DECLARED);
const struct editor_part *const EDITOR_PARTS[] = {EACH_PART_BY(LISTED), NULL};
