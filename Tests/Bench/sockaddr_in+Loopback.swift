import Glibc

extension sockaddr_in {
    /// An address of the loopback network.
    public static func loopback(_ host: String, port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = unsafe inet_addr(host)
        return address
    }
}
