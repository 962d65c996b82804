/* make_soundfont OUT.sf2: synthesises continuo's own small soundfont, so that
 * there is always something to hear.
 *
 * Four looped tones (piano, organ, choir, wind) are sums of sines, and a few
 * drums are noise and swept sines. A tone's loop holds a whole number of
 * periods, and its sample rate is chosen so that the root key is in tune to a
 * few hundredths of a cent; every partial runs through the loop a whole number
 * of times, so the loop has no seam. All 128 melodic programs and the drum kit
 * (bank 128) sound. The file is SoundFont 2.01 (E-mu/Creative 1998), the same
 * bytes every time. Any failure leaves no file. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { N_KEYS = 128, BASE_RATE = 32000, MAX_LOOP = 16384, SILENCE = 46 };

struct bytes {
    uint8_t *data;
    size_t n, capacity;
};

static void die(const char *what)
{
    fprintf(stderr, "make_soundfont: %s\n", what);
    exit(1);
}

static void put_bytes(struct bytes *b, const void *data, size_t n)
{
    if (b->capacity - b->n < n) {
        b->capacity = 2 * (b->capacity + n);
        b->data = realloc(b->data, b->capacity);
        if (!b->data)
            die("out of memory");
    }
    if (n)
        memcpy(b->data + b->n, data, n);
    b->n += n;
}

static void put_u8(struct bytes *b, unsigned v)
{
    put_bytes(b, &(uint8_t){(uint8_t)v}, 1);
}

static void put_u16(struct bytes *b, int v)
{
    put_u8(b, (unsigned)v & 255);
    put_u8(b, (unsigned)v >> 8 & 255);
}

static void put_u32(struct bytes *b, size_t v)
{
    for (int shift = 0; shift < 32; shift += 8)
        put_u8(b, v >> shift & 255);
}

/* A name field: 20 bytes, zero padded. */
static void put_name(struct bytes *b, const char *name)
{
    char field[20] = {0};
    snprintf(field, sizeof field, "%s", name);
    put_bytes(b, field, sizeof field);
}

static void put_chunk(struct bytes *b, const char *id, const void *data, size_t n)
{
    put_bytes(b, id, 4);
    put_u32(b, n + n % 2);
    put_bytes(b, data, n);
    if (n % 2)
        put_u8(b, 0);
}

static void put_text(struct bytes *b, const char *id, const char *text)
{
    put_chunk(b, id, text, strlen(text) + 1);
}

/* LIST or RIFF: `body` begins with its form type. */
static void put_list(struct bytes *b, const char *id, struct bytes *body)
{
    put_chunk(b, id, body->data, body->n);
    free(body->data);
    *body = (struct bytes){0};
}

struct font {
    struct bytes samples;                /* 16-bit, mono */
    struct bytes shdr;                   /* 46 bytes a sample */
    struct bytes inst, ibag, igen, imod; /* 22, 4, 4, 10 bytes each */
    struct bytes phdr, pbag, pgen;       /* 38, 4, 4 */
};

/* Generators, SoundFont 2.01 section 8.1.2. */
enum generator {
    GEN_FILTER_CUTOFF = 8, /* absolute cents */
    GEN_CHORUS = 15,       /* sends, in 0.1 % */
    GEN_REVERB = 16,
    GEN_PAN = 17,    /* 0.1 %, -500..500 */
    GEN_ATTACK = 34, /* of the volume envelope, in timecents */
    GEN_DECAY = 36,
    GEN_SUSTAIN = 37, /* attenuation in centibels */
    GEN_RELEASE = 38,
    GEN_KEY_TO_DECAY = 40, /* timecents a key */
    GEN_INSTRUMENT = 41,
    GEN_KEY_RANGE = 43,
    GEN_SAMPLE = 53,
    GEN_LOOP = 54,
    GEN_SCALE_TUNING = 56,
    GEN_EXCLUSIVE = 57,
    GEN_ROOT_KEY = 58,
};

struct sample {
    const char *name;
    const float *x; /* within -1..1 */
    size_t n, loop_start, loop_end;
    size_t rate;
    unsigned root;
};

static int timecents(double seconds)
{
    return (int)lround(1200 * log2(seconds));
}

