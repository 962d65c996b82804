-- What is in a store, as continuo info tells it (app/document/overwrite.c). ?1: its path.
WITH now AS ( -- the session as it is, or else as it was saved
  SELECT as_saved, data FROM session WHERE part = 'session' ORDER BY as_saved LIMIT 1
), settings(name, value) AS (
  SELECT value ->> 0, value ->> 1 FROM now JOIN session AS s USING(as_saved),
    json_each(s.data, '$.list') WHERE s.part = 'steering'
  UNION ALL
  SELECT 'grid', '1/' || (data ->> 'grid_division') FROM now WHERE data ->> 'grid_division'
  UNION ALL
  SELECT 'swing', data ->> 'swing' FROM now WHERE data ->> 'swing' > 50
  UNION ALL
  SELECT 'loop', (data ->> 'loop_from') || ' ' || (data ->> 'loop_to') FROM now
    WHERE data ->> 'loop_from' < data ->> 'loop_to'
)
SELECT json_object(
  'file', ?1,
  'version', (SELECT user_version FROM pragma_user_version),
  'edits', (SELECT count(*) FROM edit),
  'state', (SELECT ifnull(iif(state < 0, (SELECT max(id) FROM edit), state), 0) FROM piece),
  'saves', (SELECT count(*) FROM save WHERE is_done),
  'base bytes', (SELECT ifnull(sum(length(music)), 0) FROM base),
  'takes', (SELECT count(*) FROM session WHERE part GLOB '[A-Z]'),
  'notes of takes', (SELECT ifnull(sum(json_array_length(data, '$.ghosts')), 0) FROM session),
  'notes being recorded', (SELECT ifnull(max(
    ifnull(data ->> 'notes_before', 0) + json_array_length(data, '$.notes')), 0)
    FROM session WHERE as_saved = 3),
  'registers', (SELECT count(*) FROM clipboard),
  'lines', (SELECT count(*) FROM line),
  'recent files', (SELECT count(*) FROM recent),
  'settings', (SELECT json_group_object(name, value || '') FROM settings
    WHERE name IS NOT NULL AND value IS NOT NULL))
