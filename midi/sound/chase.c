/* The state of channels, and the messages that set it. Controllers are those of MIDI
 * 1.0. CC 121 resets most of them, but not volume, pan, sounds and effects (RP-015),
 * which are always sent. */
#include "midi/sound/chase.h"

#include <string.h>

enum { RPN_NONE = 127 };

static void set_controller(struct channel_state *ch, int number, int value)
{
    ch->controller[number] = (uint8_t)value;
    ch->is_set[number] = true;
}

static void init_channel(struct channel_state *ch)
{
    memset(ch, 0, sizeof *ch);
    ch->bend_high = 64;
    ch->bend_semitones = 2;
    set_controller(ch, CC_VOLUME, 100);
    set_controller(ch, CC_BALANCE, 64);
    set_controller(ch, CC_PAN, 64);
    set_controller(ch, CC_EXPRESSION, 127);
    for (int i = CC_SOUND_FIRST; i <= CC_SOUND_LAST; i++)
        set_controller(ch, i, 64);
    set_controller(ch, CC_REVERB, 0);
    set_controller(ch, CC_CHORUS, 0);
    set_controller(ch, CC_BANK, 0);
    set_controller(ch, CC_BANK_LOW, 0);
    ch->controller[CC_RPN] = ch->controller[CC_RPN_LOW] = RPN_NONE;
}

void chase_init(struct chase *c, const struct score *score)
{
    for (int i = 0; i < SOUND_CHANNELS; i++)
        init_channel(&c->channel[i]);
    const struct sound_ports ports = sound_ports_of(score);
    for (size_t i = score->n_tracks; i-- > 0;) { /* the first decides */
        const struct track *t = &score->tracks[i];
        struct channel_state *ch =
            &c->channel[sound_channel(&ports, score_channel(score, (int)i))];
        ch->program = t->program & 127;
        if (t->mode != PART_BY_CHANNEL)
            set_controller(ch, CC_BANK,
                           t->mode == PART_DRUMS ? BANK_KITS : BANK_MELODY);
    }
}

/* A reset leaves volume, pan, sounds, effects and bank. */
static void reset_channel(struct channel_state *ch)
{
    struct channel_state old = *ch;
    init_channel(ch);
    static const uint8_t kept[] = {CC_BANK, CC_BANK_LOW, CC_VOLUME, CC_BALANCE,
                                   CC_PAN,  CC_REVERB,   CC_CHORUS};
    for (size_t i = 0; i < sizeof kept; i++)
        ch->controller[kept[i]] = old.controller[kept[i]];
    for (int i = CC_SOUND_FIRST; i <= CC_SOUND_LAST; i++)
        ch->controller[i] = old.controller[i];
    ch->program = old.program;
    ch->bend_semitones = old.bend_semitones;
    ch->bend_cents = old.bend_cents;
}

static void feed_controller(struct channel_state *ch, int number, int value)
{
    if (number == CC_RESET)
        reset_channel(ch);
    if (number >= CC_CHANNEL_MODE)
        return;
    if (number == CC_NRPN || number == CC_NRPN_LOW) /* data is for no RPN now */
        ch->controller[CC_RPN] = ch->controller[CC_RPN_LOW] = RPN_NONE;
    bool is_bend_range = !ch->controller[CC_RPN] && !ch->controller[CC_RPN_LOW];
    if (number == CC_DATA && is_bend_range)
        ch->bend_semitones = (uint8_t)value;
    else if (number == CC_DATA_LOW && is_bend_range)
        ch->bend_cents = (uint8_t)value;
    set_controller(ch, number, value);
}

void chase_feed(struct chase *c, const struct message *m)
{
    struct channel_state *ch = &c->channel[message_channel(m)];
    switch (m->status & 0xf0) {
    case 0xb0:
        feed_controller(ch, m->data1 & 127, m->data2);
        break;
    case 0xc0:
        ch->program = m->data1;
        break;
    case 0xd0:
        ch->pressure = m->data1;
        break;
    case 0xe0:
        ch->bend_low = m->data1;
        ch->bend_high = m->data2;
        break;
    default:
        break;
    }
}

