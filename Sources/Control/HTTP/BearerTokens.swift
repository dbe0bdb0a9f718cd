import Base
import Cryptography
import PhoneCore

/// The valid tokens for HTTP, by their digests.
struct BearerTokens {
    /// In bytes. A longer text cannot be a token of the phone.
    private static let longest = 128
    private static let digestBytes = 32

    /// Nil until the vault has answered.
    var all: [ControlToken]?

    var areKnown: Bool { all != nil }

    /// The phone's record of a valid token; nil for any other text. Compares every digest completely, so that the time
    /// of the answer reveals nothing.
    /// - Parameter isTried: Whether to compare the text with this token at all.
    func bearer(of token: String, where isTried: (ControlToken) -> Bool) -> ControlToken? {
        guard token.utf8.count <= Self.longest, let tried = all?.filter(isTried), !tried.isEmpty else { return nil }
        let digest = Digest.sha256(Array(token.utf8))
        var bearer: ControlToken?
        for known in tried where equalsInConstantTime(known.digest, digest, length: Self.digestBytes) {
            bearer = known
        }
        return bearer
    }

    func knows(_ token: ControlToken) -> Bool { all?.contains(token) ?? false }

    func knows(digest: [UInt8]) -> Bool { all?.contains { $0.digest == digest } ?? false }
}

/// The addresses from which each token was used. An attacker who guesses tokens delays others at the same address, but
/// not those whose tokens were already used there.
package struct UsedTokens {
    /// The number of remembered addresses for each token. The one used least recently is forgotten first. One token
    /// cannot displace the addresses of another.
    package static let addressLimit = 16

    /// The addresses of each token, by its digest; the most recent address is last.
    private var addresses: [[UInt8]: [[UInt8]]] = [:]

    package var count: Int { addresses.values.reduce(0) { $0 + $1.count } }

    package init() {}

    package func includes(_ digest: [UInt8], from address: [UInt8]) -> Bool {
        addresses[digest]?.contains(address) ?? false
    }

    package mutating func note(_ digest: [UInt8], from address: [UInt8]) {
        var known = addresses[digest] ?? []
        guard known.last != address else { return }
        known.removeAll { $0 == address }
        if known.count >= Self.addressLimit { known.removeFirst() }
        addresses[digest] = known + [address]
    }

    /// Forgets removed tokens.
    package mutating func keep(_ isKnown: ([UInt8]) -> Bool) { addresses = addresses.filter { isKnown($0.key) } }
}

/// Delays an address that sends wrong tokens, longer each time.
///
/// While an address must wait, only tokens that were used from there before are still accepted: see `UsedTokens`. The
/// log gets one report.
package struct GuessGuard {
    /// Wrong tokens before an address must wait.
    package static let freeGuesses = 5
    package static let longestWait = Duration.seconds(60)
    /// The number of remembered addresses. The one that was quiet longest is forgotten first.
    package static let limit = 256
    /// After this quiet time, an address starts from zero.
    private static let memory = Duration.seconds(600)

    private struct Guesses {
        var wrong = 0
        var until: Instant
    }

    private var guesses = SourceTable<[UInt8], Guesses>(limit: limit)

    package var count: Int { guesses.count }

    package init() {}

    /// How long this address must still wait; nil: it may try.
    package func wait(of address: [UInt8], at now: Instant) -> Duration? {
        guard let until = guesses[address]?.until, until > now else { return nil }
        return until - now
    }

    /// - Returns: Whether the address must now wait for the first time.
    package mutating func noteWrong(from address: [UInt8], at now: Instant) -> Bool {
        var known = guesses[address] ?? Guesses(until: now)
        if let last = guesses.last(of: address), now - last > Self.memory { known.wrong = 0 }
        known.wrong += 1
        let excess = known.wrong - Self.freeGuesses
        if excess >= 0 { known.until = now + min(Self.longestWait, .seconds(1 << min(excess, 6))) }
        guesses.note(known, of: address, at: now)
        return excess == 0
    }
}
