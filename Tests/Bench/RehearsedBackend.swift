import Base
import Control
import JSON
import Trace

/// A phone that signs in at a backend, learns there who calls, and works for several organisations (spec §6, §10).
///
/// Real programs, real sockets: the reference backend over HTTPS, its mosquitto over TLS, Kamailio, and three phones.
public final class RehearsedBackend {
    /// A step that could not continue.
    public struct Unmet: Error, Equatable, Sendable, CustomStringConvertible {
        public let description: String
    }

    /// A caller, as the backend knows one.
    struct Caller {
        let name: String
        let number: String

        static let charles = Caller(name: "Charles Babbage", number: "+442079460123")
        static let grace = Caller(name: "Grace Hopper", number: "+442079460142")
    }

    /// The SIP user of Charles: the national form of his number.
    static let charlesUser = "02079460123"
    /// Ada's accounts, by her organisations. The SIP server rejects the password of the last.
    static let (user, otherUser, wrongUser) = ("101", "103", "104")
    static let (organisation, otherOrganisation, wrongOrganisation) = ("17", "42", "org_nord")

    public private(set) var checks = CheckList()
    let server: Kamailio
    let backend: BackendServer
    let desk: RigPhone
    let charles: RigPhone
    /// Another phone with Ada's first account; nil until a step needs it.
    var lobby: RigPhone?
    /// The desk's name at the backend, after its sign-in.
    var device: JSONValue = .null
    /// When the present step began.
    private(set) var begun = MonotonicTime.now
    private let place: PhonePlace
    private var timeline = Timeline()

    /// Starts everything.
    /// - Parameters:
    /// - python: `Scripts/backend` prints it.
    /// - script: The backend's `serve.py`.
    public init(in place: PhonePlace, python: String, script: String) throws {
        self.place = place
        server = try Kamailio(folder: place.path + "/kamailio", algorithm: "SHA-256")
        backend = try BackendServer(python: python, script: script, folder: place.path + "/backend")
        try backend.addAccounts(
            at: Kamailio.address,
            [
                .init(organisation: 17, user: Self.user, password: Kamailio.password(of: Self.user)),
                .init(organisation: 42, user: Self.otherUser, password: Kamailio.password(of: Self.otherUser)),
                .init(organisation: .string(Self.wrongOrganisation), user: Self.wrongUser, password: "wrong"),
            ])
        var settings = PhoneFolder.Settings(port: 25_460, firstMediaPort: 25_500)
        settings.more = backend.section(phone: "Front desk")
        desk = try RigPhone(
            name: "desk", folder: try place.phoneFolder("desk", settings), program: place.program)
        charles = try Kamailio.phone("charles", Self.charlesUser, "udp", port: 25_600, in: place)
        try charles.waitUntilReady()
    }

    public var phones: [RigPhone] { [desk, charles] + (lobby.map { [$0] } ?? []) }

    /// Runs the steps in order, and shows each when it is over: a title, and what happened. Throws at the first that
    /// cannot continue; a wrong result is only a failed check.
    public func run(show: (_ lines: [String]) -> Void) throws {
        let start = MonotonicTime.now
        for (index, step) in steps.enumerated() {
            begun = MonotonicTime.now
            timeline = Timeline()
            let result = Result { try step.run() }
            let collected = Result { try collect() }
            show(["\(index + 1). \(step.title)", ""] + timeline.lines(since: start) + [""])
            do {
                try result.get()
                try collected.get()
            } catch {
                throw Unmet(description: "\(step.title): \(error)")
            }
        }
    }

    /// Ends both servers, and reports how they ended.
    public func stopServers() -> CheckList {
        var checks = CheckList()
        let faults = backend.events("fault").map(\.text)
        checks.expect("no fault of the backend", faults.isEmpty, faults.first ?? "none in its log")
        for (name, exit) in [("backend", backend.stop()), ("kamailio", server.stop())] {
            checks.expect("\(name) stops on SIGTERM", exit == .status(0), exit.map { "\($0)" } ?? "killed")
        }
        return checks
    }

    // MARK: Shared by steps

    /// People need a moment.
    func pause(_ duration: Duration = .seconds(1)) { MonotonicTime.sleep(duration) }

    func note(_ what: String, who: String, at instant: Instant = MonotonicTime.now) {
        timeline.note(what, who: who, at: instant)
    }

    func expect(_ name: String, _ held: Bool, _ detail: String) { checks.expect(name, held, detail) }

