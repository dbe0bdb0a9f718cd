#ifndef CI2C_H
#define CI2C_H

/// Writes to devices on an I2C bus through the kernel's i2c-dev. `ioctl` is variadic, so Swift cannot call it.
///
/// All functions return -1 with `errno` on failure. They block for as long as the bus takes: some 3 ms for 32 bytes at
/// 100 kHz. The kernel gives up after about a second.

#include <stddef.h>
#include <stdint.h>

/// Limit of bytes after the first one in a write (I2C_SMBUS_BLOCK_MAX).
#define CI2C_BLOCK_MAX 32

/// Opens a bus for one device, and checks that it can write blocks (`EOPNOTSUPP`). `EBUSY`: a kernel driver uses the
/// device.
/// - Returns: A descriptor, for `close`.
int ci2c_open(const char *bus, uint8_t address);

/// Writes the first byte and up to `CI2C_BLOCK_MAX` more in one transfer.
int ci2c_write(int bus, uint8_t first, const uint8_t *rest, size_t count);

#endif
