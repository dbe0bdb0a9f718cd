import CI2C
import Glibc
import Platform
import Synchronization

/// The bus to a display's controller. Confined to the display's thread.
package protocol DisplayBus: Sendable {
    /// Opens the bus and finds the device.
    func open() throws(DisplayError)
    /// - Parameter bytes: 1...33 of them, in one transfer.
    func write(_ bytes: [UInt8]) throws(DisplayError)
    func close()
}

/// A device on a kernel bus (i2c-dev).
final class KernelBus: DisplayBus {
    private let spec: DisplaySpec
    /// There is no contention: one thread opens, writes and closes.
    private let descriptor = Mutex<Int32>(-1)

    init(_ spec: DisplaySpec) { self.spec = spec }

    func open() throws(DisplayError) {
        let opened = unsafe ci2c_open(spec.bus, spec.address)
        guard opened >= 0 else { throw DisplayError(spec, Self.reason(errno)) }
        descriptor.withLock { $0 = opened }
    }

    func write(_ bytes: [UInt8]) throws(DisplayError) {
        precondition((1...1 + Int(CI2C_BLOCK_MAX)).contains(bytes.count), "more than one transfer carries")
        let rest = Array(bytes.dropFirst())
        guard unsafe ci2c_write(descriptor.withLock { $0 }, bytes[0], rest, rest.count) == 0 else {
            throw DisplayError(spec, Self.reason(errno))
        }
    }

    func close() {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { Glibc.close(descriptor) }
            descriptor = -1
        }
    }

    private static func reason(_ code: Int32) -> String {
        switch code {
        case ENXIO, EREMOTEIO, ENODEV: "no device answers at this address"
        case EBUSY: "a kernel driver uses this address"
        case EOPNOTSUPP: "this bus cannot write blocks"
        default: SystemError.text(code)
        }
    }
}
