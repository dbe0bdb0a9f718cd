#ifndef WIRE_H
#define WIRE_H

// ALSA finds the device by its symbols: there is nothing to include. See wire.c.

#endif
