import Glibc

/// Addresses that need no name service, as inet_pton(3) reads them.
enum NumericAddress {
    static func isVersion4(_ text: String) -> Bool { reads(text, as: AF_INET) }

    static func isVersion6(_ text: String) -> Bool { reads(text, as: AF_INET6) }

    private static func reads(_ text: String, as family: Int32) -> Bool {
        // Large enough for either family.
        var address = in6_addr()
        return unsafe inet_pton(family, text, &address) == 1
    }
}
