-- The data that continuo keeps for a piece, and between pieces.
--
-- FILE.mid.continuo holds one piece, whose number is 1. The state folder's continuo.db has
-- the same tables: for pieces without a name or in folders that cannot be written, and, as
-- piece 0, for registers, typed lines and recent files. Both are SQLite 3 databases in WAL
-- mode, with application_id 1129206351 ("CNTO"). user_version counts the sections
-- "-- version N" below; each upgrades a database of the version before. A store's schema is
-- compared with the text here, so a section drops and creates tables instead of altering them.
--
-- Ticks are those of the MIDI file, times are seconds since 1970, tracks count from 0.
-- "as_saved" is 1 in rows that were saved with the music, 0 in rows of later changes, 2 in
-- rows of takes that did not fit the music when it was opened; "n" counts rows from 0, in
-- table ghost from 16777216 times the take.

-- version 1

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

-- The session; the tables below belong to it. The music that the takes fit: ticks inserted and
-- tracks moved since it was saved. The grid (grid_division of a whole note, 0: the default;
-- grid_kind 0 straight, 1 triplet, 2 dotted), quantising and humanising, and the loop, in
-- ticks.
CREATE TABLE beside (
  piece INTEGER REFERENCES piece ON DELETE CASCADE, as_saved INTEGER, n INTEGER,
  time_put_in INTEGER NOT NULL DEFAULT 0, arrangement INTEGER NOT NULL DEFAULT 0,
  grid_division INTEGER NOT NULL DEFAULT 0, grid_kind INTEGER NOT NULL DEFAULT 0,
  grid_is_free INTEGER NOT NULL DEFAULT 0, snap INTEGER NOT NULL DEFAULT 0,
  fold INTEGER NOT NULL DEFAULT 0, strength INTEGER NOT NULL DEFAULT 100,
  starts INTEGER NOT NULL DEFAULT 1, ends INTEGER NOT NULL DEFAULT 0,
  swing INTEGER NOT NULL DEFAULT 50, within INTEGER NOT NULL DEFAULT 0,
  humanise_ms REAL NOT NULL DEFAULT 10, humanise_velocity INTEGER NOT NULL DEFAULT 6,
  loop_from INTEGER NOT NULL DEFAULT 0, loop_to INTEGER NOT NULL DEFAULT 0,
  loop_on INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (piece, as_saved, n)
) STRICT, WITHOUT ROWID;

-- Steering values that differ from the defaults, as typed.
CREATE TABLE setting (
  piece INTEGER REFERENCES piece ON DELETE CASCADE, as_saved INTEGER, n INTEGER,
  name TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (piece, as_saved, n)
) STRICT, WITHOUT ROWID;

-- Marks of tracks. name: the MIDI file's bytes.
CREATE TABLE mark (
  piece INTEGER REFERENCES piece ON DELETE CASCADE, as_saved INTEGER, n INTEGER,
  track INTEGER NOT NULL, name BLOB NOT NULL, mute INTEGER NOT NULL,
  solo INTEGER NOT NULL, arm INTEGER NOT NULL, hide INTEGER NOT NULL,
  colour INTEGER NOT NULL,
  PRIMARY KEY (piece, as_saved, n)
) STRICT, WITHOUT ROWID;

-- Tapped bar lines (kind 0), and beginnings of free playing (1).
CREATE TABLE tap (
  piece INTEGER REFERENCES piece ON DELETE CASCADE, as_saved INTEGER, n INTEGER,
  tick INTEGER NOT NULL, kind INTEGER NOT NULL,
  PRIMARY KEY (piece, as_saved, n)
) STRICT, WITHOUT ROWID;

-- The tracks of the rows below, by chunk and channel.
CREATE TABLE track (
  piece INTEGER REFERENCES piece ON DELETE CASCADE, as_saved INTEGER, n INTEGER,
  chunk INTEGER NOT NULL, channel INTEGER NOT NULL,
  PRIMARY KEY (piece, as_saved, n)
) STRICT, WITHOUT ROWID;

-- The request, for further takes; the shown take, from 0; and the tick up to which two have
-- played take A, or -1.
CREATE TABLE request (
  piece INTEGER REFERENCES piece ON DELETE CASCADE, as_saved INTEGER, n INTEGER,
  ticks_per_quarter INTEGER NOT NULL, letters INTEGER NOT NULL, shown INTEGER NOT NULL,
  bars_asked INTEGER NOT NULL, takes_at_once INTEGER NOT NULL,
  hole_from INTEGER NOT NULL, hole_to INTEGER NOT NULL, music_end INTEGER NOT NULL,
  played_to INTEGER NOT NULL,
  bars INTEGER NOT NULL, from_tick INTEGER NOT NULL, to_tick INTEGER NOT NULL,
  lowest INTEGER NOT NULL, highest INTEGER NOT NULL, tracks INTEGER NOT NULL,
  style INTEGER NOT NULL, scale INTEGER NOT NULL, polyphony INTEGER NOT NULL,
  keep INTEGER NOT NULL, stays REAL NOT NULL, stays_seed INTEGER NOT NULL,
  guidance REAL NOT NULL, density_level INTEGER NOT NULL, voices_level INTEGER NOT NULL,
  length_level INTEGER NOT NULL, register_level INTEGER NOT NULL, close INTEGER NOT NULL,
  min_notes INTEGER NOT NULL, temperature REAL NOT NULL, top_k INTEGER NOT NULL,
  top_p REAL NOT NULL, min_p REAL NOT NULL, seed INTEGER NOT NULL,
  PRIMARY KEY (piece, as_saved, n)
) STRICT, WITHOUT ROWID;

