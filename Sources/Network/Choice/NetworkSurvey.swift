/// The kernel's report about the machine's network at one moment.
package struct NetworkSurvey: Equatable, Sendable {
    package var links: [NetworkLink] = []
    package var addresses: [NetworkAddress] = []
    /// The answers to `questions`: how the kernel would send to far destinations. Destinations without a route are
    /// absent.
    package var routes: [NetworkRoute] = []

    /// Destinations that stand for the rest of the world. Nothing is ever sent there. They are of the ranges for
    /// documentation (RFC 5737 §3, RFC 3849) and of the unique local addresses (RFC 4193). For the latter the kernel
    /// may choose another source than for global ones (RFC 6724 §5).
    package static let questions: [[UInt8]] = [
        [192, 0, 2, 1], [0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
        [0xFD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    ]

    /// More than any machine has. The rest is ignored.
    private static let limit = 4_096

    package init() {}

    package mutating func take(_ message: NetlinkMessage) {
        switch message {
        case .link(let link): if links.count < Self.limit { links.append(link) }
        case .address(let address): if addresses.count < Self.limit { addresses.append(address) }
        case .route(let route): if routes.count < Self.limit { routes.append(route) }
        case .done, .refused, .other: break
        }
    }
}
