import Base
import CallerInfoCore
import JSON
import PhoneCore

/// The second source of incoming calls, and of credentials for other organisations.
///
/// It learns of a call when the proxy does, and informs the called phones: before the offer, after it, late, twice,
/// not at all, or of a call that no line ever offers.
struct Backend: Sendable {
    /// How a call is reported.
    enum Manner: CaseIterable, Sendable {
        case silent, before, after, late, instead
    }

    /// A message on its way to a phone. `at` is when the backend sent it.
    struct Message: Sendable {
        enum Kind: Sendable { case incoming, ended, invalid }

        let number: String
        let kind: Kind
        let ids: [String]
        let caller: String
        let name: String?
        let organisation: Organisation?
        let at: Instant
        let after: Duration
    }

    /// The time of day in a world, in nanoseconds since 1970. Worlds begin on the same day.
    static func wallTime(at instant: Instant) -> Int64 { 1_790_000_000_000_000_000 + instant.nanoseconds }

    struct Decision: Sendable {
        /// Nil: no phone is called at all.
        var forkAfter: Duration?
        var messages: [Message] = []
    }

    static let home = Organisation(id: OrganisationID("home"), name: "Home", slug: "home")
    static let other = Organisation(id: OrganisationID("other"), name: "Other", slug: "other")

    private var dice: Dice
    private let isThere: Bool
    /// The reported data of a call, for its end: by its Call-ID.
    private var told: [String: [Message]] = [:]

    init(isThere: Bool, seed: UInt64) {
        self.isThere = isThere
        dice = Dice(seed: seed, "backend")
    }

    mutating func asked(_ inquiry: Proxy.Inquiry, at now: Instant) -> Decision {
        guard isThere else { return Decision(forkAfter: .zero) }
        let manner = dice.chance(.callIsToldAfterwards) ? .after : dice.pick(Manner.allCases)
        var decision = Decision(forkAfter: .zero)
        let delay: Duration
        switch manner {
        case .silent: return decision
        case .before:
            delay = dice.duration(in: .zero ... .milliseconds(200))
            decision.forkAfter = dice.duration(in: .milliseconds(50) ... .milliseconds(6_000))
        case .after: delay = dice.duration(in: .zero ... .milliseconds(600))
        case .late: delay = dice.duration(in: .milliseconds(500) ... .seconds(14))
        case .instead:
            delay = dice.duration(in: .zero ... .seconds(1))
            decision.forkAfter = nil
        }
        let organisation: Organisation? =
            dice.chance(.organisationIsUnnamed) ? nil : dice.chance(.organisationIsHome) ? Self.home : Self.other
        let ids = dice.chance(.callIsNamed) ? [inquiry.callID] : []
        let name: String? = dice.chance(.callerIsNamed) ? "Caller \(inquiry.caller)" : nil
        for number in inquiry.targets {
            decision.messages.append(
                Message(
                    number: number, kind: .incoming, ids: ids, caller: written(inquiry.caller), name: name,
                    organisation: organisation, at: now, after: delay))
        }
        told[inquiry.callID] = decision.messages
        if told.count > 256 { told = [inquiry.callID: decision.messages] }
        decision.messages += repeated(decision.messages)
        return decision
    }

    /// A phone took the call; the others are informed.
    mutating func answered(_ callID: String, by number: String, at now: Instant) -> [Message] {
        guard let messages = told.removeValue(forKey: callID), dice.chance(.endIsTold) else { return [] }
        let delay =
            dice.chance(.endIsToldSoon)
            ? dice.duration(in: .zero ... .milliseconds(300)) : dice.pause(mean: .seconds(4))
        let ended = messages.filter { $0.number != number }.map {
            Message(
                number: $0.number, kind: .ended, ids: $0.ids, caller: $0.caller, name: $0.name,
                organisation: $0.organisation, at: now, after: delay)
        }
        return ended + repeated(ended)
    }

    /// QoS 1: at least once.
    private mutating func repeated(_ messages: [Message]) -> [Message] {
        guard dice.chance(.messageIsRepeated) else { return [] }
        let more = dice.pause(mean: .seconds(2))
        return messages.map {
            Message(
                number: $0.number, kind: dice.chance(.repetitionIsInvalid) ? .invalid : $0.kind, ids: $0.ids,
                caller: $0.caller,
                name: $0.name, organisation: $0.organisation, at: $0.at, after: $0.after + more)
        }
    }

    /// Backends write numbers in many formats.
    private mutating func written(_ number: String) -> String {
        dice.chance(.numberIsDecorated) ? "(\(number))" : number
    }

    // MARK: Organisations

    /// - Returns: the answer, and its delay; nil if none comes.
    mutating func switched(to id: OrganisationID, user: String) -> (event: BackendEvent, after: Duration)? {
        let after =
            dice.chance(.switchIsQuick)
            ? dice.pause(mean: .milliseconds(600)) : dice.duration(in: .seconds(3) ... .seconds(6))
        guard !dice.chance(.switchIsForgotten) else { return nil }
        guard !dice.chance(.switchFails) else {
            return (.switchFailed(dice.pick([.network, .api(503, "try later"), .parse])), after)
        }
        return (.switched(Self.context(for: id == Self.other.id ? Self.other : Self.home, user: user)), after)
    }

    static func context(for organisation: Organisation, user: String) -> OrganisationContext {
        OrganisationContext(
            account: SimulatedPhone.account, organisation: organisation,
            credentials: AccountCredentials(user: user, password: Redacted("sesame")))
    }
}

extension Backend.Message {
    /// The message on the wire to the broker.
    var payload: [UInt8] {
        let kind: CallerInfoMessage.Kind =
            switch self.kind {
            case .incoming, .invalid: .incomingCall
            case .ended: .callEnded
            }
        let seconds = Double(Backend.wallTime(at: at)) / 1e9
        var members: [String: JSONValue] = [
            "type": .string(kind.rawValue), "timestamp": .number(seconds), "channel_number": .string(number),
            // A number is a text.
            "caller_number": self.kind == .invalid ? .integer(7) : .string(caller),
        ]
        if let name { members["caller_name"] = .string(name) }
        if let organisation {
            members["organization_id"] = .string(organisation.id.rawValue)
            members["organization_name"] = .string(organisation.name)
            members["organization_slug"] = organisation.slug.map { .string($0) }
        }
        for (key, id) in zip(["call_id", "call_session_id", "call_control_id"], ids) { members[key] = .string(id) }
        return Array(JSONValue.object(members).text.utf8)
    }
}
