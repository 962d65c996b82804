-- The tables of older stores, and how each version becomes the next, in a section "-- version N"
-- that ends with the new user_version. A section drops and creates tables instead of altering them:
-- after the last, a store's schema is to the letter that of store.sql, which has the tables of today.
--
-- In tables of versions 1 to 4, "as_saved" is 1 in rows that were saved with the music, 0 in
-- rows of later changes, 2 in rows of takes that did not fit the music when it was opened; "n"
-- counts rows from 0, in table ghost from 16777216 times the take.

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
PRAGMA user_version = 1;

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
PRAGMA user_version = 2;

-- version 3

-- The chords that a take was planned on: root 0 is C, 12 no chord; quality as enum chord_quality.
CREATE TABLE take_chord (
  piece INTEGER REFERENCES piece ON DELETE CASCADE, as_saved INTEGER, n INTEGER,
  take INTEGER NOT NULL, tick INTEGER NOT NULL, root INTEGER NOT NULL,
  quality INTEGER NOT NULL, bass INTEGER NOT NULL, flats INTEGER NOT NULL,
  PRIMARY KEY (piece, as_saved, n)
) STRICT, WITHOUT ROWID;
PRAGMA user_version = 3;

-- version 4

-- What is sung on notes of registers: note counts the register's notes from 0; event: the
-- bytes of the meta event in a MIDI file.
CREATE TABLE register_lyric (
  piece INTEGER, as_saved INTEGER, n INTEGER,
  register INTEGER NOT NULL, note INTEGER NOT NULL, event BLOB NOT NULL,
  PRIMARY KEY (piece, as_saved, n)
) STRICT, WITHOUT ROWID;
PRAGMA user_version = 4;

-- version 5

-- Sessions and registers become JSON.
CREATE TABLE session (
  piece INTEGER NOT NULL REFERENCES piece ON DELETE CASCADE,
  as_saved INTEGER NOT NULL,
  part TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (piece, as_saved, part)
) STRICT;
CREATE TABLE clipboard (
  n INTEGER PRIMARY KEY, data TEXT NOT NULL
) STRICT;

INSERT OR REPLACE INTO session
SELECT piece, as_saved, 'session', json_object(
  'grid_division', grid_division, 'grid_kind', grid_kind, 'grid_is_free', grid_is_free,
  'snap', snap, 'fold', fold, 'strength', strength, 'starts', starts, 'ends', ends,
  'swing', swing, 'within', within, 'humanise_ms', json(printf('%!.17g', humanise_ms)),
  'humanise_velocity', humanise_velocity, 'loop_from', loop_from, 'loop_to', loop_to,
  'loop_on', loop_on,
  'marks', (SELECT json_group_array(json_array(track, hex(name), mute, solo, arm, hide, colour))
    FROM (SELECT * FROM mark AS m WHERE m.piece = b.piece AND m.as_saved = b.as_saved
      ORDER BY n)),
  'taps', (SELECT json_group_array(json_array(tick, kind))
    FROM (SELECT * FROM tap AS m WHERE m.piece = b.piece AND m.as_saved = b.as_saved
      ORDER BY n)))
FROM beside AS b WHERE as_saved < 2 AND n = 0;

INSERT OR REPLACE INTO session
SELECT piece, as_saved, 'steering', json_object('list', json_group_array(json_array(name, value)))
FROM (SELECT * FROM setting ORDER BY n) WHERE as_saved < 2 GROUP BY piece, as_saved;

INSERT OR REPLACE INTO session
SELECT r.piece, r.as_saved, 'request', json_object(
  'ticks_per_quarter', ticks_per_quarter, 'letters', letters, 'shown', shown,
  'bars_asked', bars_asked, 'takes_at_once', takes_at_once, 'hole_from', hole_from,
  'hole_to', hole_to, 'music_end', music_end, 'played_to', played_to,
  'time_put_in', b.time_put_in, 'arrangement', b.arrangement,
  'motif_there', ifnull(m.there, 0), 'motif_at', ifnull(m.at, 0),
  'motif_steps', ifnull(m.steps, 0),
  'bars', bars, 'from_tick', r.from_tick, 'to_tick', r.to_tick, 'lowest', r.lowest,
  'highest', r.highest, 'tracks', r.tracks, 'style', style, 'scale', scale,
  'polyphony', polyphony, 'keep', keep, 'stays', stays, 'stays_seed', stays_seed,
  'guidance', guidance, 'density_level', density_level, 'voices_level', voices_level,
  'length_level', length_level, 'register_level', register_level, 'close', close,
  'min_notes', min_notes, 'temperature', temperature, 'top_k', top_k, 'top_p', top_p,
  'min_p', min_p, 'seed', seed,
  'motif', ifnull(m.kind, 0), 'motif_from', ifnull(m.from_tick, 0),
  'motif_to', ifnull(m.to_tick, 0), 'motif_lowest', ifnull(m.lowest, 0),
  'motif_highest', ifnull(m.highest, 0), 'motif_tracks', ifnull(m.tracks, 0),
  'track_places', (SELECT json_group_array(json_array(chunk, channel))
    FROM (SELECT * FROM track AS k WHERE k.piece = r.piece AND k.as_saved = r.as_saved
      ORDER BY n)),
  'places', (SELECT json_group_array(json_array(track, start, length, pitch, ghost))
    FROM (SELECT * FROM place AS k WHERE k.piece = r.piece AND k.as_saved = r.as_saved
      ORDER BY n)),
  'gestures', (SELECT json_group_array(json_array(track, pass, tick, status, data1, data2))
    FROM (SELECT * FROM gesture AS k WHERE k.piece = r.piece AND k.as_saved = r.as_saved
      ORDER BY n)))
