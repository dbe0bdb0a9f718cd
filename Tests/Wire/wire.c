// An ALSA sound device for machines without one: playback and capture are rings of samples in shared files.
//
//   pcm_type.wire { lib "/path/libasound_module_pcm_wire.so" }
//   pcm.phone { type plug slave.pcm { type wire playback "FILE" capture "FILE" [rate 48000] [ppm 0] [fault "FILE"] } }
//
// A file holds 2^19 cells of 32 bits. The cell of frame i is i modulo that, where i is CLOCK_MONOTONIC times the rate.
// So all users of the file agree on the time of a frame. A cell has a 16-bit sample and, above it, the lap of the ring in
// which it was written. An old cell therefore reads as silence. Mono, S16_LE, one rate.
//
// `ppm` lets the device's clock run fast against the wire. `fault` names a file by which a test breaks the device.
// While FILE exists the device is unplugged (-ENODEV). FILE.xrun is consumed and makes one overrun or underrun.
// While FILE.busy exists another program has the device (opening gives -EBUSY). While FILE.small exists opening gives a
// buffer of 256 samples. While FILE.hang exists every call to the device blocks, as in a library that waits for a dead
// sound server. While FILE.hangopen exists opening blocks. While FILE.still exists nothing moves.
// If FILE.eager exists when the device is opened, poll always reports it as ready. If FILE.coarse exists when it is
// opened for playback, the device takes 100 ms at once.

#define _GNU_SOURCE
// ALSA's headers need the name that libtool defines for a loadable module.
#ifndef PIC
#define PIC 1
#endif

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { CELLS = 1 << 19, RING_BYTES = CELLS * 4, MOST_FRAMES = 1 << 16 };
static const int64_t SECOND = 1000000000;

typedef struct {
    snd_pcm_ioplug_t io;
    uint32_t *cells;
    int64_t rate;
    double speed;             // of this device's clock against the wire's: 1 + ppm / 10^6
    int running;
    int64_t started;          // CLOCK_MONOTONIC in nanoseconds
    int64_t base;             // the wire's frame that is this stream's frame 0
    int64_t written;          // frames of this stream handed over since prepare
    snd_pcm_uframes_t wakeup; // avail_min
    char *gone, *xrun, *hang, *still;
    bool eager;               // poll says at once that the device is ready
    int64_t step;             // frames that the device moves at once
    snd_pcm_sframes_t last;   // what was told of the pointer last
    int16_t staged[MOST_FRAMES]; // played before the start, by frame
} wire;

static int64_t monotonic(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * SECOND + now.tv_nsec;
}

static int is_playback(const wire *w) { return w->io.stream == SND_PCM_STREAM_PLAYBACK; }
static int64_t frames(const wire *w, int64_t nanoseconds) {
    return nanoseconds / SECOND * w->rate + nanoseconds % SECOND * w->rate / SECOND;
}
static int64_t passed(const wire *w) { return (int64_t)(frames(w, monotonic() - w->started) * w->speed); }
static int64_t elapsed(const wire *w) { return passed(w) / w->step * w->step; }
static bool is_there(const char *file) { return file && access(file, F_OK) == 0; }
static int64_t place(const wire *w, int64_t frame) { return w->base + (int64_t)(frame / w->speed); }

static void put(wire *w, int64_t frame, int16_t sample) {
    int64_t index = place(w, frame);
    w->cells[index % CELLS] = (uint16_t)sample | (uint32_t)(index / CELLS & 0xffff) << 16;
}

static int16_t get(const wire *w, int64_t frame) {
    int64_t index = place(w, frame);
    uint32_t cell = w->cells[index % CELLS];
    return cell >> 16 == (uint32_t)(index / CELLS & 0xffff) ? (int16_t)(cell & 0xffff) : 0;
}

// Of a capture: the next frame that the application has not seen. Later frames are copied again at each
// query of a client with mapped memory, and count only when the application advances.
static int64_t unseen(const wire *w) { return (int64_t)w->io.appl_ptr; }

// Frames that the application could transfer now; the same sum as ALSA's own, from the copied frames.
static int64_t available(const wire *w) {
    int64_t now = w->running ? elapsed(w) : 0;
    return is_playback(w) ? (int64_t)w->io.buffer_size - (w->written - now) : now - unseen(w);
}

// Arms the timer for the instant at which `wakeup` frames will be there, so there is no vain wake-up. A capture is polled
// before it is read, and gets no report of the read: whole pending wake-ups count as read.
static void arm(wire *w) {
    struct itimerspec timer = {{0, 0}, {0, w->eager ? 1 : 0}};
    if (w->running && !w->eager) {
        int64_t missing = (int64_t)w->wakeup - available(w);
        if (!is_playback(w) && missing <= 0) missing = (int64_t)w->wakeup - -missing % (int64_t)w->wakeup;
        // A device with large steps is ready with one of them, and not before.
        if (w->step > 1) missing = (elapsed(w) + missing + w->step - 1) / w->step * w->step - passed(w);
        int64_t wait = (int64_t)(missing / w->speed * SECOND / w->rate) + 20000;
        if (wait < 1000) wait = 1000;
        timer.it_value.tv_sec = wait / SECOND;
        timer.it_value.tv_nsec = wait % SECOND;
    }
    timerfd_settime(w->io.poll_fd, 0, &timer, NULL);
}

