import Base

/// A client of one TURN server, for one relayed address (RFC 8656). A value without a clock and without a socket.
///
///     idle ──start──► allocating ──success──► allocated ──close──► closing ──answer or silence──► ended
///                       │ └──failure──► ended ◄──failure, expiry──┘   ▲
///                       └──close──► abandoning ──success──────────────┘
///
/// It requests a permission for each peer that gets a packet, and renews it as long as the allocation lives. The
/// constants below bound everything that it keeps; the excess is dropped and counted. A redirection (300) is not
/// followed.
public struct TURNClient: Sendable {
    public enum Event: Equatable, Sendable {
        case start
        /// One message from the server: a datagram, or a message from `TURNStreamFramer`.
        case received([UInt8])
        /// Permit packets from this address.
        case permit(IPAddress)
        /// Bind a channel to this peer, so that its many packets have short headers.
        case bind(TransportAddress)
        case send([UInt8], to: TransportAddress)
        /// The relayed address is no longer needed.
        case close
        case transportLost
        case deadline
    }

    public enum Effect: Equatable, Sendable {
        /// Bytes to send to the server.
        case transmit([UInt8])
        case allocated(TURNAllocation)
        /// The server does not permit this peer (403), or the peer has another address family.
        case refused(IPAddress)
        /// Packets to and from this peer have this number before them from now on.
        case bound(TransportAddress, channel: UInt16)
        case received([UInt8], from: TransportAddress)
        /// The last effect.
        case ended(TURNEnd)
    }

    enum State: Equatable, Sendable {
        case idle, allocating, allocated, closing
        /// Closed before the server has answered: a granted allocation is released.
        case abandoning
        case ended
    }

    /// The requested lifetime (RFC 8656 §7.2). The server may grant another one.
    static let lifetime: UInt32 = 600
    /// The longest lifetime that is accepted.
    static let longestLifetime: UInt32 = 3_600
    /// How long before the end of its lifetime an allocation is refreshed. It leaves time for every repetition.
    static let refreshMargin: Duration = .seconds(60)
    /// A permission lasts 300 s, a channel 600 s; binding a channel renews both (RFC 8656 §9, §12).
    static let renewal: Duration = .seconds(240)
    /// A NAT on the way to the server drops the binding after some 30 s without a packet (RFC 4787 §4.3 says two
    /// minutes).
    static let keepAlive: Duration = .seconds(15)
    /// How long packets may go out while none comes in. Then a refresh checks that the server still has the allocation,
    /// because a restarted server does not report its loss. And how often that is repeated while nothing comes.
    static let (doubt, doubtPause): (Duration, Duration) = (.seconds(2), .seconds(10))
    /// Room for every address of the far end in a session.
    static let peerLimit = ICETiming.remoteLimit
    static let channelLimit = 16
    /// The most packets that wait for a permission.
    static let heldLimit = 8

    let isReliable: Bool
    /// The family of the relayed address.
    let family: IPFamily
    var authentication: LongTermAuthentication
    var generator: any RandomNumberGenerator & Sendable
    private(set) var state = State.idle
    var transactions: [Transaction] = []
    /// Whether an old allocation for our address was released. That is tried only once.
    var hasReclaimed = false
    var refreshAt: Instant?
    var expiresAt: Instant?
    var keepAliveAt: Instant?
    /// When the first packet was sent since the last one arrived; and when a refresh was sent because of it.
    var unheardSince: Instant?
    var doubtedAt: Instant?
    var permissions: [Permission] = []
    var channels: [Channel] = []
    var held: [(peer: TransportAddress, data: [UInt8])] = []
    /// Packets and messages that were dropped: useless, unproven, from peers without permission, or too many.
    public internal(set) var dropped = 0

    /// - Parameters:
    ///   - isReliable: Whether the server is reached over a stream.
    ///   - family: The family of the relayed address.
    public init(
        credentials: LongTermCredentials, isReliable: Bool, family: IPFamily = .version4, hashes: STUNHashes,
        generator: any RandomNumberGenerator & Sendable
    ) {
        (self.isReliable, self.family, self.generator) = (isReliable, family, generator)
        authentication = LongTermAuthentication(credentials, hashes)
    }

    public var isEnded: Bool { state == .ended }

    /// Whether the owner has closed it, or it has ended.
    var isLeaving: Bool {
        switch state {
        case .idle, .allocating, .allocated: false
        case .closing, .abandoning, .ended: true
        }
    }

    public var deadline: Instant? {
        guard state != .ended else { return nil }
        let renewals = permissions.compactMap(\.renewAt) + channels.compactMap(\.renewAt)
        return Instant.earliest(
            transactions.lazy.map(\.retransmission.deadline).min(), refreshAt, expiresAt, keepAliveAt, renewals.min())
    }

