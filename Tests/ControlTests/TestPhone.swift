import Base
import Control
import JSON
import NIOCore
import NIOPosix
import PhoneCore
import Synchronization
import Testing

/// The control interface on a real socket and a real event loop; the phone behind it is the test.
final class TestPhone: Sendable {
    /// The phone's reaction to every request.
    enum Manner: Sendable {
        case fulfils
        case fails(ActionFailure)
        case shows(PhoneSnapshot)
        /// Leaves it to the test.
        case waits

        func effect(for action: ActionID) -> ControlEffect? {
            switch self {
            case .fulfils: .settled(action, .fulfilled)
            case .fails(let why): .settled(action, .failed(why))
            case .shows(let snapshot): .snapshot(action, snapshot)
            case .waits: nil
            }
        }
    }

    let control: Control
    let path: String
    /// The interface's requests to the phone, in order.
    let asked = ThreadQueue<(action: ActionID, request: Request)>()
    let reports = ThreadQueue<ControlReport>()
    /// The inputs of the simulated panel.
    let panel = ThreadQueue<String>()
    /// The requests to the vault, which answers with `vaultAnswer`.
    let askedOfVault = ThreadQueue<VaultQuestion>()
    /// The requests to setup, and the abandoned ones.
    let askedOfSetup = ThreadQueue<(action: ActionID, request: SetupRequest)>()
    let stoppedSetups = ThreadQueue<ActionID>()
    /// The accounts, which may change while the phone runs.
    let labels = Labels()
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// - Parameters:
    /// - vaultAnswer: The vault's answer to everything; nil: this phone has none.
    /// - knowsTokens: Whether the vault reports its tokens.
    /// - setupAnswers: Setup answers everything; otherwise the test does.
    init(
        _ settings: ControlSettings, hasPanel: Bool = true, manner: Manner = .fulfils,
        vaultAnswer: VaultAnswer? = .done,
        knowsTokens: Bool = true, setupAnswers: Bool = true
    ) {
        path = settings.path
        let loop = group.next()
        let (asked, reports, panel, askedOfVault) = (asked, reports, panel, askedOfVault)
        let (askedOfSetup, stoppedSetups, labels) = (askedOfSetup, stoppedSetups, labels)
        let slot = Mutex<Control?>(nil)
        let box = Shared(slot)
        var askVault: (@Sendable (ActionID, VaultQuestion) -> Void)?
        if let vaultAnswer {
            askVault = { action, question in
                if question == .tokens, !knowsTokens { return }
                if question == .tokens {
                    return loop.execute { box.slot.withLock { $0 }?.answer(action, TestToken.all) }
                }
                askedOfVault.put(question)
                loop.execute { box.slot.withLock { $0 }?.answer(action, vaultAnswer) }
            }
        }
        let setup = SetupControls(
            ask: { action, request, _ in
                askedOfSetup.put((action, request))
                guard setupAnswers else { return }
                loop.execute { box.slot.withLock { $0 }?.answer(action, .success(["told": true])) }
            }, stop: { stoppedSetups.put($0) })
        let host = ControlHost(
            version: "1.2.3", accounts: { labels.all.withLock { $0 } }, deviceID: "urn:uuid:1", askVault: askVault,
            setup: setup, board: Self.board(isSimulated: hasPanel), bootTimeline: { ["steps": []] },
            log: { ["last": .integer($0), "lines": [], "lost": 0] },
            statistics: { ["program": 7] }, metrics: { "offhook_up 1\n" },
            displays: { [.german: DisplayContent(title: "WDJB-MJHT", notes: ["Stumm"])] },
            panel: hasPanel ? Self.controls(panel) : nil,
            qrCode: { $0.contains("user_code=") ? Self.picture : nil }, report: { reports.put($0) })
        control = Control(
            settings, loop: loop,
            post: { action, request in
                asked.put((action, request))
                guard let effect = manner.effect(for: action) else { return }
                loop.execute { box.slot.withLock { $0 }?.perform(effect) }
                // The phone settles a query, too, after its snapshot.
                guard case .snapshot = effect else { return }
                loop.execute { box.slot.withLock { $0 }?.perform(.settled(action, .fulfilled)) }
            }, host: host)
        box.slot.withLock { $0 = control }
    }