static int add_sample(struct font *f, const struct sample *s)
{
    size_t start = f->samples.n / 2;
    for (size_t i = 0; i < s->n; i++)
        put_u16(&f->samples, (int)lroundf(s->x[i] * 32767));
    for (int i = 0; i < SILENCE; i++)
        put_u16(&f->samples, 0);
    int index = (int)(f->shdr.n / 46);
    put_name(&f->shdr, s->name);
    put_u32(&f->shdr, start);
    put_u32(&f->shdr, start + s->n);
    put_u32(&f->shdr, start + s->loop_start);
    put_u32(&f->shdr, start + s->loop_end);
    put_u32(&f->shdr, s->rate);
    put_u8(&f->shdr, s->root);
    put_u8(&f->shdr, 0); /* no correction: it is in tune */
    put_u16(&f->shdr, 0);
    put_u16(&f->shdr, 1); /* mono */
    return index;
}

static void put_generator(struct bytes *b, enum generator g, int amount)
{
    put_u16(b, (int)g);
    put_u16(b, amount);
}

static int add_instrument(struct font *f, const char *name)
{
    int index = (int)(f->inst.n / 22);
    put_name(&f->inst, name);
    put_u16(&f->inst, (int)(f->ibag.n / 4));
    return index;
}

/* Opens a zone; its generators follow, the sample last. */
static void begin_zone(struct font *f, int low, int high)
{
    put_u16(&f->ibag, (int)(f->igen.n / 4));
    put_u16(&f->ibag, (int)(f->imod.n / 10));
    put_generator(&f->igen, GEN_KEY_RANGE, high << 8 | low);
}

/* Softer is duller: `amount` cents of cutoff at velocity 0, none at 127. */
static void put_velocity_to_cutoff(struct font *f, int amount)
{
    put_u16(&f->imod, 0x0102); /* note-on velocity, falling, linear */
    put_u16(&f->imod, GEN_FILTER_CUTOFF);
    put_u16(&f->imod, amount);
    put_u16(&f->imod, 0);
    put_u16(&f->imod, 0);
}

static void add_preset(struct font *f, const char *name, int program, int bank,
                       int instrument)
{
    put_name(&f->phdr, name);
    put_u16(&f->phdr, program);
    put_u16(&f->phdr, bank);
    put_u16(&f->phdr, (int)(f->pbag.n / 4));
    for (int i = 0; i < 3; i++)
        put_u32(&f->phdr, 0);
    put_u16(&f->pbag, (int)(f->pgen.n / 4));
    put_u16(&f->pbag, 0);
    put_generator(&f->pgen, GEN_INSTRUMENT, instrument);
}

struct tone {
    const char *name;
    int first_root, step, n_roots; /* keys; each sample serves `step` keys */
    double attack_part;            /* seconds of changing tone before the loop */
    double loop;                   /* least seconds of loop */
    double shimmer;                /* depth of each partial's own slow tremolo */
    double (*level)(int partial, double hz);
    double attack, decay, release; /* envelope in seconds; decay 0: sustains */
    int cutoff_above_root;         /* cents; 0: no filter */
    int reverb;
};

/* Hammered string: struck at about a seventh, the top rolled off. */
static double piano_level(int partial, double hz)
{
    double struck = 0.25 + fabs(sin(PI * partial / 7.3));
    return struck * pow(partial, -1.15) / (1 + pow(hz / 5000, 2));
}

/* Drawbars: 8', 4', 2 2/3', 2', 1 1/3', 1'. */
static double organ_level(int partial, double hz)
{
    static const double drawbars[] = {0, 1, 0.7, 0.35, 0.4, 0, 0.15, 0, 0.12};
    return partial <= 8 ? drawbars[partial] / (1 + hz / 12000) : 0;
}

/* Voices on "ah": formants near 700, 1150 and 2900 Hz. */
static double choir_level(int partial, double hz)
{
    static const double centre[] = {350, 700, 1150, 2900};
    static const double width[] = {300, 200, 220, 500};
    static const double height[] = {0.5, 1, 0.6, 0.2};
    double sum = 0.05;
    for (int i = 0; i < 4; i++)
        sum += height[i] * exp(-pow((hz - centre[i]) / width[i], 2));
    return sum * pow(partial, -0.7) / (1 + pow(hz / 6000, 2));
}

static double wind_level(int partial, double hz)
{
    return pow(partial, partial % 2 ? -1.3 : -1.7) / (1 + pow(hz / 3500, 2));
}

