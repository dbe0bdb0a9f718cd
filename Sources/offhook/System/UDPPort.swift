import Glibc
import Platform

/// Checks UDP ports of this machine by binding them for a moment.
enum UDPPort {
    /// An unused port on loopback. Another program could take it before it is used. That is unlikely, because the
    /// kernel does not hand it out again soon.
    static func free() throws(CommandError) -> UInt16 {
        switch bound("127.0.0.1", 0) {
        case .success(let port): return port
        case .failure(let error): throw CommandError("no free UDP port: \(SystemError.text(error.code))")
        }
    }

    /// The system's reason why a port cannot be used; nil if it can.
    /// - Parameter host: A numeric IPv4 address.
    static func fault(_ host: String, _ port: UInt16) -> String? {
        switch bound(host, port) {
        case .success: nil
        case .failure(let error): SystemError.text(error.code)
        }
    }

    private struct Refusal: Error {
        let code: Int32
    }

    private static func bound(_ host: String, _ port: UInt16) -> Result<UInt16, Refusal> {
        let number = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return .failure(Refusal(code: errno)) }
        defer { _ = close(number) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard unsafe inet_pton(AF_INET, host, &address.sin_addr) == 1 else { return .failure(Refusal(code: EINVAL)) }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(number, $0, length) == 0 && getsockname(number, $0, &length) == 0
            }
        }
        return isBound ? .success(UInt16(bigEndian: address.sin_port)) : .failure(Refusal(code: errno))
    }
}
