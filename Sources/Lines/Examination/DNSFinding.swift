/// The result of a DNS query for a server's name.
package enum DNSFinding: Equatable, Sendable {
    /// Numeric addresses, in the order in which they are to be tried.
    case found([String])
    /// DNS answers that the name does not exist, or that it has no address.
    case unknown
    /// No name server answers.
    case silence
}
