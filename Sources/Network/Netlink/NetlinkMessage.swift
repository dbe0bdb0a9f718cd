import Base

/// The kernel's answers about links, addresses and routes, as far as the phone needs them (rtnetlink(7)).
package enum NetlinkMessage: Equatable, Sendable {
    case link(NetworkLink)
    case address(NetworkAddress)
    case route(NetworkRoute)
    /// The list is complete.
    case done
    /// The kernel rejects a request, or acknowledges it (0).
    case refused(code: Int32)
    /// Another message, or one that is too short for its kind.
    case other

    private enum Kind {
        static let refusal: UInt16 = 2
        static let done: UInt16 = 3
        static let link: UInt16 = 16
        static let address: UInt16 = 20
        static let route: UInt16 = 24
    }

    package init(_ frame: NetlinkFrame, in bytes: Span<UInt8>) {
        self =
            switch frame.type {
            case Kind.refusal: Self.refusal(bytes, frame.content)
            case Kind.done: .done
            case Kind.link: NetworkLink(bytes, frame.content).map { .link($0) } ?? .other
            case Kind.address: NetworkAddress(bytes, frame.content).map { .address($0) } ?? .other
            case Kind.route: NetworkRoute(bytes, frame.content).map { .route($0) } ?? .other
            default: .other
            }
    }

    /// nlmsgerr: a negative `errno`, then the header of the request.
    private static func refusal(_ bytes: Span<UInt8>, _ content: Range<Int>) -> NetlinkMessage {
        guard content.count >= 4 else { return .other }
        let code = Int32(bitPattern: bytes.native(at: content.lowerBound))
        return .refused(code: code == .min ? .max : -code)
    }
}

/// The kernel's answer to how it would send to an address.
package struct NetworkRoute: Equatable, Sendable {
    private enum Attribute {
        static let output: UInt16 = 4
        static let source: UInt16 = 7
    }

    /// The type of a route to another machine, not one that ends here or nowhere.
    private static let unicast: UInt8 = 1

    package var link: UInt32
    /// The machine's address from which it would send.
    package var source: IPAddress

    package init(link: UInt32, source: IPAddress) { (self.link, self.source) = (link, source) }

    /// rtmsg: family, two lengths, service, table, protocol, scope, type, flags.
    init?(_ bytes: Span<UInt8>, _ content: Range<Int>) {
        guard content.count >= 12, bytes[content.lowerBound + 7] == Self.unicast else { return nil }
        let attributes = NetlinkAttributes(bytes, in: content.lowerBound + 12..<content.upperBound)
        guard let link = attributes.number(Attribute.output, in: bytes),
            let source = attributes.address(Attribute.source, in: bytes)
        else { return nil }
        (self.link, self.source) = (link, source)
    }
}
