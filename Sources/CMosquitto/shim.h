#ifndef CMOSQUITTO_SHIM_H
#define CMOSQUITTO_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../CLoading/loading.h"

// The part of libmosquitto's stable interface (libmosquitto.so.1, since 2.0) that the phone uses. The library is loaded
// when it is first used.

struct mosquitto;

struct mosquitto_message {
    int mid;
    char *topic;
    void *payload;
    int payloadlen;
    int qos;
    bool retain;
};

// mosquitto.h, `enum mosq_opt_t`.
static const int CMOSQUITTO_PROTOCOL_VERSION = 1;
static const int CMOSQUITTO_SSL_CTX = 2;
static const int CMOSQUITTO_SSL_CTX_WITH_DEFAULTS = 3;
static const int CMOSQUITTO_RECEIVE_MAXIMUM = 4;
static const int CMOSQUITTO_TCP_NODELAY = 11;

// mqtt_protocol.h, `enum mqtt5_property`.
static const int CMOSQUITTO_SESSION_EXPIRY_INTERVAL = 17;
static const int CMOSQUITTO_MAXIMUM_PACKET_SIZE = 39;

// mosquitto.h, `enum mosq_err_t`.
static const int CMOSQUITTO_INVALID_ARGUMENT = 3;
static const int CMOSQUITTO_SYSTEM_ERROR = 14;
static const int CMOSQUITTO_NAME_ERROR = 15;

// mosquitto.h, log levels.
static const int CMOSQUITTO_LOG_ERROR = 0x08;

typedef void (*cmosquitto_on_connect)(struct mosquitto *, void *, int, int);
typedef void (*cmosquitto_on_disconnect)(struct mosquitto *, void *, int);
typedef void (*cmosquitto_on_message)(struct mosquitto *, void *, const struct mosquitto_message *);
typedef void (*cmosquitto_on_subscribe)(struct mosquitto *, void *, int, int, const int *);
typedef void (*cmosquitto_on_log)(struct mosquitto *, void *, int, const char *);

// The functions, as `name, result, parameters`.
#define CMOSQUITTO_FUNCTIONS(X) \
    X(lib_init, int, (void)) \
    X(new, struct mosquitto *, (const char *, bool, void *)) \
    X(user_data_set, void, (struct mosquitto *, void *)) \
    X(destroy, void, (struct mosquitto *)) \
    X(int_option, int, (struct mosquitto *, int, int)) \
    X(void_option, int, (struct mosquitto *, int, void *)) \
    X(threaded_set, int, (struct mosquitto *, bool)) \
    X(username_pw_set, int, (struct mosquitto *, const char *, const char *)) \
    X(will_set, int, (struct mosquitto *, const char *, int, const void *, int, bool)) \
    X(property_add_int32, int, (void **, int, uint32_t)) \
    X(property_free_all, void, (void **)) \
    X(connect_bind_v5, int, (struct mosquitto *, const char *, int, int, const char *, const void *)) \
    X(connect_async, int, (struct mosquitto *, const char *, int, int)) \
    X(disconnect, int, (struct mosquitto *)) \
    X(subscribe, int, (struct mosquitto *, int *, const char *, int)) \
    X(publish, int, (struct mosquitto *, int *, const char *, int, const void *, int, bool)) \
    X(loop_read, int, (struct mosquitto *, int)) \
    X(loop_write, int, (struct mosquitto *, int)) \
    X(loop_misc, int, (struct mosquitto *)) \
    X(want_write, bool, (struct mosquitto *)) \
    X(socket, int, (struct mosquitto *)) \
    X(ssl_get, void *, (struct mosquitto *)) \
    X(connect_with_flags_callback_set, void, (struct mosquitto *, cmosquitto_on_connect)) \
    X(disconnect_callback_set, void, (struct mosquitto *, cmosquitto_on_disconnect)) \
    X(message_callback_set, void, (struct mosquitto *, cmosquitto_on_message)) \
    X(subscribe_callback_set, void, (struct mosquitto *, cmosquitto_on_subscribe)) \
    X(log_callback_set, void, (struct mosquitto *, cmosquitto_on_log)) \
    X(strerror, const char *, (int)) \
    X(connack_string, const char *, (int)) \
    X(reason_string, const char *, (int))

// The loaded functions. Only a table that `cmosquitto_load` has filled is used.
struct cmosquitto {
    CMOSQUITTO_FUNCTIONS(LOADING_MEMBER)
};

// Fills the table. Returns NULL, or why the library cannot be used, as `loading_load` does.
static inline const char *cmosquitto_load(struct cmosquitto *library) {
    static const char *const names[] = {CMOSQUITTO_FUNCTIONS(LOADING_NAME)};
    return loading_load("libmosquitto.so.1", "mosquitto_", names, sizeof names / sizeof *names, library);
}

#endif
