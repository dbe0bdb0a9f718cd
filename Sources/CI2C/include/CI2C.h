#ifndef CI2C_H
#define CI2C_H

/// Writes to devices on an I2C bus by the kernel's i2c-dev. `ioctl` has no fixed arguments, so Swift cannot call it.
///
/// All functions return -1 with `errno` when they fail, and block for as long as the bus takes: some 3 ms for 32 bytes at
/// 100 kHz; the kernel gives up after about a second.

#include <stddef.h>
#include <stdint.h>

/// The bytes that follow the first one of a write, at most (I2C_SMBUS_BLOCK_MAX).
#define CI2C_BLOCK_MAX 32

/// Opens a bus for one device, and checks that it can write blocks (`EOPNOTSUPP`). `EBUSY`: a driver has the device.
/// - Returns: A descriptor, for `close`.
int ci2c_open(const char *bus, uint8_t address);

/// Writes the first byte and up to `CI2C_BLOCK_MAX` more in one transfer.
int ci2c_write(int bus, uint8_t first, const uint8_t *rest, size_t count);

#endif
