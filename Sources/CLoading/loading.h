#ifndef CLOADING_LOADING_H
#define CLOADING_LOADING_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>

// Libraries that are loaded when they are first used. Their headers are not needed for building, and a phone that does
// not use such a library does not map it. A shim lists the functions as `name, result, parameters` in a macro, makes a
// table of pointers of it with LOADING_MEMBER, and names of it with LOADING_NAME.

#define LOADING_MEMBER(name, result, parameters) result(*name) parameters;
#define LOADING_NAME(name, result, parameters) #name,

// Loads the library and looks up its functions. It stays loaded.
//   - prefix: What the names of all functions begin with.
//   - functions: The table, a pointer for each name, in the same order.
// Returns NULL, or why the library cannot be used: a text of the dynamic linker, or the name of a function that is
// missing. The text is valid until the thread's next call of this function or of the linker.
static inline const char *loading_load(
    const char *file, const char *prefix, const char *const *names, size_t count, void *functions) {
    static _Thread_local char text[128];
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!handle) return dlerror();
    for (size_t index = 0; index < count; index++) {
        snprintf(text, sizeof text, "%s%s", prefix, names[index]);
        void *found = dlsym(handle, text);
        if (!found) {
            snprintf(text, sizeof text, "%s%s is missing", prefix, names[index]);
            return text;
        }
        ((void **)functions)[index] = found;
    }
    return NULL;
}

#endif
