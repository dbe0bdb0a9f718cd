import Base
import PhoneCore
import SIPCore

/// An attacker who wants to control the phones. It is three in one: a stranger who reads and writes every message on
/// the way, a hostile far end behind a permissive server, and that server itself. It breaks no cipher, and opens no
/// connection for a peer whose packets it cannot block.
struct Enemy: Sendable {
    /// Its address, and the address where it wants voice to go.
    static let endpoint = Flow.Endpoint("198.51.100.66", 5060)
    /// The address where its calls continue without the server. It forges nothing from there.
    static let elsewhere = Flow.Endpoint("198.51.100.99", 5060)
    /// An expensive number that no person here calls.
    static let premium = "009001234567"
    /// Its nonce: an answer would give it a hash for guessing the password.
    static let nonce = "evil"
    /// Messages that it remembers.
    private static let memory = 48

    /// Its next action.
    enum Attack: Sendable {
        /// A message of a stranger. It must have no effect.
        case forged(Datagram)
        /// A message that the account's own server forwards.
        case passedOn(Datagram)
        /// Voice and digits for the phone on this host, as from its far end: over UDP the signalling revealed the
        /// keys.
        case packets(host: String, [DTMFSymbol])
    }

    private var dice: Dice
    /// Whether the accounts are over TLS: then it reads nothing on the way, and may write from the server's own
    /// address.
    private let meetsTLS: Bool
    private var seen: [Datagram] = []
    /// The Call-IDs that the server has forwarded, in the order of their messages.
    private var passed: [String?] = []
    /// The calls whose far end it is.
    private(set) var calls: [String: HostileCall] = [:]
    /// The address of the other ends of those.
    private var phones: [String: Flow.Endpoint] = [:]
    private var made = 0

    init(meetsTLS: Bool, seed: UInt64) {
        self.meetsTLS = meetsTLS
        dice = Dice(seed: seed, "enemy")
    }

    // MARK: Reading

    /// A message passes it. Over TLS it sees nothing of it; the server does.
    mutating func see(_ datagram: Datagram) {
        if passed.count == Self.memory { passed.removeFirst() }
        passed.append(SimulatedLine.callID(in: datagram.bytes))
        guard datagram.transport != .tls else { return }
        if seen.count == Self.memory { seen.removeFirst() }
        seen.append(datagram)
    }

    /// Whether it answers a message on its way to the server: one of its calls, or a call that the server now routes
    /// to it.
    mutating func takes(_ datagram: Datagram, chance: Int) -> Bool {
        guard let callID = SimulatedLine.callID(in: datagram.bytes) else { return false }
        guard calls[callID] == nil else { return true }
        guard !passed.contains(callID),
            case .request(let request)? = try? SIPMessage(datagram.bytes.span), request.method == .invite,
            request.headers.contains(.proxyAuthorization) == false, dice.chance(percent: chance)
        else { return false }
        forget()
        made += 1
        let trick = dice.pick(
            dice.chance(.trickIsAChallenge)
                ? [.challenge, .proxyChallenge, .strongerChallenge] : HostileCall.Trick.allCases)
        calls[callID] = HostileCall(answering: request, trick: trick, number: made)
        return true
    }

    /// The server's false response to a registration. Nil: the true one.
    mutating func answers(registering datagram: Datagram, chance: Int) -> [Datagram]? {
        guard datagram.bytes.starts(with: Array("REGISTER ".utf8)), dice.chance(percent: chance),
            case .request(let request)? = try? SIPMessage(datagram.bytes.span)
        else { return nil }
        made += 1
        let answers = HostileServer(number: made).answers(to: request, dice.pick(HostileServer.Reply.allCases))
        return answers.map { Datagram($0, over: datagram.arrival, from: Proxy.endpoint) }
    }

    /// The changed message of a call between others. Nil: it stays unchanged.
    mutating func tampers(_ datagram: Datagram, chance: Int) -> (callID: String, instead: [Datagram])? {
        guard dice.chance(percent: chance), let callID = SimulatedLine.callID(in: datagram.bytes),
            calls[callID] == nil, let message = try? SIPMessage(datagram.bytes.span), Self.isOfACall(message)
        else { return nil }
        made += 1
        let bytes = dice.pick(Tampering.allCases).make(of: message, number: made)
        return (callID, bytes.map { datagram.saying($0) })
    }

    private static func isOfACall(_ message: SIPMessage) -> Bool {
        let sequence =
            switch message {
            case .request(let request): request.headers[.cSeq]
            case .response(let response): response.headers[.cSeq]
            }
        return sequence?.hasSuffix("REGISTER") == false
    }

