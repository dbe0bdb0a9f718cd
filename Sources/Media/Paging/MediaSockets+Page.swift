import Glibc

extension MediaSockets {
    /// Lets the voice socket send to groups.
    /// - Parameters:
    ///   - hops: The packets' time to live.
    ///   - addresses: This phone's addresses: pages leave through the interface that has one of them. Empty: the kernel
    ///     chooses the interface.
    func send(hops: UInt8, from addresses: [String]) throws(MediaError) {
        let wanted = addresses.compactMap { PeerAddress(host: $0, port: 0) }
        let interface = wanted.isEmpty ? 0 : try PageSocket.interface(of: wanted)
        let isSet: Bool
        var hops = Int32(hops)
        if isIPv6 {
            var index = interface
            isSet =
                set(Int32(IPPROTO_IPV6), IPV6_MULTICAST_HOPS, &hops)
                && set(Int32(IPPROTO_IPV6), IPV6_MULTICAST_IF, &index)
        } else {
            var request = ip_mreqn(imr_multiaddr: in_addr(), imr_address: in_addr(), imr_ifindex: interface)
            isSet =
                set(Int32(IPPROTO_IP), IP_MULTICAST_TTL, &hops)
                && set(Int32(IPPROTO_IP), IP_MULTICAST_IF, &request)
        }
        guard isSet else { throw .system("setsockopt", errno) }
    }

    private func set<Value: BitwiseCopyable>(_ level: Int32, _ option: Int32, _ value: inout Value) -> Bool {
        unsafe setsockopt(voice, level, option, &value, socklen_t(MemoryLayout<Value>.size)) == 0
    }
}
