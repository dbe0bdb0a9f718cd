/// IPv4 or IPv6. A socket has one, and so has a relayed address.
public enum IPFamily: Hashable, Sendable { case version4, version6 }

extension IPAddress {
    public var family: IPFamily { isVersion6 ? .version6 : .version4 }
}
