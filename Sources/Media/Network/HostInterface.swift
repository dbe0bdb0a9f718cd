import Glibc

/// An address of this machine, and its interface.
struct HostInterface {
    let address: PeerAddress
    /// The kernel's index of the interface.
    let number: Int32
    let isUp: Bool

    /// All addresses, in the kernel's order. Takes a few system calls.
    static func listed() throws(MediaError) -> [HostInterface] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&list) == 0 else { throw .system("getifaddrs", errno) }
        defer { unsafe freeifaddrs(list) }
        var found: [HostInterface] = []
        var next = unsafe list
        while let entry = unsafe next {
            unsafe next = entry.pointee.ifa_next
            guard let address = unsafe entry.pointee.ifa_addr, let own = unsafe PeerAddress(address) else { continue }
            let number = Int32(bitPattern: unsafe if_nametoindex(entry.pointee.ifa_name))
            let isUp = unsafe entry.pointee.ifa_flags & UInt32(IFF_UP) != 0
            found.append(HostInterface(address: own, number: number, isUp: isUp))
        }
        return found
    }
}
