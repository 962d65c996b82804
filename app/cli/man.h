/* The manual page, made from the tables that the program itself runs on. */
#ifndef APP_MAN_H
#define APP_MAN_H

#include <stdio.h>

/* troff -man source for continuo(1), as groff_man(7) has it. */
void man_write(FILE *to);

#endif
