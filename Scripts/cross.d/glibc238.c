/* Functions of glibc 2.38 that Swift's runtime for arm64 calls, for Debian 12, which has glibc 2.36. The C23 functions differ
   from their older versions only by binary literals, which the runtime does not read. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long long __isoc23_strtoull(const char *text, char **end, int base) { return strtoull(text, end, base); }

int __isoc23_sscanf(const char *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int read = vsscanf(text, format, arguments);
    va_end(arguments);
    return read;
}

size_t strlcpy(char *copy, const char *text, size_t room) {
    size_t length = strlen(text);
    if (room > 0) {
        size_t kept = length < room ? length : room - 1;
        memcpy(copy, text, kept);
        copy[kept] = 0;
    }
    return length;
}

size_t strlcat(char *text, const char *more, size_t room) {
    size_t length = strnlen(text, room);
    return length == room ? room + strlen(more) : length + strlcpy(text + length, more, room - length);
}
