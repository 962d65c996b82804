/* Power is cut after each thing that is written to the disk, in whole sessions: what was
 * written since it was last synced is there, or half of the last of it, or none, or zeros
 * in its place; and so are names. Whenever it is, the piece opens as the user saw it, no
 * earlier than it was saved or synced, and its file is whole.
 *
 * This is the strictest disk that POSIX allows: a name lasts from when its folder was
 * synced. CONTINUO_FAULTS=all: more ways of leaving it. */
#include "tests/check.h"
#include "tests/app/document/fault_shim.h"
#include "tests/app/kept.h"

/* -- what is left on the disk: files have content, as it is now and as it was when last
 * synced, and the folder has names, as they are now and as they were when it was. A cut
 * leaves of each what it likes -- */

enum { CUT_FILES = 64, CUT_NAMES = 64 };

struct cut_content {
    uint8_t *bytes;
    size_t n;
};

struct cut_file {
    uint64_t inode;
    struct cut_content now, synced;
};

struct cut_name {
    char name[120];
    int file; /* index; -1: a name that is free */
};

struct cut_disk {
    struct cut_file files[CUT_FILES];
    int n_files;
    struct cut_name now[CUT_NAMES], synced[CUT_NAMES];
};

/* How it is left. */
struct cut {
    const char *name;
    enum { CUT_AS_WRITTEN, CUT_AS_SYNCED, CUT_ZEROED, CUT_EITHER } content;
    bool old_names;
    bool is_torn;  /* of the last write only half was done */
    uint64_t seed; /* of EITHER */
};

static void content_resize(struct cut_content *c, size_t n)
{
    uint8_t *grown = realloc(c->bytes, n + 1);
    assert_non_null(grown);
    if (n > c->n)
        memset(grown + c->n, 0, n - c->n);
    c->bytes = grown;
    c->n = n;
}

static void content_put(struct cut_content *c, size_t at, const uint8_t *bytes,
                        size_t n)
{
    if (at + n > c->n)
        content_resize(c, at + n);
    if (n)
        memcpy(c->bytes + at, bytes, n);
}

static void content_copy(struct cut_content *to, const struct cut_content *from)
{
    content_resize(to, from->n);
    content_put(to, 0, from->bytes, from->n);
}

/* The newest of that number, for numbers are used again; NULL: none is known. */
static struct cut_file *disk_file(struct cut_disk *d, uint64_t inode)
{
    for (int i = d->n_files - 1; i >= 0; i--)
        if (d->files[i].inode == inode)
            return &d->files[i];
    return NULL;
}

static struct cut_name *disk_name(struct cut_name *names, const char *name)
{
    struct cut_name *is_free = NULL;
    for (int i = 0; i < CUT_NAMES; i++) {
        if (names[i].file >= 0 && !strcmp(names[i].name, name))
            return &names[i];
        if (names[i].file < 0 && !is_free)
            is_free = &names[i];
    }
    assert_non_null(is_free);
    return is_free;
}

static void disk_name_is(struct cut_name *names, const char *name, int file)
{
    struct cut_name *n = disk_name(names, name);
    snprintf(n->name, sizeof n->name, "%.119s", name);
    n->file = file;
}

static int disk_create(struct cut_disk *d, const char *name, uint64_t inode)
{
    assert_true(d->n_files < CUT_FILES);
    d->files[d->n_files] = (struct cut_file){.inode = inode};
    content_resize(&d->files[d->n_files].now, 0);
    content_resize(&d->files[d->n_files].synced, 0);
    disk_name_is(d->now, name, d->n_files);
    return d->n_files++;
}

static void disk_rename(struct cut_disk *d, const char *from, const char *to)
{
    int file = disk_name(d->now, from)->file;
    disk_name(d->now, from)->file = -1;
    disk_name_is(d->now, to, file);
}

static void disk_do(struct cut_disk *d, const struct op *o)
{
    struct cut_file *f = disk_file(d, o->inode);
    if (o->kind == OP_CREATE)
        disk_create(d, o->name, o->inode);
    else if (o->kind == OP_RENAME)
        disk_rename(d, o->name, o->to);
    else if (o->kind == OP_UNLINK)
        disk_name(d->now, o->name)->file = -1;
    else if (o->kind == OP_SYNC_FOLDER)
        memcpy(d->synced, d->now, sizeof d->synced);
    else if (o->kind == OP_WRITE && f)
        content_put(&f->now, o->at, o->bytes, o->n);
    else if (o->kind == OP_TRUNCATE && f)
        content_resize(&f->now, o->at);
    else if (o->kind == OP_SYNC && f)
        content_copy(&f->synced, &f->now);
}

