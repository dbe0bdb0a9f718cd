import JSON
import PhoneCore

/// The program around the control interface: functions and data for requests that the phone itself does not answer.
/// Everything is called on the control thread and must not block.
public struct ControlHost: Sendable {
    /// Makes the QR code of an address. Each text is a row of modules without the quiet zone: `#` is dark, and a space
    /// is light. Nil: there is no such code.
    public typealias QRCodeMaker = @Sendable (_ address: String) -> [String]?

    public var version: String
    /// The accounts' present labels. A request to dial may name its account by label.
    public var accounts: @Sendable () -> [AccountID: String]
    /// The phone's identifier, which survives restarts and new addresses; nil without a vault.
    public var deviceID: String?
    /// The name of the registration at the broker of caller info; nil without one.
    public var pushToken: @Sendable () -> String?
    /// Asks the vault. The answer goes to `Control.answer` with the same action. Nil without a vault.
    public var askVault: (@Sendable (ActionID, VaultQuestion) -> Void)?
    /// The setup functions; nil: setup is not supported.
    public var setup: SetupControls?
    /// The parts of the board, for programs that draw it.
    public var board: PanelDescription
    public var bootTimeline: @Sendable () -> JSONValue
    /// The log's lines after the line with this number, and its last number.
    public var log: @Sendable (_ after: Int64) -> JSONValue
    /// Members of the answer to `getStatistics`. The interface adds its own as `control`.
    public var statistics: @Sendable () -> [String: JSONValue]
    /// All metrics in Prometheus format; nil without metrics.
    public var metrics: (@Sendable () -> String)?
    /// Configured parts that do not work at present, although calls do.
    public var faults: @Sendable () -> [PhoneFault]
    /// The display's content in every language.
    public var displays: @Sendable () -> [DisplayLanguage: DisplayContent]
    /// Gets every event, like a subscriber; nil if not needed.
    public var takeEvent: (@Sendable (ControlEvent) -> Void)?
    /// Nil for a real panel, which programs cannot operate.
    public var panel: SimulatedPanelControls?
    /// Called for every event and snapshot with the code of a sign-in, so it has to remember its last answer.
    public var qrCode: QRCodeMaker
    /// The answer to `rpc.discover`, which is long and therefore made only once.
    let openRPC: JSONValue
    /// Gets the reports for the log.
    public var report: @Sendable (ControlReport) -> Void

    public init(
        version: String, accounts: @escaping @Sendable () -> [AccountID: String] = { [:] }, deviceID: String? = nil,
        pushToken: @escaping @Sendable () -> String? = { nil },
        askVault: (@Sendable (ActionID, VaultQuestion) -> Void)? = nil, setup: SetupControls? = nil,
        board: PanelDescription, bootTimeline: @escaping @Sendable () -> JSONValue,
        log: @escaping @Sendable (_ after: Int64) -> JSONValue = { _ in ["lines": [], "last": 0, "lost": 0] },
        statistics: @escaping @Sendable () -> [String: JSONValue], metrics: (@Sendable () -> String)? = nil,
        faults: @escaping @Sendable () -> [PhoneFault] = { [] },
        displays: @escaping @Sendable () -> [DisplayLanguage: DisplayContent] = { [:] },
        takeEvent: (@Sendable (ControlEvent) -> Void)? = nil, panel: SimulatedPanelControls?,
        qrCode: @escaping QRCodeMaker = { _ in nil }, report: @escaping @Sendable (ControlReport) -> Void
    ) {
        self.version = version
        openRPC = OpenRPC.document(version: version)
        self.accounts = accounts
        self.deviceID = deviceID
        self.pushToken = pushToken
        self.askVault = askVault
        self.setup = setup
        self.board = board
        self.bootTimeline = bootTimeline
        self.log = log
        self.statistics = statistics
        self.metrics = metrics
        self.faults = faults
        self.displays = displays
        self.takeEvent = takeEvent
        self.panel = panel
        self.qrCode = qrCode
        self.report = report
    }
}

/// A configured part of the phone that does not work.
public struct PhoneFault: Equatable, Sendable {
    /// The word for programs.
    public let part: String
    /// The description for programs, and for people who look for it.
    public let sentence: String
    /// A few words for the display, in each language.
    public let notes: [DisplayLanguage: String]
    /// The words in the display's own language.
    public let note: String

    /// - Parameter language: The language of the display.
    public init(_ part: String, sentence: String, notes: (DisplayLanguage) -> String, shown language: DisplayLanguage) {
        (self.part, self.sentence, note) = (part, sentence, notes(language))
        self.notes = Dictionary(uniqueKeysWithValues: DisplayLanguage.allCases.map { ($0, notes($0)) })
    }
}

/// The operations of a simulated panel.
public struct SimulatedPanelControls: Sendable {
    public var liftHook: @Sendable () throws(PanelRefusal) -> Void
    public var replaceHook: @Sendable () throws(PanelRefusal) -> Void
    /// Presses a key, and releases it after the duration, 10 ms to 10 s.
    public var pressKey: @Sendable (Key, Duration) throws(PanelRefusal) -> Void
    /// Sets the physical level of the named input line.
    public var setLine: @Sendable (_ name: String, _ isHigh: Bool) throws(PanelRefusal) -> Void

