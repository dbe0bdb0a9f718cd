#ifndef CFRONTPANEL_H
#define CFRONTPANEL_H

#include <stddef.h>

/// The front panel's page, which is compiled into the program.

typedef struct {
    const unsigned char *bytes;
    size_t count;
} cfrontpanel_file;

cfrontpanel_file cfrontpanel_html(void);
cfrontpanel_file cfrontpanel_css(void);
cfrontpanel_file cfrontpanel_js(void);

#endif
