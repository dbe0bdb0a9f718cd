#ifndef CALSA_SHIM_H
#define CALSA_SHIM_H

#include <alsa/asoundlib.h>
#include <sys/ioctl.h>

// alsa-lib prints errors to stderr unless it has another handler. A handler is variadic, so it cannot be Swift. Media
// reports the same errors, which alsa-lib also returns as error numbers.
static void calsa_ignore(const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

// snd_pcm_link and snd_pcm_unlink of alsa-lib 1.2 fail for a "plug" that converts nothing: they mistake its data for
// those of the device below it. So this calls the kernel directly, on the descriptor that the device polls, with the
// numbers of <sound/asound.h>. That header cannot be included beside <alsa/asoundlib.h>.
#define CALSA_LINK _IOW('A', 0x60, int)
#define CALSA_UNLINK _IO('A', 0x61)

static inline int calsa_descriptor(snd_pcm_t *pcm) {
    struct pollfd descriptor;
    return snd_pcm_poll_descriptors_count(pcm) == 1 && snd_pcm_poll_descriptors(pcm, &descriptor, 1) == 1
        ? descriptor.fd : -1;
}

// 0, or -1 if these cannot be linked.
static inline int calsa_link(snd_pcm_t *one, snd_pcm_t *other) {
    return ioctl(calsa_descriptor(one), CALSA_LINK, calsa_descriptor(other));
}

static inline int calsa_unlink(snd_pcm_t *pcm) { return ioctl(calsa_descriptor(pcm), CALSA_UNLINK); }

static inline int calsa_silence(void) { return snd_lib_error_set_handler(calsa_ignore); }

#endif
