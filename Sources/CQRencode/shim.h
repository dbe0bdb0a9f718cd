#ifndef CQRENCODE_SHIM_H
#define CQRENCODE_SHIM_H

#include "../CLoading/loading.h"

// The part of libqrencode's stable interface (libqrencode.so.4) that the phone uses. The library is loaded for the first
// code.

struct cqrencode_code {
    int version;
    int width;
    // `width` times `width` modules, row by row. A module is black if its lowest bit is set.
    unsigned char *data;
};

// qrencode.h, `QRecLevel`.
static const int CQRENCODE_LEVEL_L = 0;
static const int CQRENCODE_LEVEL_M = 1;
// qrencode.h, `QRencodeMode`: bytes, where no smaller mode fits.
static const int CQRENCODE_MODE_8 = 2;

// The functions, as `name, result, parameters`.
#define CQRENCODE_FUNCTIONS(X) \
    X(encodeString, struct cqrencode_code *, (const char *, int, int, int, int)) \
    X(free, void, (struct cqrencode_code *))

// The loaded functions. Only a table that `cqrencode_load` has filled is used.
struct cqrencode {
    CQRENCODE_FUNCTIONS(LOADING_MEMBER)
};

// Fills the table. Returns NULL, or why the library cannot be used, as `loading_load` does.
static inline const char *cqrencode_load(struct cqrencode *library) {
    static const char *const names[] = {CQRENCODE_FUNCTIONS(LOADING_NAME)};
    return loading_load("libqrencode.so.4", "QRcode_", names, sizeof names / sizeof *names, library);
}

#endif
