import Base

/// A call as other programs see it.
public struct CallSummary: Equatable, Codable, Sendable {
    public enum Direction: String, CaseIterable, Codable, Sendable { case incoming, outgoing }
    public enum Phase: String, CaseIterable, Codable, Sendable {
        case idle, ringingIn, ringingOut, connecting, active, onHold, reconnecting, disconnecting, ended, failed
    }

    public var call: CallID
    public var direction: Direction
    public var phase: Phase
    public var number: String
    /// The name to show for the number: the contact's, else the backend's, else the signalling's.
    public var name: String?
    /// The address of a picture.
    public var avatar: String?
    /// The organisation that is called, when it is not the current one.
    public var badge: String?
    public var verification: CallerVerification?
    /// The caller withholds the number.
    public var isWithheld: Bool
    /// The last party that diverted the call to us. Nil: the call was not diverted.
    public var divertedBy: String?
    /// Our number that was called.
    public var called: String?
    /// The extra headers of an incoming call. Nil: it has none.
    public var headers: [CallHeader]?
    public var account: AccountID
    public var heldHere: Bool
    public var heldThere: Bool
    public var started: Instant
    public var answered: Instant?
    /// The call was dialled here, and the far end's phone is known to ring.
    public var farEndRings: Bool
    /// Nothing has been heard for a while.
    public var impaired: Bool
    /// The call rings, and the control interface has to announce it to a person.
    public var announcedByInterface: Bool
    /// The call that this one is about to replace. Only one of the two will be left.
    public var replaces: CallID?
    /// The transfer that the far end asks for, while a person has to decide on it.
    public var question: TransferQuestion?
    /// The protection of the voice. Nil: both ends have not agreed on terms yet.
    public var protection: CallProtection?
    /// The words for both persons to compare (`ShownFingerprint.words`), and the standing of the far end's fingerprint.
    /// Nil without a handshake.
    public var words: String?
    public var key: FingerprintStanding?
    /// Why none of our voice is sent, for people. Nil: it is sent, or need not be.
    public var sendFault: String?
    /// False: the server of the call's account cannot transfer the far end.
    public var canTransfer: Bool?
    /// The call is reconnecting because its line lost the connection to the server. Its voice goes on.
    public var signallingLost: Bool?
    /// Whole seconds from the answer to the end. Nil: the call has not ended.
    public var seconds: Int?
    /// What the server said about the end. Nil: nothing, or the call has not ended.
    public var serverEnd: ServerEnd?

    public init(
        call: CallID, direction: Direction, phase: Phase, number: String, name: String?, avatar: String? = nil,
        badge: String? = nil, verification: CallerVerification? = nil, isWithheld: Bool,
        divertedBy: String? = nil, called: String? = nil, headers: [CallHeader]? = nil, account: AccountID,
        heldHere: Bool, heldThere: Bool, started: Instant, answered: Instant?, farEndRings: Bool, impaired: Bool,
        announcedByInterface: Bool, replaces: CallID? = nil,
        question: TransferQuestion? = nil, protection: CallProtection? = nil, words: String? = nil,
        key: FingerprintStanding? = nil, sendFault: String? = nil, canTransfer: Bool? = nil,
        signallingLost: Bool? = nil
    ) {
        self.call = call
        self.direction = direction
        self.phase = phase
        self.number = number
        self.name = name
        self.avatar = avatar
        self.badge = badge
        self.verification = verification
        self.isWithheld = isWithheld
        self.divertedBy = divertedBy
        self.called = called
        self.headers = headers
        self.account = account
        self.heldHere = heldHere
        self.heldThere = heldThere
        self.started = started
        self.answered = answered
        self.farEndRings = farEndRings
        self.impaired = impaired
        self.announcedByInterface = announcedByInterface
        self.replaces = replaces
        self.question = question
        self.protection = protection
        self.words = words
        self.key = key
        self.sendFault = sendFault
        self.canTransfer = canTransfer
        self.signallingLost = signallingLost
    }

    /// How long the call has been up, for people: `MM:SS`, from one hour on `HH:MM:SS`.
    public static func durationText(seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60)
        return (hours > 0 ? two(hours) + ":" : "") + two(minutes) + ":" + two(rest)
    }
}
