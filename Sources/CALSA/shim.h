#ifndef CALSA_SHIM_H
#define CALSA_SHIM_H

#include <alsa/asoundlib.h>

// alsa-lib tells its troubles on stderr unless it is given another ear, which is variadic and so cannot be Swift.
// The same troubles come back as error numbers, which Media reports.
static void calsa_ignore(const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

static inline int calsa_silence(void) { return snd_lib_error_set_handler(calsa_ignore); }

#endif
