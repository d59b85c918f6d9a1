/*
 * core_file.h - keeps a process that holds credentials out of core files.
 */
#ifndef BASE_CORE_FILE_H
#define BASE_CORE_FILE_H

/*
 * From now on this process, and those it forks, leave no core: neither a file nor, on Linux, one for a program
 * that gets it through a pipe. On Linux, other processes of the user cannot read its memory and environment, or
 * trace it. Programs that it starts have only the limit of files.
 */
void core_file_forbid(void);

#endif
