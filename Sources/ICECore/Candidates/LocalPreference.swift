/// The preferences of our addresses in checks (RFC 8445 §5.1.2.1, RFC 8421).
enum LocalPreference {
    /// IPv6 and IPv4 take turns, in the order of preference within each. So a family that does not work delays the
    /// other by one check, not by all its checks (RFC 8421 §4).
    /// - Returns: A preference for each family in the order given. All differ, with room between them for servers.
    static func interleaved(_ families: [IPFamily]) -> [UInt16] {
        let ranks = families.indices.map { index in
            let before = families[..<index].count { $0 == families[index] }
            return 2 * before + (families[index] == families.first ? 0 : 1)
        }
        return ranks.map { UInt16(clamping: Int(UInt16.max) - 256 * $0) }
    }
}