static const struct tone tones[] = {
    {"piano", 24, 7, 13, 0.3, 0.05, 0, piano_level, 0.001, 9, 0.25, 5400, 80},
    {"organ", 30, 12, 7, 0.0, 0.06, 0, organ_level, 0.008, 0, 0.06, 0, 120},
    {"choir", 30, 12, 7, 0.0, 0.35, 0.35, choir_level, 0.06, 0, 0.25, 0, 200},
    {"wind", 30, 12, 7, 0.0, 0.10, 0.08, wind_level, 0.02, 0, 0.09, 0, 120},
};
enum { PIANO, ORGAN, CHOIR, WIND, N_TONES };

/* A loop of `length` frames holding `periods` of the root at `rate` Hz. */
struct loop {
    size_t periods, length, rate;
};

static double cents_off(const struct loop *l, double hz)
{
    return 1200 * log2((double)l->periods * (double)l->rate / (double)l->length / hz);
}

/* The best-tuned loop of the least length or little more. */
static struct loop find_loop(double hz, double least_seconds)
{
    struct loop best = {0};
    double least = least_seconds * BASE_RATE, period = BASE_RATE / hz;
    double most = 1.2 * least + period;
    for (size_t periods = 1; (double)periods * period <= most; periods++) {
        struct loop l = {.periods = periods};
        l.length = (size_t)lround((double)periods * period);
        l.rate = (size_t)lround(hz * (double)l.length / (double)periods);
        bool is_better =
            !best.periods || fabs(cents_off(&l, hz)) < fabs(cents_off(&best, hz));
        if ((double)l.length >= least && l.length <= MAX_LOOP && is_better)
            best = l;
    }
    if (!best.periods || fabs(cents_off(&best, hz)) > 0.1)
        die("no loop is in tune");
    return best;
}

/* Adds one partial to x[n]. Until loop_start it falls from full strength to
 * what it keeps in the loop, high partials fastest. All phases are whole steps
 * of a table one loop long, hence exactly periodic in it. */
static void add_partial(float *x, size_t n, size_t loop_start, const struct loop *l,
                        const double *sine, int partial, const struct tone *t)
{
    double level = t->level(partial, (double)partial * (double)l->periods *
                                         (double)l->rate / (double)l->length);
    double keep = loop_start ? pow(0.72, partial - 1) : 1;
    double fall = loop_start ? (2.5 + 0.5 * partial) / (double)loop_start : 0;
    double last = exp(-fall * (double)loop_start);
    size_t step = (size_t)partial * l->periods % l->length;
    size_t phase = (size_t)partial * (size_t)partial * 977 % l->length;
    size_t slow = (size_t)partial * 3571 % l->length,
           slow_step = 1 + (size_t)partial % 3;
    for (size_t i = 0; i < n; i++) {
        double faded =
            i < loop_start ? (exp(-fall * (double)i) - last) / (1 - last) : 0;
        double a = level * (keep + (1 - keep) * faded) * (1 + t->shimmer * sine[slow]);
        x[i] += (float)(a * sine[phase]);
        phase = (phase + step) % l->length;
        slow = (slow + slow_step) % l->length;
    }
}

/* Equal loudness between roots, and never past full scale. */
static void normalise(float *x, size_t n, double rms_wanted)
{
    double peak = 1e-9, square = 1e-18;
    for (size_t i = 0; i < n; i++) {
        peak = fmax(peak, fabs((double)x[i]));
        square += (double)x[i] * x[i];
    }
    double scale = fmin(rms_wanted / sqrt(square / (double)n), 0.95 / peak);
    for (size_t i = 0; i < n; i++)
        x[i] = (float)(x[i] * scale);
}

static int synthesise_tone(struct font *f, const struct tone *t, int root)
{
    double hz = 440 * pow(2, (root - 69) / 12.0);
    struct loop l = find_loop(hz, t->loop);
    size_t loop_start = (size_t)(t->attack_part * (double)l.rate) + 8;
    size_t n = loop_start + l.length + 8; /* players read a little beside a loop */
    double *sine = calloc(l.length, sizeof *sine);
    float *x = calloc(n, sizeof *x);
    if (!sine || !x)
        die("out of memory");
    for (size_t i = 0; i < l.length; i++)
        sine[i] = sin(2 * PI * (double)i / (double)l.length);
    /* Below half the rate even at the top of the zone. */
    double highest = 0.46 * (double)l.rate / pow(2, t->step / 24.0);
    for (int h = 1; h == 1 || h * hz < highest; h++)
        add_partial(x, n, t->attack_part > 0 ? loop_start : 0, &l, sine, h, t);
    normalise(x, n, 0.2);
    char name[20];
    snprintf(name, sizeof name, "%s %d", t->name, root);
    int index =
        add_sample(f, &(struct sample){name, x, n, loop_start, loop_start + l.length,
                                       l.rate, (unsigned)root});
    free(sine);
    free(x);
    return index;
}