-- The waiting takes, in the order of their letters (65: A).
CREATE TABLE take (
  piece INTEGER REFERENCES piece ON DELETE CASCADE, as_saved INTEGER, n INTEGER,
  letter INTEGER NOT NULL, model TEXT NOT NULL, liking INTEGER NOT NULL,
  came INTEGER NOT NULL, model_hash INTEGER NOT NULL, style_used INTEGER NOT NULL,
  begins INTEGER NOT NULL, ends INTEGER NOT NULL, written_to INTEGER NOT NULL,
  is_done INTEGER NOT NULL, tokens INTEGER NOT NULL, log_prob REAL NOT NULL,
  own_log_prob REAL NOT NULL, masked REAL NOT NULL,
  closes REAL NOT NULL, judged INTEGER NOT NULL, merit REAL NOT NULL, faults INTEGER NOT NULL,
  why_1 INTEGER NOT NULL, why_2 INTEGER NOT NULL, why_3 INTEGER NOT NULL,
  bars INTEGER NOT NULL, from_tick INTEGER NOT NULL, to_tick INTEGER NOT NULL,
  lowest INTEGER NOT NULL, highest INTEGER NOT NULL, tracks INTEGER NOT NULL,
  style INTEGER NOT NULL, scale INTEGER NOT NULL, polyphony INTEGER NOT NULL,
  keep INTEGER NOT NULL, stays REAL NOT NULL, stays_seed INTEGER NOT NULL,
  guidance REAL NOT NULL, density_level INTEGER NOT NULL, voices_level INTEGER NOT NULL,
  length_level INTEGER NOT NULL, register_level INTEGER NOT NULL, close INTEGER NOT NULL,
  min_notes INTEGER NOT NULL, temperature REAL NOT NULL, top_k INTEGER NOT NULL,
  top_p REAL NOT NULL, min_p REAL NOT NULL, seed INTEGER NOT NULL,
  PRIMARY KEY (piece, as_saved, n)
) STRICT, WITHOUT ROWID;