    /// A message of a phone to it, as the far end of a call.
    mutating func hear(_ datagram: Datagram) -> [Datagram] {
        guard let callID = SimulatedLine.callID(in: datagram.bytes), var call = calls[callID] else { return [] }
        let answers = call.hear(datagram)
        calls[callID] = call
        phones[callID] = datagram.from
        return answers.map { Datagram($0, over: datagram.arrival, from: datagram.to) }
    }

    private mutating func forget() {
        guard calls.count > 32, let oldest = calls.min(by: { $0.value.number < $1.value.number }) else { return }
        calls[oldest.key] = nil
        phones[oldest.key] = nil
    }

    // MARK: Writing

    /// - Parameter hosts: The phones' addresses.
    mutating func attack(_ hosts: [String]) -> Attack? {
        made += 1
        let target = Flow.Endpoint(dice.pick(hosts), 5060)
        switch dice.choose(Attacking.self) {
        case .invites:
            forget()
            let call = HostileCall(number: made)
            calls[call.callID] = call
            let invite = call.invite(as: dice.pick(Mask.allCases), answersItself: dice.chance(.enemyAsksForAnAnswer))
            return .passedOn(passingOn(invite, to: target))
        case .speaksAsTheServer:
            let word = HostileServer(number: made).says(dice.pick(HostileServer.Word.allCases), to: target)
            return .passedOn(passingOn(word, to: target))
        case .speaksInACall: if let attack = attackInCall() { return attack }
        case .dialsACode:
            let code = dice.pick(dice.chance(.enemyDialsCodes) ? Rights.codes : [Rights.wrongCode])
            return .packets(host: target.host, Rights.symbols(dice.chance(.enemySendsVoiceOnly) ? "" : code + "#"))
        case .forges: break
        }
        guard let message = forgery(to: target) else { return nil }
        let (source, opener, transport) = dice.pick(sources(hosts))
        return .forged(Datagram(message.bytes, from: source, to: message.to, opener: opener, over: transport))
    }

    /// A message of the server to a phone on its behalf, over the way that the phone trusts.
    private func passingOn(_ bytes: [UInt8], to phone: Flow.Endpoint) -> Datagram {
        Datagram(bytes, from: Proxy.endpoint, to: phone, opener: meetsTLS ? .us : nil, over: .tls)
    }

    /// An attack in one of its active calls.
    private mutating func attackInCall() -> Attack? {
        let up = calls.values.filter(\.isUp).sorted { $0.number < $1.number }
        guard !up.isEmpty else { return nil }
        var call = dice.pick(up)
        guard let phone = phones[call.callID] else { return nil }
        let move = dice.chance(.enemyDialsCodes) ? dice.pick([Move.dial, .dial, .sweep]) : dice.pick(Move.allCases)
        let request = move.make(in: &call, code: dice.pick(Rights.codes))
        calls[call.callID] = call
        return request.map { .passedOn(passingOn($0, to: phone)) }
    }

    /// The addresses from which it can write: its own, the server's host, another host, and a connection that seems to
    /// come from the server's port. If that alone proves nothing to the phone: the server's exact address, and its own
    /// TLS.
    private func sources(_ hosts: [String]) -> [(Flow.Endpoint, Flow.Opener?, Flow.Transport)] {
        let everywhere: [(Flow.Endpoint, Flow.Opener?, Flow.Transport)] = [
            (Self.endpoint, nil, .udp), (Flow.Endpoint(Proxy.endpoint.host, 40_000), nil, .udp),
            (Proxy.endpoint, .peer, .tcp), (Flow.Endpoint(hosts[0], 5_999), nil, .udp),
        ]
        guard meetsTLS else { return everywhere }
        return everywhere + [(Proxy.endpoint, nil, .udp), (Self.endpoint, .peer, .tls), (Proxy.endpoint, .peer, .tls)]
    }

    private mutating func forgery(to target: Flow.Endpoint) -> (bytes: [UInt8], to: Flow.Endpoint)? {
        let forger = Forger(number: made)
        guard !seen.isEmpty, dice.chance(.enemyForgesWhatItSaw) else {
            return (forger.fresh(dice.pick(Forger.methods)).bytes, target)
        }
        let model = dice.pick(seen)
        guard let message = try? SIPMessage(model.bytes.span) else { return nil }
        // A phone sent it to the server, or the server sent it to a phone.
        let phone = model.to == Proxy.endpoint ? model.from : model.to
        if case .request(let request) = message, model.from == phone, dice.chance(.enemyForgesAResponse) {
            return (forger.response(to: request, dice.pick(Forger.statuses)).bytes, phone)
        }
        let isPhones = model.from == phone
        guard let forged = forger.inDialog(dice.pick(Forger.methods), like: message, isPhones: isPhones) else {
            return nil
        }
        return (forged.bytes, phone)
    }
}