static void add_tone_zone(struct font *f, const struct tone *t, int zone)
{
    int root = t->first_root + zone * t->step;
    int low = zone ? root - t->step / 2 : 0;
    int high = zone < t->n_roots - 1 ? root + t->step - t->step / 2 - 1 : N_KEYS - 1;
    int sample = synthesise_tone(f, t, root);
    begin_zone(f, low, high);
    put_generator(&f->igen, GEN_REVERB, t->reverb);
    put_generator(&f->igen, GEN_PAN, (root - 64) * 3);
    put_generator(&f->igen, GEN_ATTACK, timecents(t->attack));
    if (t->decay > 0) {
        put_generator(&f->igen, GEN_DECAY, timecents(t->decay));
        put_generator(&f->igen, GEN_SUSTAIN, 1000);
        put_generator(&f->igen, GEN_KEY_TO_DECAY, 50);
    }
    put_generator(&f->igen, GEN_RELEASE, timecents(t->release));
    if (t->cutoff_above_root) {
        int cutoff = root * 100 + t->cutoff_above_root;
        put_generator(&f->igen, GEN_FILTER_CUTOFF, cutoff < 13500 ? cutoff : 13500);
        put_velocity_to_cutoff(f, -2700);
    }
    put_generator(&f->igen, GEN_LOOP, 1);
    put_generator(&f->igen, GEN_SAMPLE, sample);
}

static int add_tone(struct font *f, const struct tone *t)
{
    int instrument = add_instrument(f, t->name);
    for (int zone = 0; zone < t->n_roots; zone++)
        add_tone_zone(f, t, zone);
    return instrument;
}

struct noise {
    uint32_t state;
    double last;
};

static double white(struct noise *n)
{
    n->state = n->state * 1664525u + 1013904223u;
    return (double)(n->state >> 8) / 8388608.0 - 1;
}

/* White noise with its low end taken away. */
static double bright(struct noise *n)
{
    double now = white(n), difference = now - n->last;
    n->last = now;
    return difference / 2;
}

static double kick(struct noise *n, double t)
{
    double sweep = 52 * t + 110 * 0.03 * (1 - exp(-t / 0.03));
    return sin(2 * PI * sweep) * exp(-t / 0.12) + 0.3 * white(n) * exp(-t / 0.003);
}

static double snare(struct noise *n, double t)
{
    return 0.6 * sin(2 * PI * 190 * t) * exp(-t / 0.06) + bright(n) * exp(-t / 0.075);
}

static double tom(struct noise *n, double t)
{
    double sweep = 110 * t + 60 * 0.05 * (1 - exp(-t / 0.05));
    return sin(2 * PI * sweep) * exp(-t / 0.14) + 0.1 * white(n) * exp(-t / 0.004);
}

static double cymbal(struct noise *n, double t)
{
    double metal =
        sin(2 * PI * 3170 * t) * sin(2 * PI * 4730 * t + sin(2 * PI * 5410 * t));
    return (bright(n) + 0.4 * metal) * exp(-t / 0.3);
}

static double wood(struct noise *n, double t)
{
    double tap = sin(2 * PI * 1000 * t) + 0.5 * sin(2 * PI * 2690 * t);
    return tap * exp(-t / 0.018) + 0.2 * white(n) * exp(-t / 0.001);
}

static double bell(struct noise *n, double t)
{
    (void)n;
    return sin(2 * PI * 1000 * t) * exp(-t / 0.12) +
           0.6 * sin(2 * PI * 1510 * t) * exp(-t / 0.08) +
           0.4 * sin(2 * PI * 2760 * t) * exp(-t / 0.05);
}

static const struct drum {
    const char *name;
    double seconds;
    double (*wave)(struct noise *n, double t);
} drums[] = {
    {"kick", 0.45, kick},    {"snare", 0.35, snare}, {"tom", 0.5, tom},
    {"cymbal", 0.9, cymbal}, {"wood", 0.1, wood},    {"bell", 0.5, bell},
};
enum { KICK, SNARE, TOM, CYMBAL, WOOD, BELL, N_DRUMS };

/* Who plays which keys of the General MIDI percussion map; together 0..127.
 * root: the key at which the sample is untransposed. */
