import Base
import SDPCore
import VertoCore

/// One call of a line that speaks Verto.
///
///     inviting ─answer─► up ─bye─►
///     offered ──answer──► up
struct VertoLeg: Sendable {
    enum Stage: Sendable {
        /// A call of ours. The negotiation has our offer outstanding; a copy may have concluded it early.
        case inviting(MediaNegotiation, early: MediaNegotiation?)
        /// A call to us, unanswered.
        case offered(SessionDescription)
        /// Taken by us; the server has not said that it knows.
        case answering(MediaNegotiation)
        case up(MediaNegotiation)
        /// Hung up here.
        case ending(LegEnd)
    }

    /// Our move to other addresses, as long as nobody was told how it ended.
    enum Move: Sendable {
        case none
        /// The server was asked. Nil: this phone is reached at the line's own address.
        case asked(LocalICE?)
        /// The server cannot be asked before it has the call again.
        case waiting(LocalICE?)
    }

    let call: VertoCallID
    var stage: Stage
    /// The far end, as the server named it last.
    var party = VertoParty()
    /// Whether we hold the far end: the server does that, and no description changes.
    var isHeld = false
    /// Candidates of the far end that followed its last description one by one, as values of `a=candidate`.
    private(set) var trickled: [String] = []
    /// The medium of our last description that our candidates belong to: its place, counted from 0, and its `a=mid`.
    private(set) var medium: (place: Int, name: String?) = (0, nil)
    var move = Move.none
    /// Whether the server may have lost the call, and can be asked nothing about it before it has given it back.
    var isRecovering = false
    /// Until when a move needs not be told: our last answer has begun another session from where we are now. Nil: it has
    /// not, or a move was settled by it.
    var renewedUntil: Instant?

    init(_ call: VertoCallID, _ stage: Stage) { (self.call, self.stage) = (call, stage) }

    var negotiation: MediaNegotiation? {
        switch stage {
        case .inviting(let negotiation, _), .answering(let negotiation), .up(let negotiation): negotiation
        case .offered, .ending: nil
        }
    }

    /// The negotiation that our next description goes on from: an outstanding offer of ours is withdrawn, and an answer
    /// that came early counts. Nil: we have described nothing.
    var resting: MediaNegotiation? {
        guard var negotiation else { return nil }
        if case .inviting(_, let early?) = stage { negotiation = early }
        if negotiation.isOffering { negotiation.withdraw() }
        return negotiation
    }

    /// Goes on from another answer of ours.
    mutating func resume(from negotiation: MediaNegotiation) {
        switch stage {
        case .inviting: stage = .inviting(negotiation, early: nil)
        case .answering: stage = .answering(negotiation)
        case .up: stage = .up(negotiation)
        case .offered, .ending: break
        }
    }

    // MARK: Our move

    /// The server will not answer our move any more, so the move waits until the call is back.
    mutating func putOffMove() {
        guard case .asked(let ice) = move else { return }
        move = .waiting(ice)
        if let resting { resume(from: resting) }
    }

    /// Whether the far end knows the candidates of a move that waited, by another description of ours. An answer that goes on
    /// with the session of ICE that there was does not name them.
    var hasToldMove: Bool {
        guard case .waiting(let ice) = move else { return false }
        guard let ice, agreed?.ice != nil, renewedUntil == nil else { return true }
        return isIn(ice)
    }

    /// Whether the far end knows this session of ICE. In it, candidates that nobody has told are found by our checks.
    func isIn(_ ice: LocalICE?) -> Bool {
        guard let ice, let told = agreed?.ice else { return false }
        return told.local.credentials == ice.description.credentials
    }

    // MARK: Terms

    /// The terms as the phone's media are to have them: whoever is held by the server hears its music, and we send nothing.
    var agreed: NegotiatedMedia? {
        guard var agreed = negotiation?.agreed else { return nil }
        if isHeld { agreed.direction = .inactive }
        return withTrickled(agreed)
    }

    // MARK: Our candidates

    /// Remembers what candidates that follow this description of ours belong to.
    mutating func describe(by description: SessionDescription) {
        // What is refused has port 0.
        let place = description.media.firstIndex { $0.kind == "audio" && $0.port != 0 }
        medium = place.map { ($0, description.media[$0].values(of: "mid").first) } ?? (0, nil)
    }

    /// Our next description has these candidates, too.
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

    /// What one call may add to a description.
    private static let trickledLimit = 64

    /// - Returns: Whether it was not known.
    mutating func learn(_ candidate: String) -> Bool {
        guard trickled.count < Self.trickledLimit, !trickled.contains(candidate) else { return false }
        trickled.append(candidate)
        return true
    }

    /// Another description has candidates of its own, and others may follow it.
    mutating func forgetTrickled() { trickled = [] }

    func withTrickled(_ agreed: NegotiatedMedia) -> NegotiatedMedia {
        var agreed = agreed
        agreed.ice?.remote.candidates += trickled
        return agreed
    }
}
