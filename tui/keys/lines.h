/* All lines that are typed after `:`, and the prompts at the foot of the screen, one row each. A
 * file includes this list as it does commands.h.
 *
 * LINE(word, does, by, flags, usage, help, words): ":word rest". `does` is TYPED(f); DO(f);
 * VALUED(f), which gets `by`; or SAME_AS(command). USAGE is one more line of help, of a word
 * above or of a value of the steering panel. WORD has no help of its own.
 *
 * PROMPT_LINE(kind, label, texts, run): a line typed at the foot. LABELLED(f) makes the label,
 * FILLED(f) the initial text. The store keeps the kinds of lines by number: a new one is the
 * last. */
/* clang-format off */
#ifndef WORD
#define WORD(word, does, by, flags, words)
#endif
#ifndef USAGE
#define USAGE(usage, help)
#endif
#ifndef PROMPT_LINE
#define PROMPT_LINE(kind, label, texts, run)
#endif
#define LINE(word, does, by, flags, usage, help, words) \
    WORD(word, does, by, flags, words) USAGE(usage, help)

LINE("w", VALUED(act_write_line), 0, NAMES_FILE, ":w  :w!",
     "save; :w! even if the file changed or was not read whole", "export midi")
USAGE(":w NAME", "save under another name")
LINE("e", VALUED(act_open_line), false, NAMES_FILE, ":e NAME", "open a file; :e! without saving first", "load import")
LINE("theme", TYPED(act_theme_line), 0, 0, ":theme NAME",
     "set the colours: dark, light, contrast, mono, auto", "colors dark mode light mode appearance")
LINE("q", SAME_AS(CMD_QUIT), 0, 0, ":q  :q!", "quit; :q! without saving", "")
LINE("wq", VALUED(act_write_line), QUITS, NAMES_FILE, ":wq", "save and quit", "")
LINE("revert", DO(act_revert_line), 0, 0, ":revert", "drop unsaved changes; U still lists them", "")
LINE("undo", TYPED(act_undo_line), 0, 0, ":undo 12", "go to a state of the history; :history lists them", "")
LINE("earlier", VALUED(act_travel_line), -1, 0, ":earlier 5m",
     "go back in time, or :later; by 3 (states), 30s, 2h, 1d", "")
LINE("track", TYPED(act_track_line), 0, 0, ":track NAME", "add a track", "new create")
LINE("rename", TYPED(act_rename_line), 0, OF_A_TRACK, ":rename NAME", "rename the track", "track name")
LINE("instrument", TYPED(act_instrument_line), 0, OF_A_TRACK, ":instrument NAME",
     "set the instrument, by name or number", "sound patch program preset drums")
LINE("channel", TYPED(act_channel_line), 0, OF_A_TRACK, ":channel 4",
     "set the track's channel, 1 to 16; 10 plays drums", "drums drum kit")
LINE("colour", TYPED(act_colour_line), 0, OF_A_TRACK, ":colour 3",
     "set the track's colour, by number or name; :colour auto", "color")
LINE("tempo", TYPED(act_tempo_word), 0, 0, ":tempo 96", "set the tempo at the cursor", "bpm speed slow down")
USAGE(":tempo 96-72", "a ritardando over the selection or the loop")
LINE("meter", TYPED(act_meter_word), 0, 0, ":meter 3/4", "set the meter from the cursor's bar", "time signature")
LINE("key", TYPED(act_key_word), 0, 0, ":key Bb minor", "set the key signature from the cursor's bar; none: remove", "")
LINE("insert", TYPED(act_insert_line), 0, 0, ":insert 2",
     "insert empty bars before the cursor's bar", "add bars measures insert time")
LINE("remove", TYPED(act_remove_line), 0, 0, ":remove 2",
     "remove bars from the cursor on, or the selected bars", "delete bars cut measures delete time")
LINE("lead-in", TYPED(act_lead_in_line), 0, 0, ":lead-in 2", "let the machine write bars before the music", "")
LINE("accompany", TYPED(act_accompany_line), 0, 0, ":accompany bass, drums",
     "add these tracks to this melody, over its chords", "band backing rhythm section arrange add instruments")
LINE("harmonise", TYPED(act_harmonise_line), 0, 0, ":harmonise",
     "rewrite the other tracks; a number adds so many voices", "harmonize add voices")
USAGE(":keep rhythm", "change only the pitches; or :keep pitches, :keep nothing")
USAGE(":stays 0.6", "vary the music, but keep this share of its notes")
LINE("scale", TYPED(act_scale_line), 0, 0, ":scale G", "set the scale, also of new notes; :scale any, :scale guess", "")
USAGE(":takes 4", "set how many takes are made at a time, 1 to 8")
USAGE(":seed 7", "set the seed of the machine's random numbers")
LINE("style", NOTHING, 0, 0, ":style NAME", "guess, any, pop, jazz, blues, latin, band, piano ...", "genre pop jazz blues latin rock classical")
LINE("temperature", NOTHING, 0, 0, ":temperature 1", "lower is safer, higher is wilder", "creativity randomness")
USAGE(":density 2", "set any value of the panel P by its name there")
LINE("model", TYPED(act_model_line), 0, 0, ":model NAME",
     "use another model; continuo is the bundled one", "choose weights checkpoint")