-- The notes of each take, by id; equal ids are the same note in several takes.
CREATE TABLE ghost (
  piece INTEGER REFERENCES piece ON DELETE CASCADE, as_saved INTEGER, n INTEGER,
  take INTEGER NOT NULL, id INTEGER NOT NULL,
  track INTEGER NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL,
  pitch INTEGER NOT NULL, velocity INTEGER NOT NULL, probability REAL NOT NULL,
  is_kept INTEGER NOT NULL,
  PRIMARY KEY (piece, as_saved, n)
) STRICT, WITHOUT ROWID;
-- The given first tokens of a take; heads that were muted for it.
CREATE TABLE take_token (
  piece INTEGER REFERENCES piece ON DELETE CASCADE, as_saved INTEGER, n INTEGER,
  take INTEGER NOT NULL, token INTEGER NOT NULL,
  PRIMARY KEY (piece, as_saved, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE take_mute (
  piece INTEGER REFERENCES piece ON DELETE CASCADE, as_saved INTEGER, n INTEGER,
  take INTEGER NOT NULL, layer INTEGER NOT NULL, head INTEGER NOT NULL,
  PRIMARY KEY (piece, as_saved, n)
) STRICT, WITHOUT ROWID;

-- Notes of the piece: notes that a take would replace (ghost 0), and accepted ghosts by id.
CREATE TABLE place (
  piece INTEGER REFERENCES piece ON DELETE CASCADE, as_saved INTEGER, n INTEGER,
  track INTEGER NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL,
  pitch INTEGER NOT NULL, ghost INTEGER NOT NULL,
  PRIMARY KEY (piece, as_saved, n)
) STRICT, WITHOUT ROWID;

-- The MIDI messages of take A, besides its notes, if two have played.
CREATE TABLE gesture (
  piece INTEGER REFERENCES piece ON DELETE CASCADE, as_saved INTEGER, n INTEGER,
  track INTEGER NOT NULL, pass INTEGER NOT NULL, tick INTEGER NOT NULL,
  status INTEGER NOT NULL, data1 INTEGER NOT NULL, data2 INTEGER NOT NULL,
  PRIMARY KEY (piece, as_saved, n)
) STRICT, WITHOUT ROWID;

-- A running recording. mode: 0 merge, 1 replace, 2 punch, 3 free; pass: of the loop, from 0;
-- at: the playhead.
CREATE TABLE recording (
  piece INTEGER REFERENCES piece ON DELETE CASCADE, as_saved INTEGER, n INTEGER,
  mode INTEGER NOT NULL, from_tick INTEGER NOT NULL, loop_from INTEGER NOT NULL,
  loop_to INTEGER NOT NULL, span_from INTEGER NOT NULL, span_to INTEGER NOT NULL,
  tracks INTEGER NOT NULL, pass INTEGER NOT NULL, at REAL NOT NULL,
  PRIMARY KEY (piece, as_saved, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE recorded_note (
  piece INTEGER REFERENCES piece ON DELETE CASCADE, as_saved INTEGER, n INTEGER,
  track INTEGER NOT NULL, pass INTEGER NOT NULL, is_held INTEGER NOT NULL,
  start INTEGER NOT NULL, length INTEGER NOT NULL, pitch INTEGER NOT NULL,
  velocity INTEGER NOT NULL, off_velocity INTEGER NOT NULL,
  PRIMARY KEY (piece, as_saved, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE recorded_event (
  piece INTEGER REFERENCES piece ON DELETE CASCADE, as_saved INTEGER, n INTEGER,
  track INTEGER NOT NULL, pass INTEGER NOT NULL, tick INTEGER NOT NULL,
  status INTEGER NOT NULL, data1 INTEGER NOT NULL, data2 INTEGER NOT NULL,
  PRIMARY KEY (piece, as_saved, n)
) STRICT, WITHOUT ROWID;

-- Registers: register is the index in a to z, 0 to 9.
CREATE TABLE register (
  piece INTEGER, as_saved INTEGER, n INTEGER,
  register INTEGER NOT NULL,
  ticks_per_quarter INTEGER NOT NULL, span INTEGER NOT NULL, at_track INTEGER NOT NULL,
  is_last INTEGER NOT NULL,
  PRIMARY KEY (piece, as_saved, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE register_note (
  piece INTEGER, as_saved INTEGER, n INTEGER,
  register INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL,
  track INTEGER NOT NULL, pitch INTEGER NOT NULL, velocity INTEGER NOT NULL,
  off_velocity INTEGER NOT NULL,
  PRIMARY KEY (piece, as_saved, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE register_point (
  piece INTEGER, as_saved INTEGER, n INTEGER,
  register INTEGER NOT NULL, offset INTEGER NOT NULL, track INTEGER NOT NULL,
  kind INTEGER NOT NULL, number INTEGER NOT NULL, value INTEGER NOT NULL,
  PRIMARY KEY (piece, as_saved, n)
) STRICT, WITHOUT ROWID;

-- Lines typed at prompts, and recent files, the newest with the highest n.
CREATE TABLE line (
  n INTEGER PRIMARY KEY, prompt INTEGER NOT NULL, text TEXT NOT NULL
) STRICT;
CREATE TABLE recent (
  n INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE
) STRICT;

-- version 2

-- The motif of the request (take -1) and of takes: kind 1 exact, 2 transposed, 3 varied; the
-- place of its notes; and where it returns, as which kind (there; 0: unknown), moved by how
-- many steps of the key.
CREATE TABLE motif (
  piece INTEGER REFERENCES piece ON DELETE CASCADE, as_saved INTEGER, n INTEGER,
  take INTEGER NOT NULL, kind INTEGER NOT NULL,
  from_tick INTEGER NOT NULL, to_tick INTEGER NOT NULL,
  lowest INTEGER NOT NULL, highest INTEGER NOT NULL, tracks INTEGER NOT NULL,
  there INTEGER NOT NULL, at INTEGER NOT NULL, steps INTEGER NOT NULL,
  PRIMARY KEY (piece, as_saved, n)
) STRICT, WITHOUT ROWID;

-- version 3

-- The chords that a take was planned on: root 0 is C, 12 no chord; quality as enum chord_quality.
CREATE TABLE take_chord (
  piece INTEGER REFERENCES piece ON DELETE CASCADE, as_saved INTEGER, n INTEGER,
  take INTEGER NOT NULL, tick INTEGER NOT NULL, root INTEGER NOT NULL,
  quality INTEGER NOT NULL, bass INTEGER NOT NULL, flats INTEGER NOT NULL,
  PRIMARY KEY (piece, as_saved, n)
) STRICT, WITHOUT ROWID;

-- version 4

-- What is sung on notes of registers: note counts the register's notes from 0; event: the
-- bytes of the meta event in a MIDI file.
CREATE TABLE register_lyric (
  piece INTEGER, as_saved INTEGER, n INTEGER,
  register INTEGER NOT NULL, note INTEGER NOT NULL, event BLOB NOT NULL,
  PRIMARY KEY (piece, as_saved, n)
) STRICT, WITHOUT ROWID;
