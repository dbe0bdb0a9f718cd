/// Times and limits of ICE.
public enum ICETiming {
    /// Ta: the least time between two new transactions, of gathering and of checks together (RFC 8445 §14.2).
    public static let pace: Duration = .milliseconds(50)
    /// RTO: the least time after which a request is repeated (RFC 8445 §14.3).
    static let retransmission: Duration = .milliseconds(500)
    /// The mean time between two consent checks, and its random spread (RFC 7675 §5.1).
    static let consentInterval: Duration = .seconds(5)
    static let consentJitter: ClosedRange<Int64> = 800...1_200
    /// After this time without an answer nothing more is sent (RFC 7675 §5.1).
    static let consentExpiry: Duration = .seconds(30)
    /// After this time without an answer the far end may choose a path of lower priority. One answer may be lost.
    static let consentDoubt: Duration = .seconds(8)
    /// After this time without an answer, another path should be looked for: two consent checks were lost.
    static let doubt: Duration = .seconds(15)
    /// How long the old path is used after a restart without an answer on it.
    static let trial: Duration = .milliseconds(500)
    /// PAC: no session fails earlier, because the far end's checks may open what ours could not (RFC 8863 §4).
    static let patience: Duration = .milliseconds(39_500)
    /// How long the controlling side waits for a better pair after the first valid one. Media flow during that time.
    static let directPatience: Duration = .milliseconds(100)
    /// How long it waits if all pairs found so far are relayed: until the eighth check of a direct one.
    static let relayedPatience: Duration = .milliseconds(3_600)
    /// How long candidates that are no longer needed are kept (RFC 8445 §8.3).
    static let release: Duration = .seconds(3)
    /// How often a NAT binding is renewed until it is known whether it is needed (RFC 8445 §5.1.1.4).
    static let keepAlive: Duration = .seconds(15)
    /// When streams to TURN servers are tried if datagrams have brought no relayed address.
    static let streamDelay: Duration = .milliseconds(500)

    static let pairLimit = 100
    static let localLimit = 64
    static let remoteLimit = 64
    /// The most checks that are kept until the far end's description arrives.
    static let earlyLimit = 16
    static let transactionLimit = 200
    static let nameLimit = 8
    static let socketLimit = 8
    static let serverLimit = 4
    /// The most allocations at a time, and in an agent's life.
    static let relayLimit = 6
    static let relayTotal = 48
}
