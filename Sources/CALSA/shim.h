#ifndef CALSA_SHIM_H
#define CALSA_SHIM_H

#include <alsa/asoundlib.h>
#include <sys/ioctl.h>

// alsa-lib tells its troubles on stderr unless it is given another handler, which is variadic and so cannot be Swift.
// The same troubles come back as error numbers, which Media reports.
static void calsa_ignore(const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

// snd_pcm_link and snd_pcm_unlink of alsa-lib 1.2 take the data of a "plug" that has nothing to convert for those of the
// device below it, and fail. A device of the kernel's is polled by its own descriptor: the kernel is asked itself, by the
// numbers of <sound/asound.h>, which cannot be had beside <alsa/asoundlib.h>.
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
