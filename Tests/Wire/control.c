// The mixer of a sound card for machines without one: two controls whose values are in a file that a test can read.
//
//   ctl_type.wire { lib "/path/libasound_module_pcm_wire.so" }
//   ctl.phone { type wire file "FILE" }
//
// FILE holds four numbers of 32 bits: Speaker's volume (0 to 64) and switch, Mic's volume (0 to 31) and switch.

#define _GNU_SOURCE
#ifndef PIC
#define PIC 1
#endif

#include <alsa/asoundlib.h>
#include <alsa/control_external.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    snd_ctl_ext_t ext;
    int file;
} card;

static const struct {
    const char *name;
    int type, most;
} controls[] = {
    {"Speaker Playback Volume", SND_CTL_ELEM_TYPE_INTEGER, 64},
    {"Speaker Playback Switch", SND_CTL_ELEM_TYPE_BOOLEAN, 1},
    {"Mic Capture Volume", SND_CTL_ELEM_TYPE_INTEGER, 31},
    {"Mic Capture Switch", SND_CTL_ELEM_TYPE_BOOLEAN, 1},
};
enum { CONTROLS = sizeof controls / sizeof *controls };

static int card_count(snd_ctl_ext_t *ext) {
    (void)ext;
    return CONTROLS;
}

static int card_list(snd_ctl_ext_t *ext, unsigned offset, snd_ctl_elem_id_t *id) {
    (void)ext;
    if (offset >= CONTROLS) return -EINVAL;
    snd_ctl_elem_id_set_interface(id, SND_CTL_ELEM_IFACE_MIXER);
    snd_ctl_elem_id_set_name(id, controls[offset].name);
    return 0;
}

static snd_ctl_ext_key_t card_find(snd_ctl_ext_t *ext, const snd_ctl_elem_id_t *id) {
    (void)ext;
    for (unsigned key = 0; key < CONTROLS; key++)
        if (strcmp(snd_ctl_elem_id_get_name(id), controls[key].name) == 0) return key;
    return SND_CTL_EXT_KEY_NOT_FOUND;
}

static int card_attribute(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, int *type, unsigned *access, unsigned *count) {
    (void)ext;
    *type = controls[key].type;
    *access = SND_CTL_EXT_ACCESS_READWRITE;
    *count = 1;
    return 0;
}

static int card_range(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *least, long *most, long *step) {
    (void)ext;
    *least = 0;
    *most = controls[key].most;
    *step = 0;
    return 0;
}

static int card_read(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
    int32_t number = 0;
    card *c = ext->private_data;
    if (pread(c->file, &number, sizeof number, (off_t)(key * sizeof number)) < 0) return -errno;
    *value = number;
    return 0;
}

static int card_write(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
    int32_t number = (int32_t)*value;
    card *c = ext->private_data;
    return pwrite(c->file, &number, sizeof number, (off_t)(key * sizeof number)) < 0 ? -errno : 1;
}

static int card_event(snd_ctl_ext_t *ext, snd_ctl_elem_id_t *id, unsigned *mask) {
    (void)ext, (void)id, (void)mask;
    return -EAGAIN;
}

static void card_close(snd_ctl_ext_t *ext) {
    card *c = ext->private_data;
    close(c->file);
    free(c);
}

static const snd_ctl_ext_callback_t callbacks = {
    .close = card_close, .elem_count = card_count, .elem_list = card_list, .find_elem = card_find,
    .get_attribute = card_attribute, .get_integer_info = card_range, .read_integer = card_read,
    .write_integer = card_write, .read_event = card_event,
};

static int create(snd_ctl_t **control, const char *name, int mode, const char *file) {
    card *c = calloc(1, sizeof *c);
    if (!c) return -ENOMEM;
    c->file = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (c->file < 0) {
        int error = -errno;
        free(c);
        return error;
    }
    c->ext.version = SND_CTL_EXT_VERSION;
    strncpy(c->ext.name, "wire", sizeof c->ext.name - 1);
    c->ext.poll_fd = -1;
    c->ext.callback = &callbacks;
    c->ext.private_data = c;
    int error = snd_ctl_ext_create(&c->ext, name, mode);
    if (error < 0) card_close(&c->ext);
    else *control = c->ext.handle;
    return error;
}

SND_CTL_PLUGIN_DEFINE_FUNC(wire) {
    (void)root;
    const char *file = NULL;
    snd_config_iterator_t at, next;
    snd_config_for_each(at, next, conf) {
        snd_config_t *entry = snd_config_iterator_entry(at);
        const char *id;
        if (snd_config_get_id(entry, &id) >= 0 && strcmp(id, "file") == 0) snd_config_get_string(entry, &file);
    }
    return file ? create(handlep, name, mode, file) : -EINVAL;
}

SND_CTL_PLUGIN_SYMBOL(wire);
