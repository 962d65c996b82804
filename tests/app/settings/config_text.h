/* A configuration, read from what a test writes. Include cmocka.h before it. */
#ifndef TESTS_APP_CONFIG_TEXT_H
#define TESTS_APP_CONFIG_TEXT_H

#include "app/settings/config.h"

#include <string.h>

static struct config config;

static inline const struct config *read_bytes(const char *bytes, size_t n)
{
    config_fini(&config);
    config_init(&config);
    config_read_bytes(&config, "/home/x/continuo.conf", bytes, n);
    return &config;
}

static inline const struct config *read_text(const char *text)
{
    return read_bytes(text, strlen(text));
}

#endif
