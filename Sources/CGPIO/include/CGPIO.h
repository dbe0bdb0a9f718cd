#ifndef CGPIO_H
#define CGPIO_H

/// One interface for libgpiod 1.x and 2.x, which differ in every function. The choice is made at compile time.
///
/// All functions return 0 or a count on success and -1 with `errno` on failure. They block only for the kernel's own
/// work. One thread at a time may use a set of lines.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CGPIO_TEXT_SIZE 64

/// Major version of the libgpiod interface at compile time: 1 or 2.
int cgpio_library(void);

struct cgpio_chip {
    /// "/dev/gpiochip0".
    char path[CGPIO_TEXT_SIZE];
    /// The driver's name for it, "pinctrl-rp1". Empty if the chip could not be opened.
    char label[CGPIO_TEXT_SIZE];
    unsigned int line_count;
    /// 0, or why the chip could not be opened.
    int error;
};

/// Describes one chip by its path.
struct cgpio_chip cgpio_describe(const char *path);

/// Describes at most `capacity` of the chips of this machine and returns how many. A chip with a second name, which is
/// a link, appears once.
int cgpio_chips(struct cgpio_chip *chips, size_t capacity);

/// Returns the offset of a named line, or -1: `ENOENT` if the chip has no such line.
int cgpio_find_line(const char *path, const char *name);

struct cgpio_line_info {
    /// The line's name in the kernel, or empty.
    char name[CGPIO_TEXT_SIZE];
    /// The name that the line's user gave, or empty.
    char consumer[CGPIO_TEXT_SIZE];
    bool used;
    bool output;
};

/// Describes one line of a chip by its offset.
int cgpio_describe_line(const char *path, unsigned int offset, struct cgpio_line_info *info);

enum cgpio_bias { CGPIO_BIAS_AS_IS, CGPIO_BIAS_DISABLED, CGPIO_BIAS_PULL_UP, CGPIO_BIAS_PULL_DOWN };

/// `CGPIO_INPUT` reports both edges.
enum cgpio_role { CGPIO_INPUT, CGPIO_OUTPUT };

/// The levels to which an output is driven: both, low only, or high only. At the other level it is released.
/// `CGPIO_PUSH_PULL` for an input.
enum cgpio_drive { CGPIO_PUSH_PULL, CGPIO_OPEN_DRAIN, CGPIO_OPEN_SOURCE };

struct cgpio_line_settings {
    unsigned int offset;
    enum cgpio_role role;
    enum cgpio_drive drive;
    enum cgpio_bias bias;
    bool active_low;
};

struct cgpio_lines;

/// The line that made a request fail.
struct cgpio_refusal {
    /// Its index in the request, or -1 if not known.
    int index;
    /// The name that the line's user gave, or empty.
    char consumer[CGPIO_TEXT_SIZE];
};

/// Requests lines of one chip, all or none. Outputs begin inactive. Fills `refusal` when it returns NULL.
struct cgpio_lines *cgpio_request(
    const char *path, const char *consumer, const struct cgpio_line_settings *settings, size_t count,
    struct cgpio_refusal *refusal);

/// Releases the lines. Accepts NULL.
void cgpio_release(struct cgpio_lines *lines);

/// Returns 1 if a line, given by its index in the request, is active, 0 if not.
int cgpio_get(struct cgpio_lines *lines, size_t index);
int cgpio_set(struct cgpio_lines *lines, size_t index, bool active);

/// Writes the descriptors that become readable at an edge and returns how many: one with libgpiod 2, one for each
/// input with libgpiod 1.
int cgpio_descriptors(struct cgpio_lines *lines, int *descriptors, size_t capacity);

struct cgpio_edge {
    size_t index;
    /// The level after the edge.
    bool active;
    /// On the kernel's clock for edges: CLOCK_MONOTONIC since Linux 5.7.
    uint64_t nanoseconds;
};

/// Takes at most `capacity` waiting edges and returns how many, 0 without any. Does not wait. Edges of one line are in
/// order; those of different lines need not be.
int cgpio_read_edges(struct cgpio_lines *lines, struct cgpio_edge *edges, size_t capacity);

#define CGPIO_WAIT_MAXIMUM 64

/// Waits until `wake`, an eventfd, is written to, one of `others` can be read, or the time is over. A signal may end it
/// early. A negative time waits for ever. Clears `wake`. Fails with `ENODEV` if one of `others` is gone for good.
int cgpio_wait(int wake, const int *others, size_t count, int64_t timeout_nanoseconds);


#endif
