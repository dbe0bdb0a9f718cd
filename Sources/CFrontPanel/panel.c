#include "CFrontPanel.h"

static const unsigned char html[] = {
#embed "panel.html"
};

static const unsigned char css[] = {
#embed "panel.css"
};

static const unsigned char js[] = {
#embed "panel.js"
};

cfrontpanel_file cfrontpanel_html(void) { return (cfrontpanel_file){html, sizeof html}; }
cfrontpanel_file cfrontpanel_css(void) { return (cfrontpanel_file){css, sizeof css}; }
cfrontpanel_file cfrontpanel_js(void) { return (cfrontpanel_file){js, sizeof js}; }
