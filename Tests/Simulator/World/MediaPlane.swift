import Base
import PhoneCore

/// The media of all phones: which packets would flow, and what the phones learn about it.
///
/// No packet is carried. Both ends and the network decide whether packets flow between two sessions; a phone gets the
/// changes as events, as from `Media`.
struct MediaPlane: Sendable {
    /// A phone's event, and its time.
    struct News: Sendable {
        let phone: Int
        let event: MediaEvent
        let after: Duration
    }

    /// Something to look at later.
    enum Check: Sendable {
        case silence(session: UInt64, turn: UInt64)
        case quality(session: UInt64)
    }

    static let patience = Duration.seconds(5)
    static let qualityPeriod = Duration.seconds(5)
    /// A digit and its pause; a comma.
    private static let digitTime = Duration.milliseconds(150)
    private static let pauseTime = Duration.seconds(2)

    private(set) var sessions: [MediaSession] = []
    private var dice: Dice
    private var made: UInt64 = 0
    private var news: [News] = []
    private var checks: [(check: Check, after: Duration)] = []
    private var pages = PagePlane()

    init(seed: UInt64) { dice = Dice(seed: seed, "media") }

    /// The results for calls since the last one.
    mutating func takeNews() -> (news: [News], checks: [(check: Check, after: Duration)]) {
        defer { (news, checks) = ([], []) }
        return (news, checks)
    }

    // MARK: The phones' effects

    mutating func perform(_ effect: MediaEffect, of phone: Int, host: String, _ network: Network, at now: Instant) {
        switch effect {
        case .open(let call, _): open(call, of: phone, host: host)
        case .connect(let call, let plan):
            edit(phone, call) { $0.plan = plan }
            if dice.chance(.mediaFindsNoKeys) {
                tell(phone, .failed(call, "no keys"), within: .milliseconds(20))
            } else {
                tell(phone, .ready(call), within: .milliseconds(20))
            }
        case .update(let call, let plan): edit(phone, call) { $0.plan = plan }
        case .activate(let call):
            edit(phone, call) { $0.isActive = true }
            if let session = session(phone, call) {
                checks.append((.quality(session: session.name), Self.qualityPeriod))
            }
        case .microphone(let call, let open): edit(phone, call) { $0.isMicrophoneOpen = open }
        case .dtmf(let call, let elements, _): send(elements, phone, call)
        case .release(let call): sessions.removeAll { $0.phone == phone && $0.call == call }
        case .sendPage(let page):
            for (listener, event) in pages.send(page?.group, of: phone) {
                let isOver = if case .pageEnded = event { true } else { false }
                news.append(News(phone: listener, event: event, after: isOver ? .seconds(1) : .milliseconds(40)))
            }
        case .joinPages: pages.join(phone)
        // Its microphone hears its loudspeaker.
        case .testSound(let test?):
            tell(phone, .soundTested(test.number, .heard(before: -80, during: -40)), within: .seconds(2))
        // No simulated phone does ICE, or is allowed to record or to play files or music.
        case .gather, .holdMusic, .tone, .ring, .keyClick, .route, .pause, .volume, .conference, .record, .play, .page,
            .testSound(nil):
            return
        }
        settle(network, at: now)
    }

    /// The process has ended, and its sockets with it.
    mutating func drop(phone: Int, _ network: Network, at now: Instant) {
        sessions.removeAll { $0.phone == phone }
        for (listener, event) in pages.leave(phone) {
            news.append(News(phone: listener, event: event, after: .seconds(1)))
        }
        settle(network, at: now)
    }

    /// The phone has another address: its sockets listen on every one.
    mutating func move(phone: Int, to host: String, _ network: Network, at now: Instant) {
        for index in sessions.indices where sessions[index].phone == phone {
            sessions[index].address = MediaAddress(host: host, port: sessions[index].address.port)
        }
        settle(network, at: now)
    }

    private mutating func open(_ call: CallID, of phone: Int, host: String) {
        guard !dice.chance(.mediaFindsNoPort) else {
            return tell(phone, .failed(call, "no port"), within: .milliseconds(10))
        }
        made += 1
        let port = 16_384 + 2 * UInt16(made % 20_000)
        sessions.append(
            MediaSession(name: made, phone: phone, call: call, address: MediaAddress(host: host, port: port)))
        tell(phone, .opened(call, MediaEndpoint(port: port)), within: .milliseconds(10))
    }