LINE("models", DO(act_models_line), 0, 0, ":models",
     "list the models; Delete removes one of your own", "remove delete forget learnt")
LINE("learn", TYPED(act_learn_line), 0, 0, ":learn 5m FOLDER",
     "train a model on these MIDI files, or on this piece", "train fine-tune finetune teach my own music model")
LINE("lane", TYPED(act_lane_line), 0, 0, ":lane pedal", "show velocity, pedal, bend, pan ... or controller 11", "")
LINE("value", TYPED(act_value_line), 0, 0, ":value 90", "put a value in the lane, or in the selected span", "")
LINE("select", TYPED(act_select_line), 0, 0, ":select velocity>90",
     "or length<1/16, pitch C3-G4, bar 3-5; also together", "filter choose")
LINE("registers", DO(act_registers_line), 0, 0, ":registers",
     "list what was copied and removed, by letter and number", "")
LINE("grid", TYPED(act_grid_line), 0, 0, ":grid 1/16t",
     "set the grid: triplets; 1/8. is dotted, off is none", "snap resolution")
LINE("quantise", TYPED(act_quantise_line), 0, EDITS, ":quantise 80%",
     "quantise; strength, start end length, swing 56, within 30%", "")
LINE("swing", TYPED(act_swing_line), 0, EDITS, ":swing 56",
     "quantise with late off-beats, 50 (straight) to 75", "shuffle groove")
LINE("humanise", TYPED(act_humanise_line), 0, EDITS, ":humanise 10ms",
     "vary timing, velocity (8) and with which seed (seed 7)", "")
LINE("move", TYPED(act_move_line), 0, EDITS, ":move 2", "move notes to a track, by its number or name", "")
LINE("transpose", TYPED(act_transpose_line), 0, EDITS, ":transpose -7",
     "move the selection, or the note here, by semitones", "")
LINE("invert", TYPED(act_invert_line), 0, EDITS, ":invert E4",
     "invert the notes at a note, or at the first", "mirror inversion")
LINE("stretch", TYPED(act_stretch_line), 0, EDITS, ":stretch 200%",
     "stretch the notes in time; or :stretch 2/3", "double half speed augment diminish time")
LINE("reverse", DO(act_reverse_line), 0, EDITS, ":reverse", "reverse the notes in time", "retrograde backwards")
LINE("velocity", TYPED(act_velocity_line), 0, EDITS, ":velocity 60-100",
     "a crescendo; or :velocity 80, *1.2, -10", "volume dynamics fade")
LINE("strum", VALUED(act_spread_line), 20, EDITS, ":strum 20ms",
     "spread chords, the lowest note first; or :strum down", "guitar roll spread chord")
LINE("arpeggio", VALUED(act_spread_line), 0, EDITS, ":arpeggio",
     "play chords note by note on the grid; or :arpeggio down", "arpeggiate arpeggiator broken chord spread")
LINE("chord", TYPED(act_chord_line), 0, EDITS, ":chord G7/B", "put a chord at the cursor: m7, sus4, dim7, 13 ...", "")
LINE("harmony", TYPED(act_harmony_line), 0, EDITS, ":harmony Am7",
     "write a chord symbol here; C Am F G: one per bar", "chords changes progression plan symbols lead sheet")
USAGE(":harmony guess", "guess chords from the notes; :harmony - removes one")
USAGE(":harmony C Am", "above a take: change its plan of chords; r follows")
LINE("motif", TYPED(act_motif_line), 0, 0, ":motif varied", "make the selection a motif for C and c; or exact, off", "")
LINE("volume", VALUED(act_knob_line), MIX_VOLUME, EDITS | OF_A_TRACK, ":volume 100",
     "set the track's volume from its start", "gain level loudness")
LINE("pan", VALUED(act_knob_line), MIX_PAN, EDITS | OF_A_TRACK, ":pan -20",
     "set the track's pan; -64 is left, 63 right", "panorama stereo")
LINE("reverb", VALUED(act_knob_line), MIX_REVERB, EDITS | OF_A_TRACK, ":reverb 40", "set the track's reverb", "")
LINE("chorus", VALUED(act_knob_line), MIX_CHORUS, EDITS | OF_A_TRACK, ":chorus 20", "set the track's chorus", "")
LINE("render", VALUED(act_render_line), false, NAMES_FILE, ":render NAME.flac",
     "render to a sound file; options: 24 96000 -3dB", "export bounce audio wav mp3 mixdown")
LINE("soundfont", TYPED(act_soundfont_line), 0, NAMES_FILE, ":soundfont PATH",
     "use this soundfont, also next time; usual: the default", "sf2 sounds bank")
