/* continuo train: a model from a folder of MIDI files, or from four voices. */
#ifndef APP_CMD_TRAIN_H
#define APP_CMD_TRAIN_H

int cmd_train(int argc, char **argv);

#endif