/* All in the folder of the tests as it is, on the disk. */
static void disk_init(struct cut_disk *d)
{
    struct dirent *e;
    struct stat st;
    DIR *all = opendir(folder);
    assert_non_null(all);
    memset(d, 0, sizeof *d);
    for (int i = 0; i < CUT_NAMES; i++)
        d->now[i].file = d->synced[i].file = -1;
    while ((e = readdir(all))) {
        size_t n;
        if (fstatat(dirfd(all), e->d_name, &st, 0) || !S_ISREG(st.st_mode))
            continue;
        auto_free uint8_t *bytes = get_bytes(e->d_name, &n);
        int i = disk_create(d, e->d_name, st.st_ino);
        content_put(&d->files[i].now, 0, bytes, n);
        content_copy(&d->files[i].synced, &d->files[i].now);
    }
    memcpy(d->synced, d->now, sizeof d->synced);
    closedir(all);
}

static void disk_fini(struct cut_disk *d)
{
    for (int i = 0; i < d->n_files; i++) {
        free(d->files[i].now.bytes);
        free(d->files[i].synced.bytes);
    }
}

static void leave_file(const struct cut_file *f, const char *name,
                       const struct cut *cut)
{
    bool is_old = cut->content == CUT_AS_SYNCED ||
                  (cut->content == CUT_EITHER &&
                   (cut->seed >> (f->inode * 2654435761U >> 3) % 64 & 1));
    if (cut->content != CUT_ZEROED) {
        const struct cut_content *c = is_old ? &f->synced : &f->now;
        put_bytes(name, c->bytes, c->n);
        return;
    }
    struct cut_content zeroed = {0}; /* the room is there, and not yet the bytes */
    content_copy(&zeroed, &f->synced);
    if (f->now.n > zeroed.n)
        content_resize(&zeroed, f->now.n);
    put_bytes(name, zeroed.bytes, zeroed.n);
    free(zeroed.bytes);
}

/* The folder of the tests becomes what is left. */
static void disk_leave(const struct cut_disk *d, const struct cut *cut)
{
    const struct cut_name *names = cut->old_names ? d->synced : d->now;
    empty_folder();
    for (int i = 0; i < CUT_NAMES; i++)
        if (names[i].file >= 0)
            leave_file(&d->files[names[i].file], names[i].name, cut);
}

/* -- what was shown -- */

enum { MOST_SHOWN = 64, WAIT_MS = 5000 };

/* What marks tell: the index of a shown state, and what holds of it. */
enum { IS_WRITTEN = 0, IS_SYNCED = 1 << 16 };

/* What the user saw, in order, and what was saved. */
static struct fingerprint shown[MOST_SHOWN], saved[MOST_SHOWN];
static int n_shown, n_saved;

static struct fingerprint look_at(const struct project *p)
{
    struct fingerprint is;
    assert_true(fingerprint_score(p->score, &is));
    return is;
}

static struct fingerprint see(const struct session *s, uint64_t what_holds)
{
    assert_true(n_shown < MOST_SHOWN);
    shown[n_shown++] = look_at(&s->project);
    op_mark(what_holds | (uint64_t)(n_shown - 1));
    return shown[n_shown - 1];
}

/* All that was done has been handed to the system. */
static void show(struct session *s)
{
    settle(s);
    see(s, IS_WRITTEN);
}

static void save(struct session *s, const char *line)
{
    obeyed(s, line);
    saved[n_saved++] = see(s, IS_SYNCED);
}

static void wait_for_sync(struct session *s)
{
    struct writer *j = s->project.autosave.writer;
    uint64_t n = writer_status(j).n_syncs;
    draw(s, 1);
    settle(s);
    for (int ms = 0; ms < WAIT_MS && writer_status(j).n_syncs == n; ms += 10)
        sleep_ms(10);
    assert_true(writer_status(j).n_syncs > n);
    see(s, IS_SYNCED);
}

static void draw_and_show(struct session *s, int n)
{
    for (int i = 0; i < n; i++) {
        draw(s, 1);
        show(s);
    }
}

/* -- after the cut -- */

static bool is_whole(const char *name)
{
    size_t n;
    auto_free uint8_t *bytes = get_bytes(name, &n);
    if (!bytes)
        return true; /* there is no file yet */
    return find_fingerprint(saved, n_saved, fingerprint_of(bytes, n)) >= 0;
}

/* What opens of that piece: the latest state it may be; -1: nothing that was shown. */
static int open_piece(const char *name)
{
    struct project p;
    assert_ok(project_init(&p));
    assert_true(project_keep(&p, -1));
    enum midi_status st = project_open(&p, in_folder(name), in_folder(name));
    assert_true(st == MIDI_OK || st == MIDI_NO_FILE);
    int state = find_fingerprint(shown, n_shown, look_at(&p));
    if (p.found.kind == RECOVERY_DAMAGED)
        fail_msg("a cut is not damage");
    project_fini(&p);
    return state;
}

static void check_left(const struct cut_disk *d, const struct cut *cut, size_t n_ops,
                       const char *const names[2], int least)
{
    int state = -1;
    disk_leave(d, cut);
    for (int i = 0; i < 2 && names[i]; i++) {
        if (!is_whole(names[i]))
            fail_msg("after %zu things, %s: %s is torn", n_ops, cut->name, names[i]);
        int is = open_piece(names[i]);
        state = is > state ? is : state;
    }
    if (state < least)
        fail_msg("after %zu things, %s: state %d is back, and not %d", n_ops, cut->name,
                 state, least);
}

