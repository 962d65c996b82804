/* A handful of slots, the oldest giving way. */
#include "midi/sound/audition.h"

enum { AUDITION_MS = 280 };

static void send(struct sound *sound, int status, int data1, int data2)
{
    sound_audition(
        sound, &(struct message){0, (uint8_t)status, (uint8_t)data1, (uint8_t)data2});
}

static void end(struct audition *a, struct sound *sound)
{
    if (a->is_on)
        send(sound, 0x80 | a->channel, a->pitch, 64);
    a->is_on = false;
}

/* A free slot, or the one that would end first. */
static struct audition *take_slot(struct auditions *a, struct sound *sound)
{
    struct audition *oldest = &a->slot[0];
    for (int i = 0; i < N_AUDITIONS; i++) {
        if (!a->slot[i].is_on)
            return &a->slot[i];
        if (a->slot[i].end_ms < oldest->end_ms)
            oldest = &a->slot[i];
    }
    end(oldest, sound);
    return oldest;
}

void auditions_begin(struct auditions *a, struct sound *sound,
                     const struct audition *wanted, double now_ms)
{
    for (int i = 0; i < N_AUDITIONS; i++)
        if (a->slot[i].channel == wanted->channel && a->slot[i].pitch == wanted->pitch)
            end(&a->slot[i], sound);
    struct audition *slot = take_slot(a, sound);
    *slot = *wanted;
    slot->is_on = true;
    slot->end_ms = now_ms + AUDITION_MS;
    send(sound, 0xc0 | slot->channel, slot->program, 0);
    send(sound, 0x90 | slot->channel, slot->pitch, slot->velocity);
}

bool auditions_end_due(struct auditions *a, struct sound *sound, double now_ms)
{
    bool any_left = false;
    for (int i = 0; i < N_AUDITIONS; i++) {
        if (a->slot[i].end_ms <= now_ms)
            end(&a->slot[i], sound);
        any_left = any_left || a->slot[i].is_on;
    }
    return any_left;
}