/* Whether the controller is a parameter number or its data. Those depend on their
 * order, and are sent separately. */
static bool is_parameter(int number)
{
    return number == CC_DATA || number == CC_DATA_LOW ||
           (number >= CC_INCREMENT && number <= CC_RPN);
}

struct list {
    struct message *out;
    int n, channel;
};

static void put(struct list *l, int kind, int data1, int data2)
{
    l->out[l->n++] =
        (struct message){0, (uint8_t)(kind | (l->channel & 15)), (uint8_t)data1,
                         (uint8_t)data2, (uint8_t)(l->channel >> 4)};
}

static void put_bend_range(struct list *l, const struct channel_state *ch)
{
    put(l, 0xb0, CC_RPN, 0);
    put(l, 0xb0, CC_RPN_LOW, 0);
    put(l, 0xb0, CC_DATA, ch->bend_semitones);
    put(l, 0xb0, CC_DATA_LOW, ch->bend_cents);
    put(l, 0xb0, CC_RPN, ch->controller[CC_RPN]);
    put(l, 0xb0, CC_RPN_LOW, ch->controller[CC_RPN_LOW]);
}

int chase_messages(const struct chase *c, int channel, struct message out[MAX_CHASED])
{
    const struct channel_state *ch = &c->channel[channel];
    struct list l = {.out = out, .channel = channel};
    put(&l, 0xb0, CC_RESET, 0);
    for (int i = 0; i < CC_CHANNEL_MODE; i++)
        if (ch->is_set[i] && !is_parameter(i))
            put(&l, 0xb0, i, ch->controller[i]);
    put(&l, 0xc0, ch->program, 0); /* after its bank */
    put_bend_range(&l, ch);
    put(&l, 0xd0, ch->pressure, 0);
    put(&l, 0xe0, ch->bend_low, ch->bend_high);
    return l.n;
}

static void put_difference(struct list *l, const struct channel_state *here,
                           const struct channel_state *there)
{
    const uint8_t *from = here->controller, *to = there->controller;
    for (int i = 0; i < CC_CHANNEL_MODE; i++)
        if (!is_parameter(i) && from[i] != to[i])
            put(l, 0xb0, i, to[i]);
    /* A bank takes effect with the next program change. */
    if (here->program != there->program || from[CC_BANK] != to[CC_BANK] ||
        from[CC_BANK_LOW] != to[CC_BANK_LOW])
        put(l, 0xc0, there->program, 0);
    if (here->bend_semitones != there->bend_semitones ||
        here->bend_cents != there->bend_cents || from[CC_RPN] != to[CC_RPN] ||
        from[CC_RPN_LOW] != to[CC_RPN_LOW])
        put_bend_range(l, there);
    if (here->pressure != there->pressure)
        put(l, 0xd0, there->pressure, 0);
    if (here->bend_low != there->bend_low || here->bend_high != there->bend_high)
        put(l, 0xe0, there->bend_low, there->bend_high);
}

int chase_difference(const struct chase *from, const struct chase *to, int channel,
                     struct message out[MAX_CHASED])
{
    struct list l = {.out = out, .channel = channel};
    put_difference(&l, &from->channel[channel], &to->channel[channel]);
    return l.n;
}

int chase_turn(const struct chase *from, const struct chase *to, int channel,
               struct message out[MAX_CHASED])
{
    static const uint8_t pedals[] = {CC_PEDAL, CC_SOSTENUTO};
    struct channel_state here = from->channel[channel];
    struct list l = {.out = out, .channel = channel};
    for (int i = 0; i < 2; i++)
        if (here.controller[pedals[i]] >= 64) {
            put(&l, 0xb0, pedals[i], 0);
            here.controller[pedals[i]] = 0;
        }
    put_difference(&l, &here, &to->channel[channel]);
    return l.n;
}
