#include "CI2C.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int give_up(int bus, int error) {
    close(bus);
    errno = error;
    return -1;
}

int ci2c_open(const char *path, uint8_t address) {
    int bus = open(path, O_RDWR | O_CLOEXEC);
    if (bus < 0) return -1;
    unsigned long functions = 0;
    if (ioctl(bus, I2C_FUNCS, &functions) < 0) return give_up(bus, errno);
    const unsigned long needed = I2C_FUNC_SMBUS_WRITE_BYTE | I2C_FUNC_SMBUS_WRITE_I2C_BLOCK;
    if ((functions & needed) != needed) return give_up(bus, EOPNOTSUPP);
    if (ioctl(bus, I2C_SLAVE, (unsigned long)address) < 0) return give_up(bus, errno);
    return bus;
}

int ci2c_write(int bus, uint8_t first, const uint8_t *rest, size_t count) {
    union i2c_smbus_data data;
    struct i2c_smbus_ioctl_data transfer = {.read_write = I2C_SMBUS_WRITE, .command = first};
    if (count > CI2C_BLOCK_MAX) {
        errno = EINVAL;
        return -1;
    }
    if (count == 0) {
        transfer.size = I2C_SMBUS_BYTE;
    } else {
        data.block[0] = (uint8_t)count;
        memcpy(&data.block[1], rest, count);
        transfer.size = I2C_SMBUS_I2C_BLOCK_DATA;
        transfer.data = &data;
    }
    return ioctl(bus, I2C_SMBUS, &transfer) < 0 ? -1 : 0;
}
