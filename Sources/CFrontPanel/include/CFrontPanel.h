#ifndef CFRONTPANEL_H
#define CFRONTPANEL_H

#include <stddef.h>

/// The front panel's page, compiled into the program.

typedef struct {
    const unsigned char *bytes;
    size_t count;
} cfrontpanel_file;

cfrontpanel_file cfrontpanel_html(void);
cfrontpanel_file cfrontpanel_css(void);
cfrontpanel_file cfrontpanel_js(void);
cfrontpanel_file cfrontpanel_words(void);
cfrontpanel_file cfrontpanel_link(void);
cfrontpanel_file cfrontpanel_page(void);
cfrontpanel_file cfrontpanel_bell(void);
cfrontpanel_file cfrontpanel_phone(void);
cfrontpanel_file cfrontpanel_ladder(void);
cfrontpanel_file cfrontpanel_views(void);
cfrontpanel_file cfrontpanel_cards(void);
cfrontpanel_file cfrontpanel_setup(void);
cfrontpanel_file cfrontpanel_keys(void);
cfrontpanel_file cfrontpanel_setup_files(void);
cfrontpanel_file cfrontpanel_setup_accounts(void);
cfrontpanel_file cfrontpanel_backend(void);
cfrontpanel_file cfrontpanel_setup_words(void);
cfrontpanel_file cfrontpanel_fault_words(void);
cfrontpanel_file cfrontpanel_health(void);
cfrontpanel_file cfrontpanel_touch(void);
cfrontpanel_file cfrontpanel_manifest(void);
cfrontpanel_file cfrontpanel_icon(void);

#endif
