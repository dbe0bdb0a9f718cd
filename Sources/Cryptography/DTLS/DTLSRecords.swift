/// The records that OpenSSL wrote one behind another, in datagrams again.
enum DTLSRecords {
    /// Bytes of a record's header; the last two are the length of what follows (RFC 6347 §4.1).
    private static let headerLength = 13

    /// Puts as many records into each datagram as fit, and never cuts one.
    ///
    /// - Parameter limit: Bytes of a datagram. A record that is longer goes alone.
    static func datagrams(of bytes: [UInt8], limit: Int) -> [[UInt8]] {
        var datagrams: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let record = rest.prefix(length(of: rest))
            rest = rest.dropFirst(record.count)
            if let last = datagrams.last, last.count + record.count <= limit {
                datagrams[datagrams.count - 1] += record
            } else {
                datagrams.append(Array(record))
            }
        }
        return datagrams
    }

    private static func length(of records: ArraySlice<UInt8>) -> Int {
        guard records.count >= headerLength else { return records.count }
        let end = records.startIndex + headerLength
        return headerLength + Int(records[end - 2]) << 8 + Int(records[end - 1])
    }
}
