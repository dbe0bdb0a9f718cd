import JSON
import PhoneCore

/// What the control interface answers from the program rather than from the phone. Everything here is called on the
/// control thread and must not block.
public struct ControlExtras: Sendable {
    public var version: String
    /// The accounts' labels, for people; a request to dial may name its account by the label.
    public var accounts: [AccountID: String]
    /// What stays the same over restarts and addresses of this phone; nil without a vault.
    public var deviceID: String?
    /// Asks the vault, whose answer goes to `Control.answer` with the same action; nil without a vault.
    public var askVault: (@Sendable (ActionID, VaultQuestion) -> Void)?
    /// Who sets the phone up; nil: nobody does.
    public var setup: SetupControls?
    /// What the board has, for programs that draw it.
    public var board: PanelDescription
    public var bootTimeline: @Sendable () -> JSONValue
    /// Members of the answer to `getStatistics`; the interface adds its own as `control`.
    public var statistics: @Sendable () -> [String: JSONValue]
    /// All figures as Prometheus reads them; nil where there are none.
    public var metrics: (@Sendable () -> String)?
    /// What the phone was configured for and lacks, although it can have calls.
    public var faults: @Sendable () -> [PhoneFault]
    /// Takes every event, as subscribers do; nil where nobody wants them.
    public var takeEvent: (@Sendable (ControlEvent) -> Void)?
    /// Nil when the panel is real: a real panel cannot be operated from here.
    public var panel: SimulatedPanelControls?
    /// The answer to `rpc.discover`, which is long, and made once.
    let openRPC: JSONValue
    /// Takes reports for the log.
    public var report: @Sendable (ControlReport) -> Void

    public init(
        version: String, accounts: [AccountID: String] = [:], deviceID: String? = nil,
        askVault: (@Sendable (ActionID, VaultQuestion) -> Void)? = nil, setup: SetupControls? = nil,
        board: PanelDescription, bootTimeline: @escaping @Sendable () -> JSONValue,
        statistics: @escaping @Sendable () -> [String: JSONValue], metrics: (@Sendable () -> String)? = nil,
        faults: @escaping @Sendable () -> [PhoneFault] = { [] },
        takeEvent: (@Sendable (ControlEvent) -> Void)? = nil, panel: SimulatedPanelControls?,
        report: @escaping @Sendable (ControlReport) -> Void
    ) {
        self.version = version
        openRPC = OpenRPC.document(version: version)
        self.accounts = accounts
        self.deviceID = deviceID
        self.askVault = askVault
        self.setup = setup
        self.board = board
        self.bootTimeline = bootTimeline
        self.statistics = statistics
        self.metrics = metrics
        self.faults = faults
        self.takeEvent = takeEvent
        self.panel = panel
        self.report = report
    }
}

/// Something that the phone was configured for and lacks.
public struct PhoneFault: Equatable, Sendable {
    /// For programs, and for people who look for it.
    public let sentence: String
    /// A few words for the display.
    public let note: String

    public init(sentence: String, note: String) { (self.sentence, self.note) = (sentence, note) }
}

/// The operations of a simulated panel.
public struct SimulatedPanelControls: Sendable {
    public var liftHook: @Sendable () throws(PanelRefusal) -> Void
    public var replaceHook: @Sendable () throws(PanelRefusal) -> Void
    /// Presses a key and lets it go after the duration, 10 ms to 10 s.
    public var pressKey: @Sendable (Key, Duration) throws(PanelRefusal) -> Void
    /// Sets the physical level of the input line of that name.
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

/// The simulated panel has no such key or line. The message is for people.
public struct PanelRefusal: Error, Equatable, Sendable {
    public let message: String
    public init(_ message: String) { self.message = message }
}
