/* Finding chips: what libgpiod 1 and 2 share, except for their types. */

#include "library.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Raspberry Pi OS links gpiochip4 to gpiochip0, for programs that expect the header there. */
static bool is_link(const char *path)
{
    struct stat status;

    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

int cgpio_chips(struct cgpio_chip *chips, size_t capacity)
{
    DIR *directory = opendir("/dev");
    struct dirent *entry;
    size_t count = 0;

    if (!directory)
        return -1;
    while (count < capacity && (entry = readdir(directory)) != NULL) {
        char path[CGPIO_TEXT_SIZE];

        if (strncmp(entry->d_name, "gpiochip", strlen("gpiochip")) != 0)
            continue;
        if (snprintf(path, sizeof(path), "/dev/%s", entry->d_name) >= (int)sizeof(path))
            continue;
        if (is_link(path))
            continue;
        chips[count++] = cgpio_describe(path);
    }
    closedir(directory);
    return (int)count;
}

void cgpio_copy_text(char destination[CGPIO_TEXT_SIZE], const char *source)
{
    snprintf(destination, CGPIO_TEXT_SIZE, "%s", source ? source : "");
}
