#ifndef CQRENCODE_SHIM_H
#define CQRENCODE_SHIM_H

#include <dlfcn.h>
#include <stddef.h>

// The part of libqrencode's stable interface (libqrencode.so.4) that the phone uses. The library is loaded for the first
// code, so its header is not needed for building, and a phone that shows no code does not map it.

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

struct cqrencode {
    struct cqrencode_code *(*encode)(const char *, int, int, int, int);
    void (*free)(struct cqrencode_code *);
};

// Loads the library and looks up its functions. It stays loaded.
// Returns NULL, or why it cannot be used. The text is valid until the thread's next call of the dynamic linker.
static inline const char *cqrencode_load(struct cqrencode *library) {
    void *handle = dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!handle) return dlerror();
    *(void **)&library->encode = dlsym(handle, "QRcode_encodeString");
    *(void **)&library->free = dlsym(handle, "QRcode_free");
    return library->encode && library->free ? NULL : "a function is missing";
}

#endif