    private mutating func send(_ elements: [DTMFElement], _ phone: Int, _ call: CallID) {
        guard let sender = session(phone, call) else { return }
        let receivers = sessions.filter { sender.sends(to: $0) && $0.inflow == .flowing }
        var time = Duration.zero
        for element in elements {
            switch element {
            case .pause: time += Self.pauseTime
            case .symbol(let symbol):
                time += Self.digitTime
                for receiver in receivers {
                    news.append(News(phone: receiver.phone, event: .dtmfReceived(receiver.call, symbol), after: time))
                }
            }
        }
        news.append(News(phone: phone, event: .dtmfSent(call), after: time))
    }

    private mutating func tell(_ phone: Int, _ event: MediaEvent, within time: Duration) {
        news.append(News(phone: phone, event: event, after: dice.duration(in: .zero...time)))
    }

    // MARK: A stranger on the way

    /// A holder of the keys sends as the far end of a listening call: digits, and voice, which ends a silence. False
    /// if no call of this phone listens.
    mutating func forge(_ symbols: [DTMFSymbol], for phone: Int, at now: Instant) -> Bool {
        guard let index = sessions.firstIndex(where: { $0.phone == phone && $0.expectsVoice }) else { return false }
        let session = sessions[index]
        if !session.wasHeard { tell(phone, .firstVoice(session.call), within: .milliseconds(60)) }
        sessions[index].wasHeard = true
        if case .silent = session.inflow {
            tell(phone, .heard(session.call), within: .milliseconds(20))
            sessions[index].inflow = awaited(session.name, at: now)
        }
        for (place, symbol) in symbols.enumerated() {
            let time = Self.digitTime * (place + 1)
            news.append(News(phone: phone, event: .dtmfReceived(session.call, symbol), after: time))
        }
        return true
    }

    // MARK: Flow of packets

    /// Computes the current flow of packets. To be called whenever the network changes.
    mutating func settle(_ network: Network, at now: Instant) {
        for index in sessions.indices {
            let receiver = sessions[index]
            let arrives = sessions.contains { sender in
                sender.sends(to: receiver) && !network.isCutOff(sender.address.host)
                    && !network.isCutOff(receiver.address.host)
            }
            sessions[index].inflow = next(receiver, arrives: arrives, at: now)
            if arrives && receiver.expectsVoice { sessions[index].wasHeard = true }
        }
    }

    private mutating func next(_ session: MediaSession, arrives: Bool, at now: Instant) -> MediaSession.Inflow {
        guard session.expectsVoice else { return .off }
        if arrives {
            if !session.wasHeard { tell(session.phone, .firstVoice(session.call), within: .milliseconds(60)) }
            if case .silent = session.inflow { tell(session.phone, .heard(session.call), within: .milliseconds(20)) }
            return .flowing
        }
        switch session.inflow {
        case .awaited, .silent: return session.inflow
        case .off, .flowing: return awaited(session.name, at: now)
        }
    }

    /// Packets should come from now on; after a while without any it is silence.
    private mutating func awaited(_ session: UInt64, at now: Instant) -> MediaSession.Inflow {
        made += 1
        checks.append((.silence(session: session, turn: made), Self.patience))
        return .awaited(turn: made, since: now)
    }

    mutating func look(_ check: Check) {
        switch check {
        case .silence(let name, let turn):
            guard let index = sessions.firstIndex(where: { $0.name == name }),
                case .awaited(turn, let since) = sessions[index].inflow
            else { return }
            sessions[index].inflow = .silent(since: since)
            tell(sessions[index].phone, .silent(sessions[index].call), within: .zero)
        case .quality(let name):
            guard let session = sessions.first(where: { $0.name == name }) else { return }
            let score = session.inflow == .flowing ? Double(dice.int(in: 20...44)) / 10 : nil
            tell(session.phone, .quality(session.call, VoiceQuality(opinionScore: score)), within: .zero)
            checks.append((check, Self.qualityPeriod))
        }
    }

    // MARK: Reading state

    func hasSessions(of phone: Int) -> Bool { sessions.contains { $0.phone == phone } }

    func session(_ phone: Int, _ call: CallID) -> MediaSession? {
        sessions.first { $0.phone == phone && $0.call == call }
    }

    private mutating func edit(_ phone: Int, _ call: CallID, _ change: (inout MediaSession) -> Void) {
        guard let index = sessions.firstIndex(where: { $0.phone == phone && $0.call == call }) else { return }
        change(&sessions[index])
    }
}