FROM request AS r
JOIN beside AS b ON b.piece = r.piece AND b.as_saved = r.as_saved AND b.n = 0
LEFT JOIN motif AS m ON m.piece = r.piece AND m.as_saved = r.as_saved AND m.take = -1
WHERE r.n = 0;

INSERT OR REPLACE INTO session
SELECT t.piece, t.as_saved, char(letter), json_object(
  'model', model, 'liking', liking, 'came', came, 'model_hash', model_hash,
  'style_used', style_used, 'begins', begins, 'ends', ends, 'written_to', written_to,
  'is_done', is_done, 'tokens', tokens, 'log_prob', json(printf('%!.17g', log_prob)),
  'own_log_prob', json(printf('%!.17g', own_log_prob)),
  'masked', json(printf('%!.17g', masked)), 'closes', json(printf('%!.17g', closes)),
  'judged', judged, 'merit', merit, 'faults', faults, 'why_1', why_1, 'why_2', why_2,
  'why_3', why_3,
  'motif_there', ifnull(m.there, 0), 'motif_at', ifnull(m.at, 0),
  'motif_steps', ifnull(m.steps, 0),
  'bars', bars, 'from_tick', t.from_tick, 'to_tick', t.to_tick, 'lowest', t.lowest,
  'highest', t.highest, 'tracks', t.tracks, 'style', style, 'scale', scale,
  'polyphony', polyphony, 'keep', keep, 'stays', stays, 'stays_seed', stays_seed,
  'guidance', guidance, 'density_level', density_level, 'voices_level', voices_level,
  'length_level', length_level, 'register_level', register_level, 'close', close,
  'min_notes', min_notes, 'temperature', temperature, 'top_k', top_k, 'top_p', top_p,
  'min_p', min_p, 'seed', seed,
  'motif', ifnull(m.kind, 0), 'motif_from', ifnull(m.from_tick, 0),
  'motif_to', ifnull(m.to_tick, 0), 'motif_lowest', ifnull(m.lowest, 0),
  'motif_highest', ifnull(m.highest, 0), 'motif_tracks', ifnull(m.tracks, 0),
  'ghosts', (SELECT json_group_array(
      json_array(id, track, start, length, pitch, velocity, probability, is_kept))
    FROM (SELECT * FROM ghost AS k WHERE k.piece = t.piece AND k.as_saved = t.as_saved
      AND k.take = t.n ORDER BY n)),
  'given', (SELECT json_group_array(json_array(token))
    FROM (SELECT * FROM take_token AS k WHERE k.piece = t.piece AND k.as_saved = t.as_saved
      AND k.take = t.n ORDER BY n)),
  'muted', (SELECT json_group_array(json_array(layer, head))
    FROM (SELECT * FROM take_mute AS k WHERE k.piece = t.piece AND k.as_saved = t.as_saved
      AND k.take = t.n ORDER BY n)),
  'chords', (SELECT json_group_array(json_array(tick, root, quality, bass, flats))
    FROM (SELECT * FROM take_chord AS k WHERE k.piece = t.piece AND k.as_saved = t.as_saved
      AND k.take = t.n ORDER BY n)))
FROM take AS t
LEFT JOIN motif AS m ON m.piece = t.piece AND m.as_saved = t.as_saved AND m.take = t.n;

INSERT OR REPLACE INTO session
SELECT piece, 3, '000000000000', json_object(
  'mode', mode, 'from_tick', from_tick, 'loop_from', loop_from, 'loop_to', loop_to,
  'span_from', span_from, 'span_to', span_to, 'tracks', tracks, 'pass', pass,
  'at', json(printf('%!.17g', at)),
  'notes', (SELECT json_group_array(
      json_array(track, pass, is_held, start, length, pitch, velocity, off_velocity))
    FROM (SELECT * FROM recorded_note AS k WHERE k.piece = r.piece AND k.as_saved = r.as_saved
      ORDER BY n)),
  'events', (SELECT json_group_array(json_array(track, pass, tick, status, data1, data2))
    FROM (SELECT * FROM recorded_event AS k WHERE k.piece = r.piece AND k.as_saved = r.as_saved
      ORDER BY n)))
