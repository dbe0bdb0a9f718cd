import Base
import SIPCore

/// A line's message as it was on the wire. It is masked when it is read, and never shows a secret.
public struct SignalTrace: Equatable, Sendable {
    public enum Direction: String, Sendable { case sent, received }

    public let at: Instant
    public let direction: Direction
    public let flow: Flow
    /// The bytes with their secrets. Only masked bytes leave this value.
    private let message: Redacted<[UInt8]>
    private let showsDigits: Bool

    /// - Parameter showsDigits: Whether to show digits that are sent in a call, which may be a PIN.
    init(_ bytes: [UInt8], _ direction: Direction, _ flow: Flow, at now: Instant, showsDigits: Bool) {
        self.showsDigits = showsDigits
        self.at = now
        self.direction = direction
        self.flow = flow
        message = Redacted(bytes)
    }

    /// The whole message, in which each byte of a secret is a `*` or an `x`. Secrets are credentials, media keys,
    /// passwords of ICE and of URIs, and digits unless they may be shown. Cost: one pass over the bytes.
    public var masked: [UInt8] { SignalMask.masked(message.reveal(), showsDigits: showsDigits) }
}
