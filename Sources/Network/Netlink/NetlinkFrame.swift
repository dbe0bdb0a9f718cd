/// One message of the kernel's routing socket, without its header (netlink(7)).
package struct NetlinkFrame: Equatable, Sendable {
    /// The size of nlmsghdr: length, type, flags, sequence, port.
    static let headerBytes = 16

    package let type: UInt16
    /// The sequence number of the request that it answers.
    package let sequence: UInt32
    /// The range of its content.
    package let content: Range<Int>

    /// All messages of one read, in order. A length beyond the bytes ends the list.
    package static func all(in bytes: Span<UInt8>) -> [NetlinkFrame] {
        var frames: [NetlinkFrame] = []
        var start = 0
        while bytes.count - start >= headerBytes {
            let length = Int(clamping: bytes.native(at: start) as UInt32)
            guard length >= headerBytes, length <= bytes.count - start else { break }
            frames.append(
                NetlinkFrame(
                    type: bytes.native(at: start + 4), sequence: bytes.native(at: start + 8),
                    content: start + headerBytes..<start + length))
            start += length.alignedForNetlink
        }
        return frames
    }
}

extension Int {
    /// Messages and attributes begin at multiples of four bytes.
    var alignedForNetlink: Int { (self + 3) & ~3 }
}
