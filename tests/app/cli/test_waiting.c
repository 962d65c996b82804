/* What takes long shows on a terminal how far it is, and nowhere else; Ctrl-C ends it and leaves
 * no part of a file. */
#include "tests/check.h"
#include "tests/app/cli/cli_home.h"
#include "tests/app/terminal.h"

#include <dirent.h>

enum { MANY = 1000 }; /* files that take seconds to read */

/* So many bars of eighths in two voices. */
static struct score *long_music(int n_bars)
{
    return score_of("96 | high: (72e 71 72 74 76 74 72 71)*%d | "
                    "low: (48e 50 52 50 48 47 45 47)*%d",
                    n_bars, n_bars);
}

FIXTURE(begin)
{
    if (make_own_folder(state) || mkdir(in_folder("music"), 0700) ||
        mkdir(in_folder("music/train"), 0700) ||
        mkdir(in_folder("music/valid"), 0700) || mkdir(in_folder("many"), 0700))
        return 1;
    save_score("long.mid", long_music(1500));
    save_score("short.mid", long_music(16));
    save_score("music/train/a.mid", long_music(1500));
    save_score("music/valid/b.mid", long_music(1500));
    for (int i = 0; i < MANY; i++)
        if (link(in_folder("long.mid"), in_folder(formatted("many/%d.mid", i))))
            return 1;
    return 0;
}

/* Files whose names begin so. */
static int count_files(const char *beginning)
{
    int n = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        n += !strncmp(e->d_name, beginning, strlen(beginning));
    closedir(d);
    return n;
}

/* $H: where the models are. */
static void interrupt(const char *arguments, const char *shows, int status)
{
    term_open(80, 24);
    term_run(formatted("H='%s'; CONTINUO_HOME=$H; export CONTINUO_HOME; exec $C %s",
                       getenv("CONTINUO_HOME"), arguments));
    wait_to_hear(0, shows);
    type("\003");
    assert_ends_with(status);
    wait_to_hear(0, "\r\033[K"); /* which may come after its end */
    term_close(NULL);
    assert_int_equal(count_files(".continuo-"), 0);
    assert_int_equal(count_files("out."), 0);
}

TEST(verbs_show_how_far_they_are_and_are_ended)
{
    interrupt("render long.mid -o out.wav", "rendering ", 1);
    interrupt("continue short.mid -o out.mid --bars 32", "drawing ", 128 + SIGINT);
    interrupt("score long.mid", "windows read: ", 128 + SIGINT);
    interrupt("attention long.mid -o out.csv --tokens --layer all",
              "rows written: ", 128 + SIGINT);
    interrupt("eval $H/models/continuo.safetensors --data music --windows 100000",
              "windows read: ", 128 + SIGINT);
    interrupt("train --data many -o out.safetensors", "files read: ", 128 + SIGINT);
}

/* Nor is anything else said. */
TEST(without_a_terminal_nothing_is_shown)
{
    struct stat about;
    assert_ok(
        run_shell(formatted("CONTINUO_HOME='%s' '%s' continue short.mid -o out.mid "
                            "--bars 8 >output 2>complaint",
                            getenv("CONTINUO_HOME"), getenv("CONTINUO_BIN"))));
    assert_ok(stat(in_folder("complaint"), &about));
    assert_int_equal(about.st_size, 0);
}

GROUP(begin, remove_own_folder)
