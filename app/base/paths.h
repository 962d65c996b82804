/* Paths of the program's files and of the user's files.
 *
 * The program's files are searched in $CONTINUO_HOME, then in the build tree or the
 * installation that the program was started from, then in PREFIX/share/continuo, and last
 * in the user's data folder, $XDG_DATA_HOME/continuo, which has the user's own models.
 * Functions fill path [n_path]; false: there is no such file, or path is too short. Any
 * thread. */
#ifndef APP_PATHS_H
#define APP_PATHS_H

#include "midi/base/file.h"

#include <glob.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Finds a model. wanted NULL: the bundled one, models/continuo.safetensors, or else the first
 * by name. If the wanted file does not exist or is a folder, it is searched among the
 * models of these folders, with or without its ending ("accompany", "chorales/shaw"). If it
 * is not there either, path is `wanted`, and opening it reports the error. */
bool paths_model(char *path, size_t n_path, const char *wanted);
/* Finds a file of the program, in the first folder that has one of that name. */
bool paths_find(char *path, size_t n_path, const char *name);
#define PATHS_EXAMPLE   "models/example.mid"
#define PATHS_CRITIC    "models/critic.json"        /* app/critic/critic.h */
#define PATHS_REHEARSAL "models/rehearsal.excerpts" /* app/lab/dataset/corpus.h */
/* Gives the path of a file in $XDG_STATE_HOME/continuo, which is made if it is missing. */
bool paths_state(char *path, size_t n_path, const char *name);
/* Gives the path of the user's own model of that name, and makes its folder. The file need not exist.
 * false also for a name with a slash, or a dot at its start. */
bool paths_own_model(char *path, size_t n_path, const char *name);

/* Stores one line in the state folder for the next run: a soundfont, a MIDI device, a model.
 * NULL deletes it. A failure is ignored. */
void paths_remember(const char *what, const char *text);
/* Returns the line; "": there is none. */
const char *paths_recall(const char *what, char *text, size_t n_text);

/* Appends the paths of a folder's files that match the pattern (glob(3)), sorted by name. The caller
 * frees the list, which is zeroed before, with globfree. */
void paths_glob(glob_t *found, const char *folder, const char *pattern);
/* Lists the models of each of the folders: those directly in it, then those in its folders, each sorted
 * by name. A folder that is found twice is listed once. The caller frees the list with globfree. */
void paths_list_models(glob_t *found);

/* Gives the path of the user's settings, $XDG_CONFIG_HOME/continuo/continuo.conf or
 * ~/.config/continuo/..., by the XDG Base Directory Specification 0.8. The file need not exist. */
bool user_config_file(char *path, size_t n_path);
/* Returns true once for each user: the first call makes a file in the state folder. */
bool user_is_new(void);

/* As fopen for reading, but refuses pipes and devices, which may have no end. NULL: errno
 * says why; EINVAL: not a regular file. */
FILE *regular_file_open(const char *path);
/* Copies a path; a leading ~/ becomes the home folder, as in a shell. false: too long. */
bool file_expand(char *out, size_t n_out, const char *path);
const char *file_base_name(const char *path); /* the part after the last slash */
/* Returns whether a path has that ending, ".png", after at least one letter; case does not matter. */
bool file_ends_with(const char *path, const char *ending);

/* A file that a verb writes for -o. A regular file is replaced when it is closed, whole or
 * not at all; a pipe or device is written to at once. One thread. */
struct output_file {
    FILE *stream; /* for the caller to write to; NULL: it is not open */
    struct file_draft draft;
};

/* false: errno says why. */
bool output_file_open(struct output_file *o, const char *path);
/* is_whole: all was written; else the old file stays. false: not written; errno says why.
 * Closing a file that is not open returns false. */
bool output_file_close(struct output_file *o, bool is_whole);

#endif
