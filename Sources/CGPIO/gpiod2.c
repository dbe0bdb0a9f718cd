/* The half for libgpiod 2.x: one request for all lines of a chip. */

#include "library.h"

#if CGPIO_LIBRARY == 2

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

struct cgpio_lines {
    struct gpiod_line_request *request;
    struct gpiod_edge_event_buffer *events;
    unsigned int offsets[CGPIO_LINES_MAXIMUM];
    size_t count;
    bool has_inputs;
};

int cgpio_library(void) { return CGPIO_LIBRARY; }

struct cgpio_chip cgpio_describe(const char *path)
{
    struct cgpio_chip description = {0};
    struct gpiod_chip *chip = gpiod_chip_open(path);
    struct gpiod_chip_info *info = chip ? gpiod_chip_get_info(chip) : NULL;

    cgpio_copy_text(description.path, path);
    if (info) {
        cgpio_copy_text(description.label, gpiod_chip_info_get_label(info));
        description.line_count = (unsigned int)gpiod_chip_info_get_num_lines(info);
        gpiod_chip_info_free(info);
    } else {
        description.error = errno;
    }
    if (chip)
        gpiod_chip_close(chip);
    return description;
}

int cgpio_find_line(const char *path, const char *name)
{
    struct gpiod_chip *chip = gpiod_chip_open(path);
    int offset, error;

    if (!chip)
        return -1;
    offset = gpiod_chip_get_line_offset_from_name(chip, name);
    error = errno;
    gpiod_chip_close(chip);
    errno = error;
    return offset;
}

int cgpio_describe_line(const char *path, unsigned int offset, struct cgpio_line_info *info)
{
    struct gpiod_chip *chip = gpiod_chip_open(path);
    struct gpiod_line_info *line = chip ? gpiod_chip_get_line_info(chip, offset) : NULL;
    int error = errno;

    if (line) {
        cgpio_copy_text(info->name, gpiod_line_info_get_name(line));
        cgpio_copy_text(info->consumer, gpiod_line_info_get_consumer(line));
        info->used = gpiod_line_info_is_used(line);
        info->output = gpiod_line_info_get_direction(line) == GPIOD_LINE_DIRECTION_OUTPUT;
        gpiod_line_info_free(line);
    }
    if (chip)
        gpiod_chip_close(chip);
    errno = error;
    return line ? 0 : -1;
}

static enum gpiod_line_bias bias(enum cgpio_bias bias)
{
    switch (bias) {
    case CGPIO_BIAS_AS_IS:
        return GPIOD_LINE_BIAS_AS_IS;
    case CGPIO_BIAS_DISABLED:
        return GPIOD_LINE_BIAS_DISABLED;
    case CGPIO_BIAS_PULL_UP:
        return GPIOD_LINE_BIAS_PULL_UP;
    case CGPIO_BIAS_PULL_DOWN:
        return GPIOD_LINE_BIAS_PULL_DOWN;
    }
    return GPIOD_LINE_BIAS_AS_IS;
}

static enum gpiod_line_drive drive(enum cgpio_drive drive)
{
    switch (drive) {
    case CGPIO_PUSH_PULL:
        return GPIOD_LINE_DRIVE_PUSH_PULL;
    case CGPIO_OPEN_DRAIN:
        return GPIOD_LINE_DRIVE_OPEN_DRAIN;
    case CGPIO_OPEN_SOURCE:
        return GPIOD_LINE_DRIVE_OPEN_SOURCE;
    }
    return GPIOD_LINE_DRIVE_PUSH_PULL;
}

static int add_line(struct gpiod_line_config *config, const struct cgpio_line_settings *settings)
{
    struct gpiod_line_settings *line = gpiod_line_settings_new();
    bool is_input = settings->role == CGPIO_INPUT;
    int result = -1;

    if (!line)
        return -1;
    gpiod_line_settings_set_active_low(line, settings->active_low);
    gpiod_line_settings_set_event_clock(line, GPIOD_LINE_CLOCK_MONOTONIC);
    if (gpiod_line_settings_set_direction(
            line, is_input ? GPIOD_LINE_DIRECTION_INPUT : GPIOD_LINE_DIRECTION_OUTPUT) == 0
        && gpiod_line_settings_set_edge_detection(line, is_input ? GPIOD_LINE_EDGE_BOTH : GPIOD_LINE_EDGE_NONE) == 0
        && gpiod_line_settings_set_bias(line, bias(settings->bias)) == 0
        && gpiod_line_settings_set_drive(line, drive(settings->drive)) == 0)
        result = gpiod_line_config_add_line_settings(config, &settings->offset, 1, line);
    gpiod_line_settings_free(line);
    return result;
}

