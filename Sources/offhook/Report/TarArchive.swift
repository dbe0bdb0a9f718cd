/// An archive of small texts, in the format that every tar reads (POSIX.1-2017, pax §"ustar Interchange Format").
package struct TarArchive {
    private static let block = 512
    /// The longest name that needs no prefix.
    private static let longestName = 100

    /// Ends without the two empty blocks that close an archive.
    private var content: [UInt8] = []
    /// In seconds since 1970.
    private let time: Int64

    package init(time: Int64) { self.time = time }

    /// The bytes of the file so far, closed.
    package var bytes: [UInt8] { content + [UInt8](repeating: 0, count: 2 * Self.block) }

    /// Appends a file that only its owner may read.
    package mutating func append(_ name: String, _ bytes: [UInt8]) {
        let name = Array(name.utf8)
        precondition(name.count <= Self.longestName, "the report's own names are short")
        var header = [UInt8](repeating: 0, count: Self.block)
        func put(_ text: some Collection<UInt8>, at place: Int) {
            header.replaceSubrange(place..<place + text.count, with: text)
        }
        put(name, at: 0)
        put("0000600".utf8, at: 100)
        put("0000000".utf8, at: 108)
        put("0000000".utf8, at: 116)
        put(Self.octal(Int64(bytes.count), digits: 11), at: 124)
        put(Self.octal(max(0, time), digits: 11), at: 136)
        put(repeatElement(UInt8(ascii: " "), count: 8), at: 148)
        put("0".utf8, at: 156)
        put("ustar".utf8, at: 257)
        put("00".utf8, at: 263)
        // The sum counts its own field as blanks.
        put(Self.octal(header.reduce(0) { $0 + Int64($1) }, digits: 6) + [0], at: 148)
        content += header + bytes
        content += repeatElement(0, count: (Self.block - bytes.count % Self.block) % Self.block)
    }

    private static func octal(_ number: Int64, digits: Int) -> [UInt8] {
        let text = String(number, radix: 8)
        return Array((String(repeating: "0", count: max(0, digits - text.count)) + text).utf8)
    }
}