static int is_gone(const wire *w) { return is_there(w->gone); }

static int wire_start(snd_pcm_ioplug_t *io) {
    wire *w = io->private_data;
    if (is_gone(w)) return -ENODEV;
    w->started = monotonic();
    w->base = frames(w, w->started);
    w->running = 1;
    for (int64_t frame = 0; frame < w->written; frame++) put(w, frame, w->staged[frame % MOST_FRAMES]);
    arm(w);
    return 0;
}

static int wire_stop(snd_pcm_ioplug_t *io) {
    wire *w = io->private_data;
    // Sound written ahead and not played yet is dropped, as on a sound card.
    for (int64_t frame = elapsed(w); w->running && is_playback(w) && frame < w->written; frame++) put(w, frame, 0);
    w->running = 0;
    arm(w);
    return 0;
}

static int wire_prepare(snd_pcm_ioplug_t *io) {
    wire *w = io->private_data;
    if (is_gone(w)) return -ENODEV;
    w->running = 0;
    w->written = 0;
    // Before the start a playback buffer is empty, and poll must report that at once.
    struct itimerspec soon = {{0, 0}, {0, 1}};
    if (is_playback(w)) timerfd_settime(io->poll_fd, 0, &soon, NULL);
    return 0;
}

// The last frame up to which nothing is lost.
static int64_t limit(const wire *w) { return is_playback(w) ? w->written : unseen(w) + (int64_t)w->io.buffer_size; }

static snd_pcm_sframes_t wire_pointer(snd_pcm_ioplug_t *io) {
    wire *w = io->private_data;
    if (is_gone(w)) return -ENODEV;
    while (is_there(w->hang)) usleep(2000);
    if (w->xrun && unlink(w->xrun) == 0) return -EPIPE;
    if (!w->running) return 0;
    if (is_there(w->still)) return w->last;
    int64_t now = elapsed(w), last = limit(w);
    if (now > last) {
        if (io->state != SND_PCM_STATE_DRAINING) return -EPIPE;
        now = last;
    }
    return w->last = now % (int64_t)io->buffer_size;
}

static snd_pcm_sframes_t wire_transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas,
                                       snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
    wire *w = io->private_data;
    int16_t *samples = (int16_t *)areas->addr + offset;
    for (snd_pcm_uframes_t n = 0; n < size; n++) {
        if (!is_playback(w)) samples[n] = get(w, unseen(w) + (int64_t)n);
        else if (w->running) put(w, w->written++, samples[n]);
        else w->staged[w->written++ % MOST_FRAMES] = samples[n];
    }
    arm(w);
    return size;
}

// Readiness lasts until frames are moved, as with a sound card, so the timer stays unchanged.
static int wire_revents(snd_pcm_ioplug_t *io, struct pollfd *fds, unsigned count, unsigned short *events) {
    wire *w = io->private_data;
    short ready = is_playback(w) ? POLLOUT : POLLIN;
    bool is_broken = is_gone(w) || (w->running && elapsed(w) > limit(w) && !is_there(w->still));
    if (w->eager && !is_broken) {
        *events = ready;
        return 0;
    }
    *events = is_broken ? POLLERR | ready : available(w) >= (int64_t)w->wakeup ? ready : 0;
    if (*events != 0) return 0;
    uint64_t expirations;
    (void)count, (void)!read(fds->fd, &expirations, sizeof expirations);
    arm(w);
    return 0;
}

static int wire_sw_params(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *params) {
    wire *w = io->private_data;
    return snd_pcm_sw_params_get_avail_min(params, &w->wakeup);
}

static int wire_delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *delay) {
    wire *w = io->private_data;
    int64_t avail = available(w);
    *delay = is_playback(w) ? (int64_t)io->buffer_size - avail : avail;
    return 0;
}

static void discard(wire *w) {
    if (w->cells) munmap(w->cells, RING_BYTES);
    if (w->io.poll_fd >= 0) close(w->io.poll_fd);
    free(w->gone);
    free(w->xrun);
    free(w->hang);
    free(w->still);
    free(w);
}

static int wire_close(snd_pcm_ioplug_t *io) {
    discard(io->private_data);
    return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = wire_start, .stop = wire_stop, .pointer = wire_pointer, .transfer = wire_transfer,
    .prepare = wire_prepare, .close = wire_close, .poll_revents = wire_revents, .sw_params = wire_sw_params,
    .delay = wire_delay,
};

static int open_ring(wire *w, const char *file) {
    int fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) return -errno;
    void *memory = ftruncate(fd, RING_BYTES) < 0
        ? MAP_FAILED : mmap(NULL, RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    int error = memory == MAP_FAILED ? -errno : 0;
    close(fd);
    if (error == 0) w->cells = memory;
    return error;
}