LINE("sound", DO(act_sound_line), 0, 0, ":sound", "show which soundfont plays on which device", "audio device")
LINE("input", TYPED(act_input_line), 0, 0, ":input NAME",
     "choose a MIDI keyboard by part of its name; any, none", "controller")
LINE("monitor", TYPED(act_monitor_line), 0, 0, ":monitor off", "record a keyboard but do not play it; or on", "")
LINE("output", TYPED(act_output_line), 0, 0, ":output NAME",
     "play on a MIDI instrument too; NAME only, NAME click; none", "midi synthesizer out")
LINE("clock", TYPED(act_clock_line), 0, 0, ":clock follow", "follow the keyboard's MIDI clock; or send, off", "")
LINE("record", TYPED(act_record_line), 0, 0, ":record merge",
     "set how R records: merge, replace, or punch in a span", "")
USAGE(":record free", "let R record freely; :lay adds the bars later")
LINE("lay", TYPED(act_fit_line), 0, 0, ":lay 3/4", "fit bars to the marks of |; beats, from bar 9, all, none", "")
USAGE(":lay guess", "guess the bar lines and mark them")
LINE("count-in", TYPED(act_count_in_line), 0, 0, ":count-in 1",
     "set the bars of count-in before a recording, 0 to 2", "")
LINE("latency", TYPED(act_latency_line), 0, 0, ":latency 12",
     "set the delay of a keyboard's input, in milliseconds", "")
LINE("answer", TYPED(act_answer_line), 0, 0, ":answer 2 beat",
     "turns of 2 bars, or free; once, beat, bar; on 3; pause 1", "")
LINE("pass", TYPED(act_pass_line), 0, 0, ":pass 2", "use another pass of the recording in a loop", "")
LINE("help", SAME_AS(CMD_HELP), 0, 0, ":help", "the keys of this mode", "")
LINE("tutor", TYPED(act_tutor_line), 0, 0, ":tutor",
     "learn to use the program in five minutes", "tutorial learn introduction")
LINE("set", TYPED(act_set_line), 0, 0, ":set NAME VALUE",
     "change a setting until the program ends", "settings preferences options")
LINE("map", TYPED(act_map_line), 0, 0, ":map KEY COMMAND",
     "bind a key to a command; none frees the key", "keyboard shortcut rebind")
LINE("config", DO(act_config_line), 0, 0, ":config", "show where the configuration file is", "settings preferences")
WORD("history", DO(act_history_line), 0, 0, "")
WORD("later", VALUED(act_travel_line), 1, 0, "")
WORD("quantize", TYPED(act_quantise_line), 0, EDITS, "")
WORD("humanize", TYPED(act_humanise_line), 0, EDITS, "")
WORD("color", TYPED(act_colour_line), 0, OF_A_TRACK, "")
WORD("render!", VALUED(act_render_line), true, NAMES_FILE, "")
WORD("w!", VALUED(act_write_line), FORCED, NAMES_FILE, "")
WORD("wq!", VALUED(act_write_line), FORCED | QUITS, NAMES_FILE, "")
WORD("x", VALUED(act_write_line), QUITS, NAMES_FILE, "")
WORD("e!", VALUED(act_open_line), true, NAMES_FILE, "")
WORD("q!", SAME_AS(CMD_QUIT_NOW), 0, 0, "")
WORD("harmonize", TYPED(act_harmonise_line), 0, 0, "")

PROMPT_LINE(PROMPT_COMMAND, ":", NOTHING, act_command_line)
PROMPT_LINE(PROMPT_OPEN, "open: ", NOTHING, act_open_prompt)
PROMPT_LINE(PROMPT_SAVE_AS, "save as: ", FILLED(save_as_path), act_save_as_prompt)
PROMPT_LINE(PROMPT_TEMPO, NULL, LABELLED(tempo_prompt), act_tempo_line)
PROMPT_LINE(PROMPT_SCALE, NULL, LABELLED(scale_prompt), act_scale_line)
PROMPT_LINE(PROMPT_QUANTISE, "quantise: ", FILLED(quantise_prompt_text), act_quantise_prompt)
PROMPT_LINE(PROMPT_MARKER, "marker: ", FILLED(marker_text_here), act_marker_line)
PROMPT_LINE(PROMPT_FIND, "find: ", FILLED(find_prompt_text), act_find_line)
PROMPT_LINE(PROMPT_MAP_EDIT, "change to: ", FILLED(map_edit_text), act_map_edit_line)
PROMPT_LINE(PROMPT_MAP_ADD, "add 96, 3/4, key C minor, or a marker: ", NOTHING, act_map_add_line)
PROMPT_LINE(PROMPT_EXPORT, "export to: ", FILLED(export_suggest), act_export_line)

#undef WORD
#undef USAGE
#undef PROMPT_LINE
#undef LINE