    final class Labels: Sendable {
        let all = Mutex([AccountID(3): "Büro"])
    }

    private final class Shared: Sendable {
        let slot: Mutex<Control?>
        init(_ slot: consuming sending Mutex<Control?>) { self.slot = slot }
    }

    /// The QR code of every address that contains a code.
    static let picture = ["# ", " #"]

    private static func board(isSimulated: Bool) -> PanelDescription {
        PanelDescription(
            name: "Kiosk", isSimulated: isSimulated, hasHook: false, hasBell: true,
            keys: [.speedDial(2), .hold, .digit(.five)], lamps: [.message, .line],
            meanings: [.speedDial(2): "sip:door:secret@gate.example", .speedDial(3): "42"],
            organizationKeys: [.speedDial(3)])
    }

    static func controls(_ log: ThreadQueue<String>) -> SimulatedPanelControls {
        SimulatedPanelControls(
            liftHook: { log.put("lift") }, replaceHook: { log.put("replace") },
            pressKey: { key, hold throws(PanelRefusal) in
                if key == .redial { throw PanelRefusal("this board has no such key") }
                log.put("\(key) \(hold)")
            }, setLine: { name, isHigh in log.put("\(name) \(isHigh)") })
    }

    func start() throws { try onLoop { $0.start() } }

    func close() throws { try onLoop { $0.close() } }

    /// Ends the control thread, as the end of the program does.
    func end() throws { try group.syncShutdownGracefully() }

    func perform(_ effects: ControlEffect...) throws { try onLoop { for effect in effects { $0.perform(effect) } } }

    /// Runs on the control thread and waits for it.
    func onLoop<Value: Sendable>(_ body: @escaping @Sendable (Control) throws -> Value) throws -> Value {
        try group.next().submit { [control] in try body(control) }.wait()
    }

    /// Runs the control thread until its figures match; false if they do not within ten seconds.
    func comesTrue(_ condition: @escaping @Sendable (ControlStatistics) -> Bool) throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < deadline {
            if try onLoop({ condition($0.statistics) }) { return true }
        }
        return false
    }

    /// Starts, runs the test, closes, and ends the loop.
    /// - Parameter settings: Their path is replaced by a test's own.
    static func run(
        _ settings: ControlSettings = ControlSettings(path: ""), hasPanel: Bool = true, manner: Manner = .fulfils,
        vaultAnswer: VaultAnswer? = .done, knowsTokens: Bool = true, setupAnswers: Bool = true,
        _ test: (TestPhone) throws -> Void
    ) throws {
        let place = Workplace()
        var settings = settings
        settings.path = place.socket
        let phone = TestPhone(
            settings, hasPanel: hasPanel, manner: manner, vaultAnswer: vaultAnswer, knowsTokens: knowsTokens,
            setupAnswers: setupAnswers)
        try phone.start()
        let outcome = Result { try test(phone) }
        try phone.close()
        try phone.end()
        withExtendedLifetime(place) {}
        try outcome.get()
    }

    /// A client with a confirmed subscription.
    func subscriber() throws -> ControlClient {
        let client = try client()
        try client.subscribe()
        let first = try client.nextEvent(timeout: .seconds(10))
        #expect(first?.name == "clientReady" && first?.fields == ["version": "1.2.3"])
        return client
    }

    /// A connection to the port of HTTP.
    func browser() throws -> RawSocket { try RawSocket(port: try port()) }

    func port() throws -> UInt16 { try #require(try onLoop { $0.httpPort }) }

    /// Settings with HTTP at a port that the kernel chooses.
    static func http(_ change: (inout HTTPSettings) -> Void = { _ in }) -> ControlSettings {
        var http = HTTPSettings(address: "127.0.0.1", port: 0, hosts: ["phone.example"])
        change(&http)
        var settings = ControlSettings(path: "")
        settings.http = http
        return settings
    }

    func client() throws -> ControlClient { try ControlClient(path: path) }
}
