import Glibc

/// A numeric address as a packet writes it: 4 or 16 bytes.
struct InternetAddress: Equatable {
    let bytes: [UInt8]

    /// Both ends in one family: an IPv4 address beside an IPv6 one is mapped into it (RFC 4291 §2.5.5.2). What is no
    /// address is the unspecified one.
    static func pair(_ first: String, _ second: String) -> (InternetAddress, InternetAddress) {
        let (first, second) = (InternetAddress(first), InternetAddress(second))
        guard first.bytes.count != second.bytes.count else { return (first, second) }
        return (first.mapped, second.mapped)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private init(_ text: String) {
        // An interface behind a link-local address is nothing that a packet says.
        let text = String(text.prefix { $0 != "%" })
        var bytes = [UInt8](repeating: 0, count: 16)
        if unsafe inet_pton(AF_INET6, text, &bytes) == 1 {
            self.bytes = bytes
        } else {
            // Left as it is, all zeros, by what is none.
            _ = unsafe inet_pton(AF_INET, text, &bytes)
            self.bytes = Array(bytes.prefix(4))
        }
    }

    private var mapped: InternetAddress {
        bytes.count == 16 ? self : InternetAddress(bytes: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes)
    }
}
