import Glibc
import Platform

/// A port of loopback that nobody uses.
enum FreePort {
    /// Another program may take it before it is used, which is unlikely: the kernel does not give it out again soon.
    static func find() throws(CommandError) -> UInt16 {
        let number = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw CommandError("a socket: \(SystemError.last)") }
        let descriptor = FileDescriptor(owning: number)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor.number, $0, length) == 0 && getsockname(descriptor.number, $0, &length) == 0
            }
        }
        guard isBound else { throw CommandError("a port: \(SystemError.last)") }
        return UInt16(bigEndian: address.sin_port)
    }
}
