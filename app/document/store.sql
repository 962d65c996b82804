-- The data that continuo keeps for a piece, and between pieces.
--
-- FILE.mid.continuo holds one piece. A piece without a name, or in a folder that cannot be
-- written, has such a store in the state folder. The state folder's continuo.db has the same
-- tables and no piece: it is for registers, typed lines and recent files, which all programs
-- share. All are SQLite 3 databases in WAL mode, with application_id 1129206863 ("CNTO").
-- user_version is that of the last section in store_versions.sql, which bring older stores to these
-- tables. A store's schema is compared with the text here.
--
-- Ticks are those of the MIDI file, times are seconds since 1970, tracks count from 0.
PRAGMA application_id = 1129206863;
PRAGMA user_version = 6;

-- One row. state: the present edit; 0: the beginning; -1: the last one, so that an edit at the end
-- of the tree changes no row here. has_file: the piece began as a MIDI file.
CREATE TABLE piece (
  has_file INTEGER NOT NULL,
  state INTEGER NOT NULL
) STRICT;
INSERT INTO piece VALUES(0, 0);

-- The music at the beginning of the history, as a MIDI file: at most one row.
CREATE TABLE base (
  music BLOB NOT NULL
) STRICT;

-- The tree of all edits: id from 1, parent an earlier id or 0; change in the bytes of
-- midi/edit/edit.h; what: its label.
CREATE TABLE edit (
  id INTEGER PRIMARY KEY,
  parent INTEGER NOT NULL,
  time INTEGER NOT NULL,
  what TEXT NOT NULL,
  change BLOB NOT NULL
) STRICT;

-- Saves of the MIDI file: the state, and the file's length and FNV-1a hash. The row is written
-- before the file; is_done: the save succeeded.
CREATE TABLE save (
  n INTEGER PRIMARY KEY,
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
  as_saved INTEGER NOT NULL,
  part TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (as_saved, part)
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
