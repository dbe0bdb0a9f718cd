#ifndef COPUS_SHIM_H
#define COPUS_SHIM_H

#include <opus.h>

// opus_encoder_ctl and opus_decoder_ctl are variadic, which Swift cannot call. All settings that we use are 32-bit
// numbers.
static inline int copus_encoder_set(OpusEncoder *encoder, int request, opus_int32 value) {
    return opus_encoder_ctl(encoder, request, value);
}

static inline opus_int32 copus_encoder_lookahead(OpusEncoder *encoder) {
    opus_int32 samples = 0;
    opus_encoder_ctl(encoder, OPUS_GET_LOOKAHEAD(&samples));
    return samples;
}

static inline int copus_decoder_set(OpusDecoder *decoder, int request, opus_int32 value) {
    return opus_decoder_ctl(decoder, request, value);
}

#endif
