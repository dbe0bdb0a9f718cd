import Base
import Glibc
import Platform

/// Where the page listens.
struct WebListening: Equatable {
    /// Every address of the machine.
    static let usual = "0.0.0.0:8088"
    /// For programs of this machine.
    static let here = "127.0.0.1:8088"
    private static let usualPort: UInt16 = 8_088

    let address: IPAddress
    let port: UInt16

    /// Whether only programs of this machine reach it.
    var isHere: Bool { address.isLoopback }

    init(_ address: IPAddress, port: UInt16) { (self.address, self.port) = (address, port) }

    /// Nil: the text is no `ADDRESS:PORT`, `[IPV6]:PORT` or `ADDRESS`. Names are not accepted.
    init?(_ text: String) {
        if let address = IPAddress(text) {
            self.init(address, port: Self.usualPort)
        } else if let place = HostAndPort(text), let address = IPAddress(place.host) {
            self.init(address, port: place.port ?? Self.usualPort)
        } else {
            return nil
        }
    }

    /// As in a configuration: every address of the machine is `0.0.0.0` or `::`.
    init?(_ http: HTTPSection) {
        guard let address = IPAddress(http.address) else { return nil }
        self.init(address, port: http.port)
    }
}

/// The names and addresses of this machine, as its page and its certificate show them.
struct WebNames: Equatable {
    /// The most addresses in a certificate. A machine with containers may have hundreds.
    private static let longest = 32
    private static let bytesOfName = 253

    /// Host names; empty if the machine has no usable one.
    let hosts: [String]
    /// Loopback first.
    let addresses: [IPAddress]
    /// The address for links: one that other machines reach, where there is one.
    let link: String

    /// - Parameters:
    ///   - host: The machine's own name.
    ///   - known: All its addresses.
    init(host: String, known: [IPAddress], listening: WebListening) {
        let name = Self.usable(host)
        hosts = name.map { $0.contains(".") || $0 == "localhost" ? [$0] : [$0, $0 + ".local"] } ?? []
        let isSix = listening.address.isVersion6
        let loopback = IPAddress(isSix ? "::1" : "127.0.0.1")
        let others = known.filter { $0.isVersion6 == isSix && !$0.isLoopback && !$0.isLinkLocal && !$0.isUnspecified }
        let isAny = listening.address.isUnspecified
        let shown = (isAny ? Array(others.prefix(Self.longest - 1)) : [listening.address]).filter { $0 != loopback }
        addresses = [loopback].compactMap(\.self) + shown
        let best = isAny ? shown.first : listening.address
        link = best.map(\.text.inBrackets) ?? hosts.first ?? "localhost"
    }

    /// Asks the machine.
    static func here(_ listening: WebListening) throws -> WebNames {
        var name = [CChar](repeating: 0, count: bytesOfName + 2)
        guard unsafe gethostname(&name, name.count - 1) == 0 else {
            throw CommandError("gethostname: \(SystemError.last)")
        }
        let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let interfaces = try HostInterface.listed().filter(\.isUp)
        return WebNames(host: host, known: interfaces.map(\.address), listening: listening)
    }

    /// The name in small letters; nil: `control.http.hosts` and a certificate cannot hold it.
    private static func usable(_ host: String) -> String? {
        let isPlain = host.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-.".utf8.contains($0) }
        return isPlain && (1...bytesOfName - 6).contains(host.utf8.count) ? host.lowercased() : nil
    }
}