static const struct drum_zone {
    int low, high, drum, root;
    double decay;  /* seconds to silence; 0: as sampled */
    int exclusive; /* hi-hats choke each other */
} drum_zones[] = {
    {0, 32, WOOD, 20, 0, 0},       {33, 33, WOOD, 28, 0, 0},
    {34, 34, BELL, 24, 0, 0},      {35, 36, KICK, 36, 0, 0},
    {37, 37, WOOD, 40, 0, 0},      {38, 38, SNARE, 38, 0, 0},
    {39, 39, SNARE, 36, 0.2, 0},   {40, 40, SNARE, 39, 0, 0},
    {41, 41, TOM, 43, 0, 0},       {42, 42, CYMBAL, 40, 0.15, 1},
    {43, 43, TOM, 44, 0, 0},       {44, 44, CYMBAL, 43, 0.12, 1},
    {45, 45, TOM, 44, 0, 0},       {46, 46, CYMBAL, 44, 1.2, 1},
    {47, 48, TOM, 44, 0, 0},       {49, 49, CYMBAL, 50, 0, 0},
    {50, 50, TOM, 44, 0, 0},       {51, 51, CYMBAL, 46, 1.5, 0},
    {52, 52, CYMBAL, 55, 0, 0},    {53, 53, BELL, 40, 0, 0},
    {54, 54, CYMBAL, 50, 0.25, 0}, {55, 55, CYMBAL, 53, 0.8, 0},
    {56, 56, BELL, 60, 0.6, 0},    {57, 57, CYMBAL, 59, 0, 0},
    {58, 58, SNARE, 62, 0, 0},     {59, 59, CYMBAL, 55, 1.5, 0},
    {60, 66, TOM, 54, 0.5, 0},     {67, 68, BELL, 66, 0.5, 0},
    {69, 70, CYMBAL, 66, 0.12, 0}, {71, 74, BELL, 62, 0.4, 0},
    {75, 75, WOOD, 66, 0, 0},      {76, 79, WOOD, 78, 0, 0},
    {80, 81, BELL, 62, 0, 0},      {82, 82, CYMBAL, 78, 0.12, 0},
    {83, 84, BELL, 66, 0, 0},      {85, 85, WOOD, 78, 0, 0},
    {86, 87, KICK, 82, 0, 0},      {88, 127, WOOD, 100, 0, 0},
};

static int synthesise_drum(struct font *f, const struct drum *d)
{
    size_t n = (size_t)(d->seconds * BASE_RATE), fade = BASE_RATE / 50;
    struct noise noise = {.state = 20240229};
    float *x = calloc(n, sizeof *x);
    if (!x)
        die("out of memory");
    for (size_t i = 0; i < n; i++) {
        double out = i + fade > n ? (double)(n - i) / (double)fade : 1;
        x[i] = (float)(out * d->wave(&noise, (double)i / BASE_RATE));
    }
    normalise(x, n, 0.2);
    int index = add_sample(f, &(struct sample){d->name, x, n, 8, n - 8, BASE_RATE, 60});
    free(x);
    return index;
}

static int add_kit(struct font *f)
{
    int samples[N_DRUMS];
    for (int i = 0; i < N_DRUMS; i++)
        samples[i] = synthesise_drum(f, &drums[i]);
    int instrument = add_instrument(f, "kit");
    for (size_t i = 0; i < sizeof drum_zones / sizeof *drum_zones; i++) {
        const struct drum_zone *z = &drum_zones[i];
        begin_zone(f, z->low, z->high);
        put_generator(&f->igen, GEN_REVERB, 80);
        if (z->decay > 0) {
            put_generator(&f->igen, GEN_DECAY, timecents(z->decay));
            put_generator(&f->igen, GEN_SUSTAIN, 1000);
        }
        put_generator(&f->igen, GEN_RELEASE, timecents(2)); /* drums ring on */
        if (z->exclusive)
            put_generator(&f->igen, GEN_EXCLUSIVE, z->exclusive);
        put_generator(&f->igen, GEN_ROOT_KEY, z->root);
        put_generator(&f->igen, GEN_SAMPLE, samples[z->drum]);
    }
    return instrument;
}

/* General MIDI's families of eight; what is plucked or struck is a piano. */
static int tone_of_program(int program)
{
    if (program >= 40 && program <= 44) /* bowed strings */
        return CHOIR;
    static const int family[16] = {PIANO, PIANO, ORGAN, PIANO, PIANO, PIANO,
                                   CHOIR, WIND,  WIND,  WIND,  ORGAN, CHOIR,
                                   CHOIR, PIANO, PIANO, WIND};
    return family[program / 8];
}