    /// The backend publishes caller info of a call.
    /// - Returns: When.
    @discardableResult
    func tell(
        _ call: String, of caller: Caller = .charles, type: String = "incoming_call", organisation: JSONValue? = nil
    ) throws -> Instant {
        var message: [String: JSONValue] = [
            "type": .string(type), "call_id": .string(call), "caller_number": .string(caller.number),
            "caller_name": .string(caller.name),
        ]
        message["organization_id"] = organisation
        let answer = try backend.order(["do": "caller-info", "device": device, "message": .object(message)])
        let told = Instant(nanoseconds: answer["monotonic_ns"]?.integer ?? 0)
        note("publishes \(type) \(call): \(caller.name) \(caller.number)", who: "backend", at: told)
        return told
    }

    /// The next event of this name in this step.
    @discardableResult
    func next(
        _ name: String, at phone: RigPhone, where matches: (ControlEvent) -> Bool = { _ in true }
    ) throws -> ControlEvent {
        try phone.wait(for: name) { $0.at >= begun && matches($0) }
    }

    func hearEachOther() throws {
        for phone in [desk, charles] { try next("firstVoice", at: phone) }
    }

    /// Charles dials an account of Ada's.
    func dial(_ user: String) throws {
        try charles.ask("dial", ["target": .string(user)])
    }

    func lift() throws {
        note("Ada lifts the handset", who: desk.name)
        try desk.ask("liftHook")
    }

    /// The caller ends a call that is up, and Ada replaces the handset.
    func hangUp() throws {
        note("hangs up", who: charles.name)
        try charles.ask("hangup")
        try next("callEnded", at: desk)
        try desk.ask("replaceHook")
        try next("panelChanged", at: desk) { $0.fields["hook"] == "onHook" }
    }

    /// How often the desk has announced a call in this step.
    func announcements() throws -> Int {
        try desk.collect()
        return desk.all("incomingCall").count { $0.at >= begun }
    }

    func openLobby() throws -> RigPhone {
        let phone = try Kamailio.phone("lobby", Self.user, "udp", port: 25_700, in: place)
        try phone.waitUntilReady()
        lobby = phone
        return phone
    }

    // MARK: The timeline

    /// Notes what the phones and the backend reported.
    private func collect() throws {
        for phone in phones {
            try phone.collect()
            var display = ""
            for event in phone.events where event.at >= begun {
                guard let text = EventStory.callerText(of: event) else { continue }
                // An update of anything else shows the same.
                if ["incomingCall", "callDisplayUpdated"].contains(event.name) {
                    guard EventStory.display(of: event) != display else { continue }
                    display = EventStory.display(of: event)
                }
                note(text, who: phone.name, at: event.at)
            }
        }
        for signal in try desk.signals() where signal.at >= begun {
            let arrow = signal.direction == .sent ? "→ " : "← "
            note(arrow + Self.summary(of: signal.message), who: desk.name, at: signal.at)
        }
        for event in backend.events {
            let instant = Instant(nanoseconds: event["monotonic_ns"]?.integer ?? 0)
            guard instant >= begun, let (who, text) = Self.story(of: event) else { continue }
            note(text, who: who, at: instant)
        }
    }

    /// Adds to a REGISTER what its URI does not tell: the account, and whether it leaves (RFC 3261 §10.2.2).
    private static func summary(of message: [UInt8]) -> String {
        let summary = SignalReading(message).summary
        guard summary.hasPrefix("REGISTER ") else { return summary }
        let text = String(decoding: message, as: UTF8.self)
        let account = text.firstMatch(of: /(?m)^To:[^<\r\n]*<sips?:([^@>]+)@/)?.1 ?? "?"
        return "REGISTER \(account)" + (text.contains(/(?i)\bexpires *[=:] *0\b/) ? ", which leaves" : "")
    }

    /// Selects the backend's events for the story, and words them.
    private static func story(of event: JSONValue) -> (who: String, text: String)? {
        func word(_ key: String) -> String { event[key]?.string ?? event[key]?.integer.map { "\($0)" } ?? "?" }
        switch event["event"]?.string {
        case "code-approved": return ("ada", "opens the address on another device, and allows \(word("user_code"))")
        case "device-registered":
            return ("backend", "registers the phone as \(word("device")), for organization \(word("organization_id"))")
        case "presence": return ("backend", "reads at its broker: \(word("device")) is \(word("payload"))")
        case "switched": return ("backend", "switches \(word("device")) from \(word("from")) to \(word("target"))")
        default: return nil
        }
    }
}
