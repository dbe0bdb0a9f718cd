import Base
import PhoneCore

/// A canonical state of one call, in the order of a call. The documents show the raw value.
public enum Situation: String, CaseIterable, Sendable {
    case idle = "idle"
    case paging = "sending a page"
    case testing = "testing loudspeaker and microphone"

    case ringingIn = "ringing here"
    case announced = "ringing here, announced by caller info only"

    case preparing = "dialled, waiting for sockets"
    case dialling = "dialled, offer being sent"
    case dialled = "dialled, offer sent"
    case earlyMedia = "dialled, early media"

    case awaitingOffer = "answered here, waiting for the offer"
    case awaitingLine = "answered here, waiting for the line"
    case askingBackend = "answered here, organisation requested"
    case storingContext = "answered here, organisation being stored"
    case registering = "answered here, registering as organisation"
    case answering = "answered here, answer being sent"
    case settingUp = "answered, media being set up"

    case active = "talking"
    case impaired = "talking, no media arrives"
    case unsent = "talking, voice not sent"
    case interrupted = "talking, sound interrupted"
    case transferring = "talking, transfer requested here"
    case handingOver = "talking, transfer in progress"
    case holding = "talking, hold requested here"

    case heldHere = "held here"
    case heldThere = "held there"
    case heldByBoth = "held by both"
    case resuming = "held here, resume requested here"

    case pathLost = "path lost"
    case pathLostHeld = "path lost while held here"
    case moving = "moving to another address"

    case leaving = "hung up here, BYE on the wire"
    case breaking = "media failed, BYE on the wire"

    /// The events that lead here from a phone that has just started.
    var events: [PhoneEvent] {
        switch self {
        case .idle:
            [
                .vault(.remembered(Cast.memory)), .network(.path(Cast.home)), .panel(.hookFound(.onHook)),
                .line(.registration(.direct, .registered)),
                .backend(.restored(Cast.user, Cast.ownOrganisation)),
            ]
        case .paging: Situation.idle.events + [Self.lift, Self.ask(1, .startPage(group: 1))]
        case .testing: Situation.idle.events + [Self.ask(1, .testSound(nil))]
        case .ringingIn: Situation.idle.events + Self.offer
        case .announced: Situation.idle.events + [Self.info(), .media(.opened(CallID(.info, 1), Cast.endpoint))]
        case .preparing: Situation.idle.events + [Self.lift, .panel(.pressed(.speedDial(1)))]
        case .dialling: Situation.preparing.events + [.media(.opened(CallID(.phone, 1), Cast.endpoint))]
        case .dialled: Situation.dialling.events + [.line(.offerSent(CallID(.phone, 1)))]
        case .earlyMedia:
            Situation.dialled.events
                + [.line(.earlyMedia(CallID(.phone, 1), Cast.plan)), .media(.ready(CallID(.phone, 1)))]
        case .awaitingOffer: Situation.announced.events + [Self.lift]
        case .awaitingLine:
            Situation.idle.events + [.line(.registration(.direct, .failed("gone")))] + Self.offer + [Self.lift]
        case .askingBackend:
            Situation.ringingIn.events + [Self.info(Cast.otherOrganisation.organisation), Self.lift]
        case .storingContext: Situation.askingBackend.events + [.backend(.switched(Cast.otherOrganisation))]
        case .registering: Situation.storingContext.events + [.vault(.contextKept(ticket: 1, true))]
        case .answering: Situation.ringingIn.events + [Self.lift]
        case .settingUp: Situation.answering.events + [.line(.answered(Cast.offered, Cast.plan))]
        case .active: Situation.settingUp.events + [.media(.ready(Cast.offered))]
        case .impaired: Situation.active.events + [.media(.silent(Cast.offered))]
        case .unsent: Situation.active.events + [.media(.sendingFailed(Cast.offered, "no route"))]
        case .interrupted: Situation.active.events + [.media(.interrupted)]
        case .transferring: Situation.active.events + [Self.ask(1, .transfer(Cast.offered, to: "5550122"))]
        case .handingOver: Situation.transferring.events + [.line(.transferSettled(Cast.offered, accepted: true))]
        case .holding: Situation.active.events + [Self.ask(1, .hold(Cast.offered))]
        case .heldHere: Situation.holding.events + [.line(.holdSettled(Cast.offered, Cast.heldPlan))]
        case .heldThere: Situation.active.events + [Self.heldByFarEnd]
        case .heldByBoth: Situation.heldHere.events + [Self.heldByFarEnd]
        case .resuming: Situation.heldHere.events + [Self.ask(2, .resume(Cast.offered))]
        case .pathLost: Situation.active.events + [.network(.path(.none))]
        case .pathLostHeld: Situation.heldHere.events + [.network(.path(.none))]
        case .moving: Situation.pathLost.events + [.network(.path(Cast.away))]
        case .leaving: Situation.active.events + [.panel(.hook(.onHook))]
        case .breaking: Situation.active.events + [.media(.failed(Cast.offered, "no key"))]
        }
    }

    /// The requests of a person on the way here, in the order of their numbers.
    var askedAtPanel: [String] {
        switch self {
        case .idle, .paging, .testing, .ringingIn, .announced: []
        case .preparing, .dialling, .dialled, .earlyMedia: ["dial"]
        case .awaitingOffer, .awaitingLine, .askingBackend, .storingContext, .registering, .answering, .settingUp,
            .active, .impaired, .unsent, .interrupted, .transferring, .handingOver, .holding, .heldHere, .heldThere,
            .heldByBoth, .resuming, .pathLost, .pathLostHeld, .moving,
            .breaking:
            ["answer"]
        case .leaving: ["answer", "hang up"]
        }
    }

    private static let lift = PhoneEvent.panel(.hook(.offHook))
    private static let offer: [PhoneEvent] = [
        .line(.offered(Cast.offered, Cast.caller)), .media(.opened(Cast.offered, Cast.endpoint)),
    ]
    private static let heldByFarEnd = PhoneEvent.line(.renegotiated(Cast.offered, Cast.heldPlan, heldByFarEnd: true))

    private static func info(_ organisation: Organisation? = nil) -> PhoneEvent {
        .callerInfo(.incoming(Cast.info(organisation: organisation, sent: .zero)))
    }

    private static func ask(_ number: UInt64, _ request: Request) -> PhoneEvent {
        .request(ActionID(.control, number), request)
    }
}
