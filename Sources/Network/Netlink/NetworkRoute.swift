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
    package var source: [UInt8]

    package init(link: UInt32, source: [UInt8]) { (self.link, self.source) = (link, source) }

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