    public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        switch (state, event) {
        case (.idle, .start):
            state = .allocating
            ask(.allocate, at: now, &effects)
        case (.idle, .close): end(.closed, &effects)
        case (.idle, .transportLost), (.allocating, .transportLost), (.allocated, .transportLost),
            (.abandoning, .transportLost), (.closing, .transportLost):
            end(.transportLost, &effects)
        case (.allocating, .received(let bytes)), (.allocated, .received(let bytes)),
            (.abandoning, .received(let bytes)), (.closing, .received(let bytes)):
            received(bytes, at: now, &effects)
        case (.allocated, .permit(let address)): permit(address, at: now, &effects)
        case (.allocated, .bind(let peer)): bind(peer, at: now, &effects)
        case (.allocated, .send(let data, let peer)): send(data, to: peer, at: now, &effects)
        case (.allocating, .close): state = .abandoning
        case (.allocated, .close): release(at: now, &effects)
        case (.allocating, .deadline), (.allocated, .deadline), (.abandoning, .deadline), (.closing, .deadline):
            deadlineReached(at: now, &effects)
        // Packets can be relayed only while there is a relayed address.
        case (.idle, .send), (.allocating, .send), (.abandoning, .send), (.closing, .send), (.ended, .send),
            (.idle, .received),
            (.ended, .received):
            dropped += 1
        case (.idle, .permit), (.allocating, .permit), (.abandoning, .permit), (.closing, .permit), (.ended, .permit):
            break
        case (.idle, .bind), (.allocating, .bind), (.abandoning, .bind), (.closing, .bind), (.ended, .bind): break
        case (.allocating, .start), (.allocated, .start), (.abandoning, .start), (.closing, .start), (.ended, .start):
            break
        case (.abandoning, .close), (.closing, .close), (.ended, .close), (.ended, .transportLost), (.idle, .deadline),
            (.ended, .deadline):
            break
        }
        if !isReliable, state == .allocated, keepAliveAt == nil || effects.contains(where: \.isTransmission) {
            keepAliveAt = now + Self.keepAlive
        }
        return effects
    }

    /// The server granted an allocation, or its refresh.
    mutating func granted(_ answer: STUNMessage, at now: Instant, _ effects: inout [Effect]) {
        let seconds = answer.number(AttributeType.lifetime, as: UInt32.self) ?? Self.lifetime
        let lifetime = Duration.seconds(min(seconds, Self.longestLifetime))
        guard state != .abandoning else { return release(at: now, &effects) }
        guard seconds > 0 else { return end(state == .allocated ? .mismatch : .malformed, &effects) }
        if state == .allocating {
            guard let relayed = answer.address(AttributeType.xorRelayedAddress), relayed.port > 0,
                relayed.address.isVersion6 == (family == .version6)
            else { return end(.malformed, &effects) }
            state = .allocated
            effects.append(
                .allocated(TURNAllocation(relayed: relayed, mapped: answer.mappedAddress, lifetime: lifetime)))
        }
        expiresAt = now + lifetime
        refreshAt = now + max(lifetime - Self.refreshMargin, lifetime / 2)
    }

    /// Releases the allocation at the server (RFC 8656 §8): a refresh with a lifetime of zero.
    private mutating func release(at now: Instant, _ effects: inout [Effect]) {
        state = .closing
        transactions = []
        (permissions, channels, held) = ([], [], [])
        (refreshAt, keepAliveAt) = (nil, nil)
        ask(.release, at: now, &effects)
    }

    /// - Parameter why: The reason. After a close by the owner, it is always `closed`.
    mutating func end(_ why: TURNEnd, _ effects: inout [Effect]) {
        let isClosed = state == .closing || state == .abandoning
        state = .ended
        transactions = []
        (permissions, channels, held) = ([], [], [])
        (refreshAt, expiresAt, keepAliveAt, unheardSince) = (nil, nil, nil, nil)
        effects.append(.ended(isClosed ? .closed : why))
    }

    private mutating func deadlineReached(at now: Instant, _ effects: inout [Effect]) {
        if let expiresAt, expiresAt <= now { return end(.silent, &effects) }
        repeatRequests(at: now, &effects)
        guard state == .allocated else { return }
        if let refreshAt, refreshAt <= now {
            self.refreshAt = nil
            ask(.refresh, at: now, &effects)
        }
        renew(at: now, &effects)
        if let keepAliveAt, keepAliveAt <= now {
            effects.append(.transmit(STUNMessage(.indication, id: .init(using: &generator)).bytes))
        }
    }
}

extension TURNClient.Effect {
    fileprivate var isTransmission: Bool { if case .transmit = self { true } else { false } }
}

/// Methods of RFC 8656 §17.
package enum TURNMethod {
    package static let allocate: UInt16 = 3
    package static let refresh: UInt16 = 4
    package static let send: UInt16 = 6
    package static let data: UInt16 = 7
    package static let createPermission: UInt16 = 8
    package static let channelBind: UInt16 = 9
}

/// An allocation that a TURN server has granted (RFC 8656 §7.3).
public struct TURNAllocation: Equatable, Sendable {
    /// The address at which peers reach us.
    public let relayed: TransportAddress
    /// Our address as the server sees it. Over UDP it is a server-reflexive candidate.
    public let mapped: TransportAddress?
    /// How long it lasts without a refresh.
    public let lifetime: Duration

    package init(relayed: TransportAddress, mapped: TransportAddress?, lifetime: Duration) {
        (self.relayed, self.mapped, self.lifetime) = (relayed, mapped, lifetime)
    }
}

/// Why a TURN client has lost its allocation, or never got one.
public enum TURNEnd: Equatable, Sendable {
    /// Asked for by the owner.
    case closed
    /// The server does not answer.
    case silent
    /// The connection to the server is gone.
    case transportLost
    /// The server does not accept the credentials, or its challenge is untrustworthy: 401, 441, or too many 438.
    case unauthorized
    /// The server redirects us to another server (300). That one is not configured, and would get the credentials.
    case redirected
    /// The server knows our address for another allocation (437) that cannot be given back, or no longer knows ours.
    case mismatch
    /// The user has too many allocations (486).
    case quotaReached
    /// The server is full (508).
    case insufficientCapacity
    /// Any other failure, with its code.
    case refused(Int)
    /// The server granted something unusable: no relayed address, or a lifetime of zero.
    case malformed
}
