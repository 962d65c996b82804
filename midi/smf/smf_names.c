/* See smf_names.h. */
#include "midi/smf/smf_names.h"

#include <string.h>

void smf_names_init(struct smf_names *names)
{
    *names = (struct smf_names){.prefix = -1};
}

void smf_names_begin_prefix(struct smf_names *names, const uint8_t *channel, size_t n)
{
    names->prefix = n == 1 && *channel < SMF_CHANNELS ? *channel : -1;
}

void smf_names_end_prefix(struct smf_names *names)
{
    names->prefix = -1;
}

static void take(struct smf_name *to, const uint8_t *name, size_t n)
{
    const size_t most = sizeof to->text - 1;
    if (!to->is_known)
        memcpy(to->text, name, n < most ? n : most);
    to->is_known = true;
}

void smf_names_take(struct smf_names *names, const uint8_t *name, size_t n)
{
    take(&names->chunk, name, n);
    if (names->prefix >= 0)
        take(&names->channel[names->prefix], name, n);
}

const char *smf_names_of(const struct smf_names *names, int channel, bool is_only)
{
    static const struct smf_name none;
    const struct smf_name *of_channel = &names->channel[channel];
    return of_channel->is_known ? of_channel->text
           : is_only            ? names->chunk.text
                                : none.text;
}
