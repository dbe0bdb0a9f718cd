import Base

/// One end of DTLS on a call's path, over all associations of the call. There is one in use, and at most one that is
/// about to replace it.
///
/// A far end that has lost its association, or wants another one, sends a ClientHello of epoch 0. The association in
/// use stays until the new handshake is done, with a certificate that is compared as before (RFC 6347 §4.2.8). Anybody
/// may send a ClientHello, so a cookie has to come back before a new handshake begins. A new handshake that fails or
/// never ends changes nothing.
///
/// Confined to one thread. A ClientHello without a cookie costs some microseconds, a handshake some milliseconds.
package struct DTLSAssociations: ~Copyable {
    package enum Event: Equatable, Sendable {
        /// An association has brought keys, which replace those before.
        case established(DTLSSession)
        /// The far end announced that it will send nothing more under the keys in use.
        case closed
        /// There will be no keys, or the association in use is broken.
        case failed(OpenSSLError)
        /// A new handshake brought no keys. Those in use stay.
        case kept(OpenSSLError)
    }

    /// How long a new handshake may take. `doubtedLimit` applies once both ends have agreed on yet another one.
    package static let limit = Duration.seconds(20)
    package static let doubtedLimit = Duration.seconds(3)

    private let context: DTLSContext
    private let settings: DTLSChannel.Settings
    /// Our role in the newest association.
    private var role: DTLSChannel.Role
    private var current: DTLSChannel
    private var next: DTLSChannel?
    private var nextUntil: Instant?
    /// Whether both ends agreed on another association during the next one's handshake. It begins if that brings no
    /// keys.
    private var isNextDoubted = false
    /// Answers ClientHellos with cookies. When a cookie comes back, this becomes the next association.
    private var doorway: DTLSChannel?
    /// The random bytes of ClientHellos that began a handshake. A copy begins none, although its cookie is right.
    private var begun: [[UInt8]] = []
    /// A copy of an older ClientHello costs a handshake within `allowance`.
    private static let mostBegun = 32
    /// Limits the handshakes that the far end may begin.
    private var allowance = RateLimit(burst: 8, interval: .seconds(5))
    private var hasStarted = false
    /// Whether an association has brought keys, which stay when the far end closes it.
    private var hasKeys = false
    /// Unsent datagrams of associations that are gone.
    private var leftover: [[UInt8]] = []
    /// Datagrams that do not prove the far end's address: those that were dropped, or only answered with a cookie.
    package private(set) var unproven = 0

    package init(_ context: DTLSContext, _ role: DTLSChannel.Role, _ settings: DTLSChannel.Settings) {
        self.context = context
        self.role = role
        self.settings = settings
        current = DTLSChannel(context, role, settings)
    }

    /// Begins the first handshake at the active end. `takeDatagrams()` then returns the datagrams to send.
    package mutating func start() -> [Event] {
        hasStarted = true
        return work { $0.start() }
    }

    /// Both ends agreed on another association, in which we have this role. A handshake without keys goes on instead,
    /// unless the roles change. It may have begun before we knew of the agreement, and the far end goes on with it for
    /// the same reason.
    package mutating func renew(as role: DTLSChannel.Role, at now: Instant) -> [Event] {
        let isOther = role != self.role
        self.role = role
        guard hasKeys else {
            guard isOther else { return [] }
            forgetNext()
            current = DTLSChannel(context, role, settings)
            return hasStarted ? start() : []
        }
        if let until = nextUntil, !isOther {
            isNextDoubted = role == .active
            nextUntil = isNextDoubted ? min(until, now + Self.doubtedLimit) : until
            return []
        }
        forgetNext()
        // The passive end waits for the far end's ClientHello.
        return role == .active ? begin(at: now) : []
    }

    private mutating func begin(at now: Instant) -> [Event] {
        advance(DTLSChannel(context, .active, settings), until: now + Self.limit, at: now) { $0.start() }
    }

    /// Handles a datagram from the far end. The owner recognises DTLS by the first byte (20 to 63, RFC 7983 §7).
    package mutating func receive(_ datagram: UnsafeRawBufferPointer, at now: Instant) -> [Event] {
        if role == .passive, let greeting = unsafe DTLSRecords.greeting(in: datagram), isNew(greeting) {
            return unsafe greeted(datagram, at: now)
        }
        let dropped = current.dropped
        var events = work { unsafe $0.receive(datagram) }
        // Only the keys show which association a record belongs to. Each association reads all, and drops the other's.
        if let next = next.take() {
            events += advance(next, until: nextUntil, at: now) { unsafe $0.receive(datagram) }
        }
        if current.isListening || current.dropped > dropped { unproven += 1 }
        return events
    }

    /// Whether a ClientHello begins a handshake other than the known ones.
    private func isNew(_ greeting: [UInt8]) -> Bool {
        !current.awaitsGreeting && current.greeting != greeting && !begun.contains(greeting)
    }

    /// Answers a ClientHello with a cookie. A ClientHello with the cookie begins a handshake, in place of an unfinished
    /// one.
    private mutating func greeted(_ datagram: UnsafeRawBufferPointer, at now: Instant) -> [Event] {
        var spent = allowance
        guard spent.admit(at: now) else {
            unproven += 1
            return []
        }
        var settings = settings
        settings.asksForCookie = true
        var channel = doorway.take() ?? DTLSChannel(context, .passive, settings)
        let events = unsafe channel.receive(datagram)
        guard !channel.isListening else {
            unproven += 1
            leftover += channel.takeDatagrams()
            doorway = consume channel
            return []
        }
        allowance = spent
        remember(channel.greeting)
        forgetNext()
        return advance(channel, until: now + Self.limit, at: now) { _ in events }
    }

    private mutating func remember(_ greeting: [UInt8]?) {
        guard let greeting, !begun.contains(greeting) else { return }
        if begun.count == Self.mostBegun { begun.removeFirst() }
        begun.append(greeting)
    }

    /// How long until something has to be repeated or given up; zero: now. Nil: nothing has to be.
    package func timeLeft(at now: Instant) -> Duration? {
        let repetition: Duration? =
            switch next {
            case .some(let next): next.timeLeft
            case .none: nil
            }
        return [current.timeLeft, repetition, nextUntil.map { $0 - now }].compactMap(\.self).min()
    }

    /// Repeats unanswered flights whose time is over, and gives up a new handshake that takes too long.
    package mutating func timedOut(at now: Instant) -> [Event] {
        var events = work { $0.timedOut() }
        guard let next = next.take() else { return events }
        guard let until = nextUntil, until > now else {
            return events + abandonNext(OpenSSLError("the far end did not finish the handshake in time"), at: now)
        }
        events += advance(next, until: until, at: now) { $0.timedOut() }
        return events
    }

    /// Announces the end to the far end. Nothing is read from now on.
    package mutating func close() {
        forgetNext()
        current.close()
    }

    /// The datagrams for the far end, of at most `DTLSChannel.datagramLimit` bytes; each is returned once.
    package mutating func takeDatagrams() -> [[UInt8]] {
        defer { leftover = [] }
        return leftover + current.takeDatagrams() + (next?.takeDatagrams() ?? [])
    }

    // MARK: The association in use

    private mutating func forgetNext() {
        next = nil
        nextUntil = nil
        isNextDoubted = false
        doorway = nil
    }

    /// The next association has brought no keys. Those in use stay. If both ends agreed on yet another one, it begins.
    private mutating func abandonNext(_ reason: OpenSSLError, at now: Instant) -> [Event] {
        let isDoubted = isNextDoubted
        forgetNext()
        guard hasKeys else { return [] }
        return isDoubted ? begin(at: now) : [.kept(reason)]
    }

    /// Runs a step of the association in use. If it fails before it has brought keys, the next one replaces it.
    private mutating func work(_ step: (inout DTLSChannel) -> [DTLSChannel.Event]) -> [Event] {
        let events = step(&current).map(Event.init)
        hasKeys = hasKeys || current.isEstablished
        guard !hasKeys, events.contains(where: \.isFailure), let next = next.take() else { return events }
        leftover += current.takeDatagrams()
        forgetNext()
        current = next
        return []
    }

    /// Runs a step of the next association. Once it has brought keys, it is the one in use.
    private mutating func advance(
        _ channel: consuming DTLSChannel, until: Instant?, at now: Instant,
        _ step: (inout DTLSChannel) -> [DTLSChannel.Event]
    ) -> [Event] {
        let events = step(&channel).map(Event.init)
        guard !channel.isEstablished else {
            leftover += current.takeDatagrams()
            remember(current.greeting)
            forgetNext()
            current = channel
            hasKeys = true
            return events
        }
        guard case .failed(let error)? = events.first else {
            nextUntil = until
            next = consume channel
            return events
        }
        leftover += channel.takeDatagrams()
        return abandonNext(error, at: now)
    }
}

extension DTLSAssociations.Event {
    fileprivate init(_ event: DTLSChannel.Event) {
        switch event {
        case .established(let session): self = .established(session)
        case .closed: self = .closed
        case .failed(let error): self = .failed(error)
        }
    }

    fileprivate var isFailure: Bool { if case .failed = self { true } else { false } }
}
