/* Rows of facts about numbers that have names: "bar = 0, p57 < p40 - 4, silence > 0.4". Beside
 * <, <=, >, >= or = stand a name, a number, or a name and a number that is added. Include
 * tests/check.h before it. */
#ifndef TESTS_APP_EXPECT_H
#define TESTS_APP_EXPECT_H

/* Reads a name, moves past it and gives what it stands for; false: there is none here. */
typedef bool read_named(const char **at, double *value);

static inline double fact_value(const char **at, read_named *read)
{
    double value;
    if (!read(at, &value))
        return strtod(*at, (char **)at);
    *at += strspn(*at, " ");
    const int sign = **at == '+' ? 1 : **at == '-' ? -1 : 0;
    return sign ? (++*at, value + sign * strtod(*at, (char **)at)) : value;
}

static inline void expect_facts(const char *facts, read_named *read)
{
    for (const char *at = facts; *at; at += strspn(at, ", ")) {
        const char *fact = at;
        const double a = fact_value(&at, read);
        at += strspn(at, " ");
        const char relation = *at++;
        const bool or_equal = *at == '=';
        at += or_equal;
        at += strspn(at, " ");
        const double b = fact_value(&at, read);
        const bool holds = relation == '<'   ? a < b
                           : relation == '>' ? a > b
                                             : relation == '=' && a == b;
        if (!holds && !(or_equal && a == b))
            fail_msg("%.*s: %g beside %g", (int)(at - fact), fact, a, b);
    }
}

#endif