FROM recording AS r WHERE as_saved = 0 AND n = 0;

INSERT OR REPLACE INTO clipboard
SELECT register, json_object(
  'ticks_per_quarter', ticks_per_quarter, 'span', span, 'at_track', at_track,
  'is_last', is_last,
  'notes', (SELECT json_group_array(json_array(offset, length, track, pitch, velocity,
      off_velocity, ifnull(hex(l.event), '')))
    FROM (SELECT *, row_number() OVER (ORDER BY n) - 1 AS place
      FROM register_note AS k WHERE k.register = r.register ORDER BY n)
    LEFT JOIN register_lyric AS l ON l.register = r.register AND l.note = place),
  'points', (SELECT json_group_array(json_array(offset, track, kind, number, value))
    FROM (SELECT * FROM register_point AS k WHERE k.register = r.register ORDER BY n)))
FROM register AS r;

DROP TABLE beside;
DROP TABLE setting;
DROP TABLE mark;
DROP TABLE tap;
DROP TABLE track;
DROP TABLE request;
DROP TABLE take;
DROP TABLE ghost;
DROP TABLE take_token;
DROP TABLE take_mute;
DROP TABLE place;
DROP TABLE gesture;
DROP TABLE recording;
DROP TABLE recorded_note;
DROP TABLE recorded_event;
DROP TABLE register;
DROP TABLE register_note;
DROP TABLE register_point;
DROP TABLE motif;
DROP TABLE take_chord;
DROP TABLE register_lyric;
PRAGMA user_version = 5;

-- version 6

-- Each piece has a store of its own, and the tables lose its number. The state folder's store has
-- none left: each was made the last one of a copy (store.c), where the rest is not of that piece.
CREATE TEMP TABLE old_piece AS SELECT has_file, state FROM piece
  WHERE id = (SELECT max(id) FROM piece);
CREATE TEMP TABLE old_base AS SELECT music FROM base
  WHERE piece = (SELECT max(id) FROM piece);
CREATE TEMP TABLE old_edit AS SELECT id, parent, time, what, change FROM edit
  WHERE piece = (SELECT max(id) FROM piece);
CREATE TEMP TABLE old_save AS SELECT n, state, n_bytes, hash, is_done FROM save
  WHERE piece = (SELECT max(id) FROM piece);
CREATE TEMP TABLE old_session AS SELECT as_saved, part, data FROM session
  WHERE piece = (SELECT max(id) FROM piece);

DROP TABLE session;
DROP TABLE save;
DROP TABLE edit;
DROP TABLE base;
DROP TABLE piece;

CREATE TABLE piece (
  has_file INTEGER NOT NULL,
  state INTEGER NOT NULL
) STRICT;
CREATE TABLE base (
  music BLOB NOT NULL
) STRICT;
CREATE TABLE edit (
  id INTEGER PRIMARY KEY,
  parent INTEGER NOT NULL,
  time INTEGER NOT NULL,
  what TEXT NOT NULL,
  change BLOB NOT NULL
) STRICT;
CREATE TABLE save (
  n INTEGER PRIMARY KEY,
  state INTEGER NOT NULL,
  n_bytes INTEGER NOT NULL,
  hash INTEGER NOT NULL,
  is_done INTEGER NOT NULL
) STRICT;
CREATE TABLE session (
  as_saved INTEGER NOT NULL,
  part TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (as_saved, part)
) STRICT;

INSERT INTO piece SELECT * FROM old_piece UNION ALL SELECT 0, 0 LIMIT 1;
INSERT INTO base(music) SELECT * FROM old_base;
INSERT INTO edit(id, parent, time, what, change) SELECT * FROM old_edit;
INSERT INTO save(n, state, n_bytes, hash, is_done) SELECT * FROM old_save;
INSERT INTO session(as_saved, part, data) SELECT * FROM old_session;
-- What was played of take A was with its request, until takes had what was played of them.
UPDATE session SET data = json_set(session.data, '$.is_played', 1,
  '$.played_to', r.played_to, '$.gestures', json(r.gestures))
FROM (SELECT as_saved, iif(json_valid(data), data ->> '$.played_to', -1) AS played_to,
    iif(json_valid(data), data -> '$.gestures', '') AS gestures
  FROM session WHERE part = 'request') AS r
WHERE r.as_saved = session.as_saved AND session.part = 'A' AND r.played_to >= 0 AND
  iif(json_valid(session.data), NOT ifnull(session.data ->> '$.is_played', 0), 0);
DROP TABLE old_piece;
DROP TABLE old_base;
DROP TABLE old_edit;
DROP TABLE old_save;
DROP TABLE old_session;
PRAGMA user_version = 6;