static const struct cut CUTS[] = {
    {.name = "as written", .content = CUT_AS_WRITTEN},
    {.name = "the last half written", .content = CUT_AS_WRITTEN, .is_torn = true},
    {.name = "as synced", .content = CUT_AS_SYNCED},
    {.name = "zeros where it was not synced", .content = CUT_ZEROED},
    {.name = "as synced, names too", .content = CUT_AS_SYNCED, .old_names = true},
    {.name = "names as synced", .content = CUT_AS_WRITTEN, .old_names = true},
    {.name = "zeros, names as synced", .content = CUT_ZEROED, .old_names = true},
};

static void cut_here(struct cut_disk *d, size_t n_ops, const char *const names[2],
                     int written, int synced)
{
    for (size_t i = 0; i < sizeof CUTS / sizeof CUTS[0]; i++)
        if (!CUTS[i].is_torn)
            check_left(d, &CUTS[i], n_ops, names,
                       CUTS[i].content == CUT_AS_WRITTEN && !CUTS[i].old_names
                           ? written
                           : synced);
    for (uint64_t seed = 1; getenv("CONTINUO_FAULTS") && seed <= 20; seed++) {
        struct cut either = {.name = "either", .content = CUT_EITHER};
        either.seed = seed * 0x9e3779b97f4a7c15U;
        either.old_names = seed & 1;
        check_left(d, &either, n_ops, names, synced);
    }
}

static void cut_in_the_middle(struct cut_disk *d, const struct op *o, size_t n_ops,
                              const char *const names[2], int written)
{
    struct op half = *o;
    if (o->kind != OP_WRITE || o->n < 2)
        return;
    half.n = o->n / 2;
    disk_do(d, &half);
    check_left(d, &CUTS[1], n_ops, names, written);
}

/* Power is cut after each of what was recorded, which began with the disk as it is. */
static void cut_everywhere(struct cut_disk *d, const char *const names[2])
{
    const struct op *list;
    size_t n = op_stop(&list);
    int written = 0, synced = 0;
    assert_true(n > 0);
    for (size_t i = 0; i < n; i++) {
        if (list[i].kind == OP_MARK) {
            written = (int)(list[i].at & 0xffff);
            synced = list[i].at & IS_SYNCED ? written : synced;
            continue;
        }
        cut_in_the_middle(d, &list[i], i, names, written);
        disk_do(d, &list[i]);
        cut_here(d, i + 1, names, written, synced);
    }
    print_message("power was cut after each of %zu things\n", n);
}

/* -- sessions -- */

static struct cut_disk disk; /* as it is when a session begins */

static struct session *begin(const char *name)
{
    n_shown = n_saved = 0;
    disk_init(&disk);
    op_record(folder);
    struct session *s = kept_open(name);
    shown[n_shown++] = look_at(&s->project);
    return s;
}

/* The program is gone, its lock with it; what it did is cut off anywhere. */
static void end(struct session *s, const char *name, const char *name_before)
{
    const struct op *list;
    op_stop(&list);
    kept_close(s);
    cut_everywhere(&disk, (const char *const[]){name, name_before});
    disk_fini(&disk);
}

TEST(an_old_piece_is_edited_and_saved)
{
    struct session *s = kept_open("song.mid");
    draw(s, 3);
    act_command_line(s, "w");
    kept_close(s);
    unlink(in_folder("song.mid.continuo"));
    s = begin("song.mid");
    saved[n_saved++] = shown[0];
    draw_and_show(s, 3);
    run_times(s, CMD_UNDO, 1);
    show(s);
    save(s, "w");
    draw_and_show(s, 2);
    wait_for_sync(s);
    draw_and_show(s, 1);
    save(s, "w");
    draw_and_show(s, 1);
    end(s, "song.mid", NULL);
}

TEST(a_new_piece_gets_its_file)
{
    struct session *s = begin("new.mid");
    draw_and_show(s, 2);
    wait_for_sync(s);
    save(s, "w");
    draw_and_show(s, 2);
    end(s, "new.mid", NULL);
}

TEST(a_piece_gets_another_name)
{
    struct session *s = begin("here.mid");
    draw_and_show(s, 1);
    save(s, "w");
    draw_and_show(s, 2);
    save(s, formatted("w %s", in_folder("there.mid")));
    draw_and_show(s, 1);
    end(s, "there.mid", "here.mid");
}

/* It goes on in the store of before, of a killed run whose log is not written back. */
TEST(what_came_back_is_gone_on_with)
{
    struct session *s = kept_open("killed.mid");
    draw(s, 2);
    settle(s);
    copy_file("back.mid.continuo", "killed.mid.continuo");
    copy_file("back.mid.continuo-wal", "killed.mid.continuo-wal");
    kept_close(s);
    s = begin("back.mid");
    assert_int_equal(n_notes(s), 2);
    draw_and_show(s, 2);
    save(s, "w");
    draw_and_show(s, 1);
    end(s, "back.mid", NULL);
}

static int prepare(void **state)
{
    fault_vfs_install();
    return make_own_folder(state);
}

GROUP(prepare, remove_own_folder)
