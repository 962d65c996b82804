/* The workstation: the screen, the keys, and the loop that ties them to a
 * session. The ui thread is the one that calls this. */
#ifndef APP_WORKSTATION_H
#define APP_WORKSTATION_H

/* `continuo [OPTIONS] [FILE.mid]`; the exit status. Without a terminal it says
 * so and points at `make demo`. */
int cmd_workstation(int argc, char **argv);

#endif