    public init(
        liftHook: @escaping @Sendable () throws(PanelRefusal) -> Void,
        replaceHook: @escaping @Sendable () throws(PanelRefusal) -> Void,
        pressKey: @escaping @Sendable (Key, Duration) throws(PanelRefusal) -> Void,
        setLine: @escaping @Sendable (_ name: String, _ isHigh: Bool) throws(PanelRefusal) -> Void
    ) {
        self.liftHook = liftHook
        self.replaceHook = replaceHook
        self.pressKey = pressKey
        self.setLine = setLine
    }
}

/// The simulated panel does not have the key or line. The message is for people.
public struct PanelRefusal: Error, Equatable, Sendable {
    public let message: String
    public init(_ message: String) { self.message = message }
}

/// The parts of this phone's panel, for programs that draw it. Constant while the phone runs.
public struct PanelDescription: Equatable, Sendable {
    /// The board's name, for people.
    public var name: String
    /// Whether `liftHook`, `pressKey` and similar methods operate it.
    public var isSimulated: Bool
    public var hasHook: Bool
    public var hasBell: Bool
    public var keys: [Key]
    public var lamps: [Lamp]
    /// The meaning of each line key, speed-dial key and the voicemail key: a label, a target, or an organization.
    public var meanings: [Key: String]
    /// The keys whose meaning is the identifier of an organization.
    public var organizationKeys: Set<Key>

    public init(
        name: String, isSimulated: Bool, hasHook: Bool, hasBell: Bool, keys: [Key], lamps: [Lamp],
        meanings: [Key: String], organizationKeys: Set<Key> = []
    ) {
        (self.name, self.isSimulated, self.hasHook, self.hasBell) = (name, isSimulated, hasHook, hasBell)
        (self.keys, self.lamps, self.meanings) = (keys, lamps, meanings)
        self.organizationKeys = organizationKeys
    }

    var json: JSONValue {
        let meanings = meanings.map { ($0.key.name, JSONValue.string($0.value.withoutPassword)) }
        return [
            "name": .string(name), "simulated": .bool(isSimulated), "hook": .bool(hasHook), "bell": .bool(hasBell),
            "keys": .array(Key.names.filter { keys.contains($0.key) }.map { .string($0.name) }),
            "lamps": .array(Lamp.allCases.filter(lamps.contains).map { .string($0.rawValue) }),
            "meanings": .object(Dictionary(meanings) { first, _ in first }),
            "organizationKeys": .array(Key.names.filter { organizationKeys.contains($0.key) }.map { .string($0.name) }),
        ]
    }
}

/// Bounds of the methods that the program itself answers.
enum ProgramMethods {
    static let keyPress: ClosedRange<Int64> = 10...10_000
    static let usualKeyPressMs: Int64 = 120
}

extension ControlHost {
    /// Answers a method of the program itself; nil for any other method.
    func answer(_ method: MethodName, _ params: RPCParams) throws(RPCError) -> JSONValue? {
        switch method {
        case .ping: return ["version": .string(version)]
        case .discover: return openRPC
        case .getDeviceID: return ["deviceId": .text(deviceID)]
        case .getPushToken: return ["pushToken": .string(pushToken() ?? "none")]
        case .getBootTimeline: return bootTimeline()
        case .getLog: return log(try params.optionalInteger("after", in: 0...Int64.max) ?? 0)
        case .getMetrics: return ["text": .string(metrics?() ?? "")]
        case .getPanel: return board.json
        case .liftHook: try operate { panel throws(PanelRefusal) in try panel.liftHook() }
        case .replaceHook: try operate { panel throws(PanelRefusal) in try panel.replaceHook() }
        case .pressKey: try pressKey(params)
        case .setLine: try setLine(params)
        default: return nil
        }
        return [:]
    }

    private func pressKey(_ params: RPCParams) throws(RPCError) {
        guard let key = Key(name: try params.text("key", limit: 32)) else {
            throw .invalidParams("key must be one of \(Key.listed)")
        }
        let milliseconds =
            try params.optionalInteger("holdMs", in: ProgramMethods.keyPress) ?? ProgramMethods.usualKeyPressMs
        let hold = Duration.milliseconds(milliseconds)
        try operate { panel throws(PanelRefusal) in try panel.pressKey(key, hold) }
    }

    private func setLine(_ params: RPCParams) throws(RPCError) {
        let name = try params.text("name", limit: 128)
        let isHigh = try params.integer("level", in: 0...1) == 1
        try operate { panel throws(PanelRefusal) in try panel.setLine(name, isHigh) }
    }

    private func operate(_ action: (SimulatedPanelControls) throws(PanelRefusal) -> Void) throws(RPCError) {
        guard let panel else { throw .panelIsReal }
        do {
            try action(panel)
        } catch {
            throw .panelRefused(error)
        }
    }
}
