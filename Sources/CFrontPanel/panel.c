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

static const unsigned char words[] = {
#embed "words.js"
};

static const unsigned char link[] = {
#embed "link.js"
};

static const unsigned char page[] = {
#embed "page.js"
};

static const unsigned char bell[] = {
#embed "bell.js"
};

static const unsigned char phone[] = {
#embed "phone.js"
};

static const unsigned char ladder[] = {
#embed "ladder.js"
};

static const unsigned char views[] = {
#embed "views.js"
};

static const unsigned char cards[] = {
#embed "cards.js"
};

static const unsigned char setup[] = {
#embed "setup.js"
};

static const unsigned char setup_files[] = {
#embed "setup-files.js"
};

static const unsigned char setup_accounts[] = {
#embed "setup-accounts.js"
};

static const unsigned char backend[] = {
#embed "backend.js"
};

static const unsigned char keys[] = {
#embed "keys.js"
};

static const unsigned char setup_words[] = {
#embed "setup-words.js"
};

static const unsigned char fault_words[] = {
#embed "fault-words.js"
};

static const unsigned char health[] = {
#embed "health.js"
};

static const unsigned char touch[] = {
#embed "touch.js"
};

static const unsigned char manifest[] = {
#embed "manifest.webmanifest"
};

static const unsigned char icon[] = {
#embed "icon.png"
};

cfrontpanel_file cfrontpanel_html(void) { return (cfrontpanel_file){html, sizeof html}; }
cfrontpanel_file cfrontpanel_css(void) { return (cfrontpanel_file){css, sizeof css}; }
cfrontpanel_file cfrontpanel_js(void) { return (cfrontpanel_file){js, sizeof js}; }
cfrontpanel_file cfrontpanel_words(void) { return (cfrontpanel_file){words, sizeof words}; }
cfrontpanel_file cfrontpanel_link(void) { return (cfrontpanel_file){link, sizeof link}; }
cfrontpanel_file cfrontpanel_page(void) { return (cfrontpanel_file){page, sizeof page}; }
cfrontpanel_file cfrontpanel_bell(void) { return (cfrontpanel_file){bell, sizeof bell}; }
cfrontpanel_file cfrontpanel_phone(void) { return (cfrontpanel_file){phone, sizeof phone}; }
cfrontpanel_file cfrontpanel_ladder(void) { return (cfrontpanel_file){ladder, sizeof ladder}; }
cfrontpanel_file cfrontpanel_views(void) { return (cfrontpanel_file){views, sizeof views}; }
cfrontpanel_file cfrontpanel_cards(void) { return (cfrontpanel_file){cards, sizeof cards}; }
cfrontpanel_file cfrontpanel_setup(void) { return (cfrontpanel_file){setup, sizeof setup}; }
cfrontpanel_file cfrontpanel_keys(void) { return (cfrontpanel_file){keys, sizeof keys}; }
cfrontpanel_file cfrontpanel_backend(void) { return (cfrontpanel_file){backend, sizeof backend}; }
cfrontpanel_file cfrontpanel_setup_files(void) { return (cfrontpanel_file){setup_files, sizeof setup_files}; }
cfrontpanel_file cfrontpanel_setup_accounts(void) { return (cfrontpanel_file){setup_accounts, sizeof setup_accounts}; }
cfrontpanel_file cfrontpanel_setup_words(void) { return (cfrontpanel_file){setup_words, sizeof setup_words}; }
cfrontpanel_file cfrontpanel_fault_words(void) { return (cfrontpanel_file){fault_words, sizeof fault_words}; }
cfrontpanel_file cfrontpanel_health(void) { return (cfrontpanel_file){health, sizeof health}; }
cfrontpanel_file cfrontpanel_touch(void) { return (cfrontpanel_file){touch, sizeof touch}; }
cfrontpanel_file cfrontpanel_manifest(void) { return (cfrontpanel_file){manifest, sizeof manifest}; }
cfrontpanel_file cfrontpanel_icon(void) { return (cfrontpanel_file){icon, sizeof icon}; }
