/* The half for libgpiod 1.x. Each line has its own request: writing one line of a joint request writes them all. */

#include "library.h"

#if CGPIO_LIBRARY == 1

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

struct cgpio_lines {
    struct gpiod_chip *chip;
    struct gpiod_line *lines[CGPIO_LINES_MAXIMUM];
    enum cgpio_role roles[CGPIO_LINES_MAXIMUM];
    size_t count;
};

int cgpio_library(void) { return CGPIO_LIBRARY; }

struct cgpio_chip cgpio_describe(const char *path)
{
    struct cgpio_chip description = {0};
    struct gpiod_chip *chip = gpiod_chip_open(path);

    cgpio_copy_text(description.path, path);
    if (chip) {
        cgpio_copy_text(description.label, gpiod_chip_label(chip));
        description.line_count = gpiod_chip_num_lines(chip);
        gpiod_chip_close(chip);
    } else {
        description.error = errno;
    }
    return description;
}

int cgpio_find_line(const char *path, const char *name)
{
    struct gpiod_chip *chip = gpiod_chip_open(path);
    struct gpiod_line *line;
    int offset;

    if (!chip)
        return -1;
    line = gpiod_chip_find_line(chip, name);
    offset = line ? (int)gpiod_line_offset(line) : -1;
    gpiod_chip_close(chip);
    if (offset < 0)
        errno = ENOENT;
    return offset;
}

int cgpio_describe_line(const char *path, unsigned int offset, struct cgpio_line_info *info)
{
    struct gpiod_chip *chip = gpiod_chip_open(path);
    struct gpiod_line *line = chip ? gpiod_chip_get_line(chip, offset) : NULL;
    int error = errno;

    if (line) {
        cgpio_copy_text(info->name, gpiod_line_name(line));
        cgpio_copy_text(info->consumer, gpiod_line_consumer(line));
        info->used = gpiod_line_is_used(line);
        info->output = gpiod_line_direction(line) == GPIOD_LINE_DIRECTION_OUTPUT;
    }
    if (chip)
        gpiod_chip_close(chip);
    errno = error;
    return line ? 0 : -1;
}

static int flags(const struct cgpio_line_settings *settings)
{
    int flags = settings->active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;

    switch (settings->drive) {
    case CGPIO_PUSH_PULL:
        break;
    case CGPIO_OPEN_DRAIN:
        flags |= GPIOD_LINE_REQUEST_FLAG_OPEN_DRAIN;
        break;
    case CGPIO_OPEN_SOURCE:
        flags |= GPIOD_LINE_REQUEST_FLAG_OPEN_SOURCE;
        break;
    }
    switch (settings->bias) {
    case CGPIO_BIAS_AS_IS:
        return flags;
    case CGPIO_BIAS_DISABLED:
        return flags | GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE;
    case CGPIO_BIAS_PULL_UP:
        return flags | GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP;
    case CGPIO_BIAS_PULL_DOWN:
        return flags | GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN;
    }
    return flags;
}

static int set_nonblocking(int descriptor)
{
    int status = fcntl(descriptor, F_GETFL);

    return status < 0 ? -1 : fcntl(descriptor, F_SETFL, status | O_NONBLOCK);
}

static int add_line(struct cgpio_lines *lines, const char *name, const struct cgpio_line_settings *settings)
{
    struct gpiod_line *line = gpiod_chip_get_line(lines->chip, settings->offset);
    struct gpiod_line_request_config config = {.consumer = name, .flags = flags(settings)};

    if (!line)
        return -1;
    config.request_type =
        settings->role == CGPIO_INPUT ? GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES : GPIOD_LINE_REQUEST_DIRECTION_OUTPUT;
    if (gpiod_line_request(line, &config, 0) < 0)
        return -1;
    lines->roles[lines->count] = settings->role;
    lines->lines[lines->count++] = line;
    return settings->role == CGPIO_INPUT ? set_nonblocking(gpiod_line_event_get_fd(line)) : 0;
}

static void blame(struct cgpio_refusal *refusal, struct gpiod_chip *chip, size_t index, unsigned int offset)
{
    struct gpiod_line *line = gpiod_chip_get_line(chip, offset);

    refusal->index = (int)index;
    cgpio_copy_text(refusal->consumer, line ? gpiod_line_consumer(line) : NULL);
}

struct cgpio_lines *cgpio_request(
    const char *path, const char *consumer, const struct cgpio_line_settings *settings, size_t count,
    struct cgpio_refusal *refusal)
{
    struct cgpio_lines *lines = calloc(1, sizeof(*lines));
    int error;

    *refusal = (struct cgpio_refusal){.index = -1};
    if (!lines)
        return NULL;
    errno = EINVAL;
    if (count > CGPIO_LINES_MAXIMUM || !(lines->chip = gpiod_chip_open(path)))
        goto failed;
    for (size_t index = 0; index < count; index++) {
        if (add_line(lines, consumer, &settings[index]) < 0) {
            error = errno;
            blame(refusal, lines->chip, index, settings[index].offset);
            errno = error;
            goto failed;
        }
    }
    return lines;

failed:
    error = errno;
    cgpio_release(lines);
    errno = error;
    return NULL;
}

void cgpio_release(struct cgpio_lines *lines)
{
    if (!lines)
        return;
    for (size_t index = 0; index < lines->count; index++)
        gpiod_line_release(lines->lines[index]);
    if (lines->chip)
        gpiod_chip_close(lines->chip);
    free(lines);
}

int cgpio_get(struct cgpio_lines *lines, size_t index) { return gpiod_line_get_value(lines->lines[index]); }

int cgpio_set(struct cgpio_lines *lines, size_t index, bool active)
{
    return gpiod_line_set_value(lines->lines[index], active);
}

int cgpio_descriptors(struct cgpio_lines *lines, int *descriptors, size_t capacity)
{
    size_t count = 0;

    for (size_t index = 0; index < lines->count && count < capacity; index++) {
        if (lines->roles[index] == CGPIO_INPUT)
            descriptors[count++] = gpiod_line_event_get_fd(lines->lines[index]);
    }
    return (int)count;
}

/* Reads the waiting edges of one line; 0 without any. */
static int read_line_edges(struct cgpio_lines *lines, size_t index, struct cgpio_edge *edges, size_t capacity)
{
    struct gpiod_line_event events[CGPIO_EDGES_MAXIMUM];
    unsigned int wanted = capacity < CGPIO_EDGES_MAXIMUM ? (unsigned int)capacity : CGPIO_EDGES_MAXIMUM;
    int count = gpiod_line_event_read_fd_multiple(gpiod_line_event_get_fd(lines->lines[index]), events, wanted);

    if (count < 0)
        return errno == EAGAIN ? 0 : -1;
    for (int event = 0; event < count; event++) {
        edges[event].index = index;
        edges[event].active = events[event].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
        edges[event].nanoseconds = (uint64_t)events[event].ts.tv_sec * 1000000000u + (uint64_t)events[event].ts.tv_nsec;
    }
    return count;
}

int cgpio_read_edges(struct cgpio_lines *lines, struct cgpio_edge *edges, size_t capacity)
{
    size_t total = 0;

    for (size_t index = 0; index < lines->count && total < capacity; index++) {
        int count;

        if (lines->roles[index] != CGPIO_INPUT)
            continue;
        count = read_line_edges(lines, index, edges + total, capacity - total);
        if (count < 0)
            return -1;
        total += (size_t)count;
    }
    return (int)total;
}

#endif