static bool is_marked(const char *file, const char *mark) {
    char *path;
    if (!file || asprintf(&path, "%s.%s", file, mark) < 0) return false;
    bool marked = access(path, F_OK) == 0;
    free(path);
    return marked;
}

static int set_fault(wire *w, const char *file) {
    if (!file) return 0;
    w->gone = strdup(file);
    if (!w->gone || asprintf(&w->xrun, "%s.xrun", file) < 0 || asprintf(&w->hang, "%s.hang", file) < 0
        || asprintf(&w->still, "%s.still", file) < 0)
        return -ENOMEM;
    w->eager = is_marked(file, "eager");
    while (is_marked(file, "hangopen")) usleep(2000);
    return is_gone(w) ? -ENODEV : is_marked(file, "busy") ? -EBUSY : 0;
}

static int set_constraints(wire *w) {
    static const unsigned access[] = {SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_MMAP_INTERLEAVED};
    static const unsigned format[] = {SND_PCM_FORMAT_S16_LE};
    int error = snd_pcm_ioplug_set_param_list(&w->io, SND_PCM_IOPLUG_HW_ACCESS, 2, access);
    if (error >= 0) error = snd_pcm_ioplug_set_param_list(&w->io, SND_PCM_IOPLUG_HW_FORMAT, 1, format);
    if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(&w->io, SND_PCM_IOPLUG_HW_CHANNELS, 1, 1);
    if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(&w->io, SND_PCM_IOPLUG_HW_RATE, w->rate, w->rate);
    unsigned most = is_marked(w->gone, "small") ? 512 : 1 << 17;
    unsigned least = w->step > 1 ? (unsigned)w->step * 2 : 64;
    if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(&w->io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, least, most / 4);
    if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(&w->io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 128, most);
    if (error >= 0) error = snd_pcm_ioplug_set_param_minmax(&w->io, SND_PCM_IOPLUG_HW_PERIODS, 2, 64);
    return error;
}

static int create(snd_pcm_t **pcm, const char *name, snd_pcm_stream_t stream, int mode, const char *file,
                  const char *fault, long rate, double ppm) {
    wire *w = calloc(1, sizeof *w);
    if (!w) return -ENOMEM;
    w->rate = rate;
    w->speed = 1 + ppm * 1e-6;
    w->wakeup = 1;
    w->step = stream == SND_PCM_STREAM_PLAYBACK && is_marked(fault, "coarse") ? rate / 10 : 1;
    w->io.poll_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    int error = w->io.poll_fd < 0 ? -errno : set_fault(w, fault);
    if (error >= 0) error = open_ring(w, file);
    if (error < 0) {
        discard(w);
        return error;
    }
    w->io.version = SND_PCM_IOPLUG_VERSION;
    w->io.name = "wire";
    w->io.callback = &callbacks;
    w->io.private_data = w;
    w->io.poll_events = POLLIN;
    error = snd_pcm_ioplug_create(&w->io, name, stream, mode);
    if (error < 0) {
        discard(w);
        return error;
    }
    error = set_constraints(w);
    if (error < 0) {
        snd_pcm_ioplug_delete(&w->io);
        return error;
    }
    *pcm = w->io.pcm;
    return 0;
}

SND_PCM_PLUGIN_DEFINE_FUNC(wire) {
    const char *file[2] = {NULL, NULL}, *fault = NULL;
    double ppm = 0;
    long rate = 48000;
    snd_config_iterator_t entry, next;
    (void)root;
    snd_config_for_each(entry, next, conf) {
        snd_config_t *node = snd_config_iterator_entry(entry);
        const char *key;
        int error = snd_config_get_id(node, &key);
        if (error < 0) return error;
        if (!strcmp(key, "comment") || !strcmp(key, "type") || !strcmp(key, "hint")) continue;
        if (!strcmp(key, "playback")) error = snd_config_get_string(node, &file[SND_PCM_STREAM_PLAYBACK]);
        else if (!strcmp(key, "capture")) error = snd_config_get_string(node, &file[SND_PCM_STREAM_CAPTURE]);
        else if (!strcmp(key, "fault")) error = snd_config_get_string(node, &fault);
        else if (!strcmp(key, "rate")) error = snd_config_get_integer(node, &rate);
        else if (!strcmp(key, "ppm")) error = snd_config_get_ireal(node, &ppm);
        else error = -EINVAL;
        if (error < 0) {
            SNDERR("wire: bad or unknown field %s", key);
            return error;
        }
    }
    if (!file[stream] || rate < 8000 || rate > 192000 || ppm < -100000 || ppm > 100000) {
        SNDERR("wire: no file for this direction, or a rate out of range");
        return -EINVAL;
    }
    return create(pcmp, name, stream, mode, file[stream], fault, rate, ppm);
}
SND_PCM_PLUGIN_SYMBOL(wire);
