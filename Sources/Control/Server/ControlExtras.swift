import JSON
import PhoneCore

/// Functions and data from the program, for requests that the phone itself does not answer. Everything is called on the
/// control thread and must not block.
public struct ControlExtras: Sendable {
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
    /// Members of the answer to `getStatistics`. The interface adds its own as `control`.
    public var statistics: @Sendable () -> [String: JSONValue]
    /// All metrics in Prometheus format; nil without metrics.
    public var metrics: (@Sendable () -> String)?
    /// Configured parts that do not work at present, although calls do.
    public var faults: @Sendable () -> [PhoneFault]
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
        statistics: @escaping @Sendable () -> [String: JSONValue], metrics: (@Sendable () -> String)? = nil,
        faults: @escaping @Sendable () -> [PhoneFault] = { [] },
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
        self.statistics = statistics
        self.metrics = metrics
        self.faults = faults
        self.takeEvent = takeEvent
        self.panel = panel
        self.qrCode = qrCode
        self.report = report
    }
}

/// A configured part of the phone that does not work.
public struct PhoneFault: Equatable, Sendable {
    /// The description for programs, and for people who look for it.
    public let sentence: String
    /// A few words for the display.
    public let note: String

    public init(sentence: String, note: String) { (self.sentence, self.note) = (sentence, note) }
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
