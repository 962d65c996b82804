-- The data that continuo keeps for a piece, and between pieces.
--
-- FILE.mid.continuo holds one piece, whose number is 1. The state folder's continuo.db has
-- the same tables: for pieces without a name or in folders that cannot be written, and for
-- registers, typed lines and recent files. Both are SQLite 3 databases in WAL mode, with
-- application_id 1129206351 ("CNTO"). user_version is the number of sections in
-- store_versions.sql, which bring older stores to these tables. A store's schema is compared
-- with the text here.
--
-- Ticks are those of the MIDI file, times are seconds since 1970, tracks count from 0.

-- path: where the music is, or will be saved; NULL: it has no name, or is beside the store.
-- state: the present edit; 0: the beginning; -1: the last one, so that an edit at the end of
-- the tree changes no row here. has_file: the piece began as a MIDI file.
CREATE TABLE piece (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT,
  begun INTEGER NOT NULL,
  has_file INTEGER NOT NULL,
  state INTEGER NOT NULL
) STRICT;

-- The music at the beginning of the history, as a MIDI file.
CREATE TABLE base (
  piece INTEGER PRIMARY KEY REFERENCES piece ON DELETE CASCADE,
  music BLOB NOT NULL
) STRICT;

-- The tree of all edits: id from 1, parent an earlier id or 0; change in the bytes of
-- midi/edit/edit.h; what: its label.
CREATE TABLE edit (
  piece INTEGER NOT NULL REFERENCES piece ON DELETE CASCADE,
  id INTEGER NOT NULL,
  parent INTEGER NOT NULL,
  time INTEGER NOT NULL,
  what TEXT NOT NULL,
  change BLOB NOT NULL,
  PRIMARY KEY (piece, id)
) STRICT, WITHOUT ROWID;

-- Saves of the MIDI file: the state, and the file's length and FNV-1a hash. The row is written
-- before the file; is_done: the save succeeded.
CREATE TABLE save (
  n INTEGER PRIMARY KEY,
  piece INTEGER NOT NULL REFERENCES piece ON DELETE CASCADE,
  state INTEGER NOT NULL,
  n_bytes INTEGER NOT NULL,
  hash INTEGER NOT NULL,
  is_done INTEGER NOT NULL
) STRICT;

-- The session, as JSON objects. as_saved: 1 as it was saved with the music, 0 later changes, 2
-- takes that did not fit the music when it was opened, 3 a running recording. part: "session",
-- what is set; "steering", the machine's values that differ from the defaults, as typed;
-- "request", that of the waiting takes, and where in the music they belong; A to Z, a take. Of a
-- recording each part has what came since the part before; their names ascend. The fields,
-- their ranges and the order of lists are in app/document/store_session.c.
CREATE TABLE session (
  piece INTEGER NOT NULL REFERENCES piece ON DELETE CASCADE,
  as_saved INTEGER NOT NULL,
  part TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (piece, as_saved, part)
) STRICT;

-- Registers: n is the index in a to z, 0 to 9; the fields are in app/document/state.c.
CREATE TABLE clipboard (
  n INTEGER PRIMARY KEY, data TEXT NOT NULL
) STRICT;

-- Lines typed at prompts, and recent files, the newest with the highest n.
CREATE TABLE line (
  n INTEGER PRIMARY KEY, prompt INTEGER NOT NULL, text TEXT NOT NULL
) STRICT;
CREATE TABLE recent (
  n INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE
) STRICT;
