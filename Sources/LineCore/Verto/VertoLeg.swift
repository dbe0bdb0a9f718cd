import Base
import SDPCore
import VertoCore

/// One call of a line that speaks Verto.
///
///     inviting ─answer─► up ─bye─►
///     offered ──answer──► up
struct VertoLeg: Sendable {
    enum Stage: Sendable {
        /// Our call. The negotiation has our offer outstanding. A copy may have concluded it early.
        case inviting(MediaNegotiation, early: MediaNegotiation?)
        /// A call to us, unanswered.
        case offered(SessionDescription)
        /// We answered, and the server has not confirmed it.
        case answering(MediaNegotiation)
        case up(MediaNegotiation)
        /// Hung up here.
        case ending(EndReason)
    }

    /// Our move to other addresses, until its result is reported.
    enum Move: Sendable {
        case none
        /// The request was sent to the server. Nil: the media use the line's own address.
        case asked(LocalICE?)
        /// The request waits until the server has the call again.
        case waiting(LocalICE?)
    }

    let call: VertoCallID
    var stage: Stage
    /// The far end, as the server named it last.
    var party = VertoParty()
    /// Whether we hold the far end. The server does that, and no description changes.
    var isHeld = false
    /// The far end's candidates that came one by one after its last description, as values of `a=candidate`.
    private(set) var trickled: [String] = []
    /// The medium in our last description that our candidates belong to: its place, counted from 0, and its `a=mid`.
    private(set) var medium: (place: Int, name: String?) = (0, nil)
    var move = Move.none
    /// Whether the server may have lost the call. We cannot ask it about the call until it has given the call back.
    var isRecovering = false
    /// Until then our last answer counts as a move, because it has started a new session from our present address. Nil:
    /// no such answer, or it has already settled a move.
    var renewedUntil: Instant?

    init(_ call: VertoCallID, _ stage: Stage) { (self.call, self.stage) = (call, stage) }

    var negotiation: MediaNegotiation? {
        switch stage {
        case .inviting(let negotiation, _), .answering(let negotiation), .up(let negotiation): negotiation
        case .offered, .ending: nil
        }
    }

    /// The negotiation for our next description, with an outstanding offer withdrawn and an early answer included. Nil:
    /// we have sent no description.
    var resting: MediaNegotiation? {
        guard var negotiation else { return nil }
        if case .inviting(_, let early?) = stage { negotiation = early }
        if negotiation.isOffering { negotiation.withdraw() }
        return negotiation
    }

    /// Continues from another answer of this phone.
    mutating func resume(from negotiation: MediaNegotiation) {
        switch stage {
        case .inviting: stage = .inviting(negotiation, early: nil)
        case .answering: stage = .answering(negotiation)
        case .up: stage = .up(negotiation)
        case .offered, .ending: break
        }
    }

    // MARK: Our move

    /// Makes our move wait until the call is back, because the server will not answer it now.
    mutating func putOffMove() {
        guard case .asked(let ice) = move else { return }
        move = .waiting(ice)
        if let resting { resume(from: resting) }
    }

    /// Whether the far end knows the candidates of a waiting move, from another description of this phone. An answer
    /// that continues the existing ICE session does not name them.
    var hasToldMove: Bool {
        guard case .waiting(let ice) = move else { return false }
        guard let ice, agreed?.media.ice != nil, renewedUntil == nil else { return true }
        return isIn(ice)
    }

    /// Whether the far end knows this ICE session. In it, our checks find candidates that no description has named.
    func isIn(_ ice: LocalICE?) -> Bool {
        guard let ice, let told = agreed?.media.ice else { return false }
        return told.local.hasCredentials(of: ice.description)
    }

    // MARK: Terms

    /// The terms for the phone's media. While the server holds the far end, it plays music to it, and we send nothing.
    var agreed: Agreement? {
        guard var agreed = negotiation?.agreed else { return nil }
        if isHeld { (agreed.media.sends, agreed.media.receives) = (false, false) }
        return withTrickled(agreed)
    }

    // MARK: Our candidates

    /// Remembers the medium to which candidates after our description belong.
    mutating func describe(by description: SessionDescription) {
        // A rejected medium has port 0.
        let place = description.media.firstIndex { $0.kind == "audio" && $0.port != 0 }
        medium = place.map { ($0, description.media[$0].values(of: "mid").first) } ?? (0, nil)
    }

    /// Adds these candidates to our next description.
    mutating func find(_ candidates: [String], isLast: Bool) {
        func adding(_ negotiation: MediaNegotiation) -> MediaNegotiation {
            var negotiation = negotiation
            negotiation.found(candidates, isLast: isLast)
            return negotiation
        }
        switch stage {
        case .inviting(let negotiation, let early): stage = .inviting(adding(negotiation), early: early.map(adding))
        case .answering(let negotiation): stage = .answering(adding(negotiation))
        case .up(let negotiation): stage = .up(adding(negotiation))
        case .offered, .ending: break
        }
    }

    // MARK: Candidates of the far end

    /// The most candidates that one call may add to a description.
    private static let trickledLimit = 64

    /// - Returns: Whether it is new.
    mutating func learn(_ candidate: String) -> Bool {
        guard trickled.count < Self.trickledLimit, !trickled.contains(candidate) else { return false }
        trickled.append(candidate)
        return true
    }

    /// Forgets the candidates that came one by one, because a new description has its own.
    mutating func forgetTrickled() { trickled = [] }

    func withTrickled(_ agreed: Agreement) -> Agreement {
        var agreed = agreed
        agreed.media.ice?.remote.candidates += trickled
        return agreed
    }
}

/// What another process needs to end a call whose own process is gone: the call and its session.
///
///     verto 1 <session> <call>
struct VertoMemo: Equatable, Sendable {
    private static let version = ["verto", "1"]

    let session: String
    let call: VertoCallID

    init(session: String, call: VertoCallID) { (self.session, self.call) = (session, call) }

    /// Reads the output of `text`. Nil for anything else.
    init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 4, Array(words.prefix(2)) == Self.version, let call = VertoCallID(words[3]) else {
            return nil
        }
        self.init(session: words[2], call: call)
    }

    var text: String { (Self.version + [session, call.rawValue]).joined(separator: " ") }
}
