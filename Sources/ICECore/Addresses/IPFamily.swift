/// IPv4 or IPv6. Sockets and relayed addresses have one of them.
public enum IPFamily: Hashable, Sendable { case version4, version6 }

extension IPAddress {
    public var family: IPFamily { isVersion6 ? .version6 : .version4 }
}