/* The kernel reports that a line of the request is in use, but not which. */
static void blame(
    struct cgpio_refusal *refusal, struct gpiod_chip *chip, const struct cgpio_line_settings *settings, size_t count)
{
    for (size_t index = 0; index < count && refusal->index < 0; index++) {
        struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, settings[index].offset);

        if (!info || gpiod_line_info_is_used(info))
            refusal->index = (int)index;
        if (info && refusal->index >= 0)
            cgpio_copy_text(refusal->consumer, gpiod_line_info_get_consumer(info));
        if (info)
            gpiod_line_info_free(info);
    }
}

static struct gpiod_line_request *request_lines(
    struct gpiod_chip *chip, const char *consumer, const struct cgpio_line_settings *settings, size_t count)
{
    struct gpiod_request_config *request_config = gpiod_request_config_new();
    struct gpiod_line_config *line_config = gpiod_line_config_new();
    struct gpiod_line_request *request = NULL;
    int added = request_config && line_config ? 0 : -1;
    int error;

    for (size_t index = 0; index < count && added == 0; index++)
        added = add_line(line_config, &settings[index]);
    if (added == 0) {
        gpiod_request_config_set_consumer(request_config, consumer);
        request = gpiod_chip_request_lines(chip, request_config, line_config);
    }
    error = errno;
    gpiod_line_config_free(line_config);
    gpiod_request_config_free(request_config);
    errno = error;
    return request;
}

static int set_nonblocking(int descriptor)
{
    int status = fcntl(descriptor, F_GETFL);

    return status < 0 ? -1 : fcntl(descriptor, F_SETFL, status | O_NONBLOCK);
}

struct cgpio_lines *cgpio_request(
    const char *path, const char *consumer, const struct cgpio_line_settings *settings, size_t count,
    struct cgpio_refusal *refusal)
{
    struct cgpio_lines *lines = calloc(1, sizeof(*lines));
    struct gpiod_chip *chip = NULL;
    int error;

    *refusal = (struct cgpio_refusal){.index = -1};
    if (!lines)
        return NULL;
    errno = EINVAL;
    if (count > CGPIO_LINES_MAXIMUM || !(chip = gpiod_chip_open(path)))
        goto failed;
    lines->request = request_lines(chip, consumer, settings, count);
    if (!lines->request) {
        error = errno;
        blame(refusal, chip, settings, count);
        errno = error;
        goto failed;
    }
    lines->events = gpiod_edge_event_buffer_new(CGPIO_EDGES_MAXIMUM);
    if (!lines->events || set_nonblocking(gpiod_line_request_get_fd(lines->request)) < 0)
        goto failed;
    for (lines->count = 0; lines->count < count; lines->count++) {
        lines->offsets[lines->count] = settings[lines->count].offset;
        lines->has_inputs |= settings[lines->count].role == CGPIO_INPUT;
    }
    gpiod_chip_close(chip);
    return lines;

failed:
    error = errno;
    if (chip)
        gpiod_chip_close(chip);
    cgpio_release(lines);
    errno = error;
    return NULL;
}

void cgpio_release(struct cgpio_lines *lines)
{
    if (!lines)
        return;
    if (lines->events)
        gpiod_edge_event_buffer_free(lines->events);
    if (lines->request)
        gpiod_line_request_release(lines->request);
    free(lines);
}

int cgpio_get(struct cgpio_lines *lines, size_t index)
{
    return gpiod_line_request_get_value(lines->request, lines->offsets[index]);
}

int cgpio_set(struct cgpio_lines *lines, size_t index, bool active)
{
    return gpiod_line_request_set_value(
        lines->request, lines->offsets[index], active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
}

int cgpio_descriptors(struct cgpio_lines *lines, int *descriptors, size_t capacity)
{
    if (!lines->has_inputs || capacity == 0)
        return 0;
    descriptors[0] = gpiod_line_request_get_fd(lines->request);
    return 1;
}

/* An event always belongs to a requested line. */
static size_t index_of(const struct cgpio_lines *lines, unsigned int offset)
{
    size_t index = 0;

    while (lines->offsets[index] != offset && index < lines->count - 1)
        index++;
    return index;
}

int cgpio_read_edges(struct cgpio_lines *lines, struct cgpio_edge *edges, size_t capacity)
{
    size_t wanted = capacity < CGPIO_EDGES_MAXIMUM ? capacity : CGPIO_EDGES_MAXIMUM;
    int count;

    if (!lines->has_inputs || capacity == 0)
        return 0;
    count = gpiod_line_request_read_edge_events(lines->request, lines->events, wanted);
    if (count < 0)
        return errno == EAGAIN ? 0 : -1;
    for (int index = 0; index < count; index++) {
        struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(lines->events, (unsigned long)index);

        edges[index].index = index_of(lines, gpiod_edge_event_get_line_offset(event));
        edges[index].active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
        edges[index].nanoseconds = gpiod_edge_event_get_timestamp_ns(event);
    }
    return count;
}

#endif
