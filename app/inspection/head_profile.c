#include "app/inspection/head_profile.h"

#include <math.h>
#include <string.h>

const struct head_relation_about head_relations[N_HEAD_RELATIONS] = {
    [HEAD_LAST_TOKEN] = {"last token", "the token that was read last"},
    [HEAD_TOKEN_BEFORE] = {"token before", "the token before the last"},
    [HEAD_OWN_NOTE] = {"own note", "earlier tokens of the same note"},
    [HEAD_PREVIOUS_NOTE] = {"previous note", "the note written just before"},
    [HEAD_CHORD] = {"chord", "notes that begin together with it"},
    [HEAD_SAME_VOICE] = {"same voice", "other notes of its track"},
    [HEAD_VOICE_BEFORE] = {"voice's last note", "the note before it on its track"},
    [HEAD_SAME_PITCH] = {"same pitch", "other notes of its pitch"},
    [HEAD_OCTAVE] = {"octave", "notes whole octaves away"},
    [HEAD_BASS] = {"bass", "the lowest of notes that begin together"},
    [HEAD_PREVIOUS_BAR] = {"previous bar", "notes a bar earlier"},
    [HEAD_SAME_PLACE] = {"same place in the bar", "notes at its place in earlier bars"},
    [HEAD_RECURRENCE] = {"after the same pitch",
                         "the notes that followed the same pitch"},
    [HEAD_BAR_LINES] = {"bar lines", "bar lines and meters"},
    [HEAD_BEGINNING] = {"beginning", "the beginning: it finds nothing to attend to"},
};

const char *head_name_meaning(const char *name)
{
    for (int i = 0; i < N_HEAD_RELATIONS; i++)
        if (!strcmp(name, head_relations[i].name))
            return head_relations[i].meaning;
    return !strcmp(name, "broad")   ? "nearly all notes, evenly"
           : !strcmp(name, "mixed") ? "different tokens at different times"
                                    : "";
}

static void add_row(struct head_profile *p, const struct head_keys *k, double entropy)
{
    const int n = k->end - k->first;
    p->n_rows++;
    p->entropy += entropy;
    p->evenness += n > 1 ? entropy / log2(n) : 0;
}

static void add_key(struct head_profile *p, const struct head_keys *k, int at,
                    double mass)
{
    for (unsigned set = k->set[at]; set; set &= set - 1)
        p->relation[__builtin_ctz(set)] += mass;
    p->parts[k->part[at]] += mass;
    p->same_track += k->same_track[at] ? mass : 0;
    if (k->beat[at] < HEAD_BEATS) {
        p->beats[k->beat[at]] += mass;
        p->intervals[k->interval[at]] += mass;
    }
}

void head_profile_add(struct head_profile *p, const struct head_keys *k,
                      const float *weights)
{
    double entropy = 0;
    for (int at = k->first; at < k->end; at++) {
        double w = (double)weights[at];
        if (w <= 0)
            continue;
        entropy -= w * log2(w);
        add_key(p, k, at, w);
    }
    add_row(p, k, entropy);
}

void head_profile_add_even(struct head_profile *p, const struct head_keys *k)
{
    const int n = k->end - k->first;
    for (int at = k->first; at < k->end; at++)
        add_key(p, k, at, 1.0 / n);
    add_row(p, k, n > 0 ? log2(n) : 0);
}

enum { N_NUMBERS = sizeof(struct head_profile) / sizeof(double) };

void head_profile_finish(struct head_profile *p)
{
    const double n = p->n_rows;
    for (int i = 0; n > 0 && i < N_NUMBERS; i++)
        ((double *)p)[i] /= n; /* all that is summed, as one row of numbers */
    p->n_rows = n;
}

double head_profile_bits(const struct head_profile *p,
                         const struct head_profile *chance, enum head_relation r)
{
    double share = fmin(p->relation[r], 1), even = chance->relation[r];
    if (share <= even || even <= 0 || even >= 1)
        return 0;
    double rest = share < 1 ? (1 - share) * log2((1 - share) / (1 - even)) : 0;
    return share * log2(share / even) + rest;
}

int head_profile_relation(const struct head_profile *p,
                          const struct head_profile *chance)
{
    int best = -1;
    double most = HEAD_LEAST_BITS;
    for (int r = 0; r < N_HEAD_RELATIONS; r++) {
        double bits = head_profile_bits(p, chance, (enum head_relation)r);
        if (p->relation[r] >= HEAD_LEAST_SHARE && bits >= most) {
            most = bits;
            best = r;
        }
    }
    return best;
}

const char *head_profile_name(const struct head_profile *p,
                              const struct head_profile *chance)
{
    int r = head_profile_relation(p, chance);
    if (r >= 0)
        return head_relations[r].name;
    return p->evenness >= HEAD_BROAD ? "broad" : "mixed";
}
