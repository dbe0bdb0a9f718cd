// matrix ROW COLUMN MILLISECONDS: presses a key of the board's matrix: while it is down, the column follows its row.
// The arguments are folders of gpio-sim's lines. A row that the phone no longer drives keeps its value until its pull
// is written again, which holds it high; a driven row is not affected. The program sleeps between two checks: a real
// key takes no processor time. Without sleep, it would keep the phone's panel from running while the other processor
// computes sound.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int opened(const char *folder, const char *file, int mode) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    int descriptor = open(path, mode);
    if (descriptor < 0) perror(path);
    return descriptor;
}

static void pull(int line, int up) {
    const char *text = up ? "pull-up" : "pull-down";
    if (pwrite(line, text, strlen(text), 0) < 0) perror("pull");
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

int main(int count, char **arguments) {
    if (count != 4) return 2;
    int row = opened(arguments[1], "value", O_RDONLY), idle = opened(arguments[1], "pull", O_WRONLY);
    int column = opened(arguments[2], "pull", O_WRONLY);
    if (row < 0 || idle < 0 || column < 0) return 1;
    double end = now() + atof(arguments[3]);
    const struct timespec nap = {.tv_nsec = 100000};
    int was = 1;
    while (now() < end) {
        nanosleep(&nap, NULL);
        char value = '1';
        pull(idle, 1);
        if (pread(row, &value, 1, 0) == 1 && (value == '1') != was) pull(column, was = value == '1');
    }
    pull(column, 1);
    return 0;
}