static void build_font(struct font *f)
{
    int instruments[N_TONES];
    for (int i = 0; i < N_TONES; i++)
        instruments[i] = add_tone(f, &tones[i]);
    int kit = add_kit(f);
    for (int program = 0; program < 128; program++) {
        int tone = tone_of_program(program);
        char name[20];
        snprintf(name, sizeof name, "%s %d", tones[tone].name, program + 1);
        add_preset(f, name, program, 0, instruments[tone]);
    }
    add_preset(f, "kit", 0, 128, kit);
}

/* Every list ends with a record that only says where the last real one ends. */
static void put_terminals(struct font *f)
{
    static const uint8_t zeros[46] = {0};
    put_name(&f->phdr, "EOP");
    put_u16(&f->phdr, 0);
    put_u16(&f->phdr, 0);
    put_u16(&f->phdr, (int)(f->pbag.n / 4));
    put_bytes(&f->phdr, zeros, 12);
    put_u16(&f->pbag, (int)(f->pgen.n / 4));
    put_u16(&f->pbag, 0);
    put_bytes(&f->pgen, zeros, 4);
    put_name(&f->inst, "EOI");
    put_u16(&f->inst, (int)(f->ibag.n / 4));
    put_u16(&f->ibag, (int)(f->igen.n / 4));
    put_u16(&f->ibag, (int)(f->imod.n / 10));
    put_bytes(&f->igen, zeros, 4);
    put_bytes(&f->imod, zeros, 10);
    put_name(&f->shdr, "EOS");
    put_bytes(&f->shdr, zeros, 26);
}

static struct bytes info_list(void)
{
    struct bytes b = {0};
    put_bytes(&b, "INFO", 4);
    put_chunk(&b, "ifil", (const uint8_t[]){2, 0, 1, 0}, 4);
    put_text(&b, "isng", "EMU8000");
    put_text(&b, "INAM", "continuo");
    put_text(&b, "ICOP", "Made by continuo's soundfonts/make_soundfont.c, MIT licence");
    put_text(&b, "ISFT", "make_soundfont");
    return b;
}

static struct bytes preset_list(struct font *f)
{
    static const uint8_t no_modulators[10] = {0};
    const struct {
        const char *id;
        const struct bytes *b;
    } parts[] = {{"phdr", &f->phdr}, {"pbag", &f->pbag}, {"pmod", NULL},
                 {"pgen", &f->pgen}, {"inst", &f->inst}, {"ibag", &f->ibag},
                 {"imod", &f->imod}, {"igen", &f->igen}, {"shdr", &f->shdr}};
    struct bytes b = {0};
    put_bytes(&b, "pdta", 4);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].b)
            put_chunk(&b, parts[i].id, parts[i].b->data, parts[i].b->n);
        else
            put_chunk(&b, parts[i].id, no_modulators, sizeof no_modulators);
    }
    return b;
}

static struct bytes riff_of(struct font *f)
{
    struct bytes info = info_list(), sdta = {0}, pdta = preset_list(f), body = {0},
                 file = {0};
    put_bytes(&sdta, "sdta", 4);
    put_chunk(&sdta, "smpl", f->samples.data, f->samples.n);
    put_bytes(&body, "sfbk", 4);
    put_list(&body, "LIST", &info);
    put_list(&body, "LIST", &sdta);
    put_list(&body, "LIST", &pdta);
    put_list(&file, "RIFF", &body);
    return file;
}

static void free_font(struct font *f)
{
    struct bytes *all[] = {&f->samples, &f->shdr, &f->inst, &f->ibag, &f->igen,
                           &f->imod,    &f->phdr, &f->pbag, &f->pgen, NULL};
    for (struct bytes **b = all; *b; b++)
        free((*b)->data);
}

static bool write_file(const char *path, const struct bytes *b)
{
    FILE *out = fopen(path, "wb");
    if (!out)
        return false;
    bool ok = fwrite(b->data, 1, b->n, out) == b->n;
    ok = !fclose(out) && ok;
    if (!ok)
        remove(path);
    return ok;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: make_soundfont OUT.sf2\n");
        return 2;
    }
    struct font f = {0};
    build_font(&f);
    put_terminals(&f);
    struct bytes file = riff_of(&f);
    if (!write_file(argv[1], &file)) {
        fprintf(stderr, "make_soundfont: %s: cannot be written\n", argv[1]);
        return 1;
    }
    free(file.data);
    free_font(&f);
    return 0;
}
