import Base
import Control
import Lines
import Media
import Panel
import PhoneCore
import SecureTransport
import SoundCore
import YAML

/// The configuration with absolute paths: relative ones begin at the file's folder.
package struct Settings: Sendable {
    var configuration: Configuration
    /// The text that the configuration was read from.
    private(set) var document: YAMLDocument
    /// The path of the configuration file.
    let file: String
    /// The file's folder, with a closing slash; empty: the working directory.
    private let folder: String
    /// Whether traces show digits typed in calls, which may be a PIN.
    private(set) var showsDigits = false

    /// The folder with board, vault and socket of a trial phone, with a closing slash; nil: the configured places.
    var trialFolder: String?
    /// Whether the lines use the configured ports.
    private(set) var keepsPorts = true

    package init(path: String) throws(YAMLError) {
        try self.init(YAMLDocument(path: path))
    }

    /// The settings of a file with this text.
    package init(_ text: String, path: String) throws(YAMLError) {
        try self.init(YAMLDocument(Array(text.utf8), file: path))
    }

    package init(_ document: YAMLDocument) throws(YAMLError) {
        configuration = try document.read()
        (self.document, file, folder) = (document, document.file, document.file.folder)
    }

    /// Takes another text of the same file.
    mutating func take(_ document: YAMLDocument) throws(YAMLError) {
        configuration = try document.read()
        self.document = document
    }

    /// The settings of a trial phone, which may run beside the real one.
    func onTrial(in folder: String, keepsPort: Bool) -> Settings {
        var settings = self
        (settings.trialFolder, settings.keepsPorts) = (folder, keepsPort)
        return settings
    }

    func showing(digits: Bool) -> Settings {
        var settings = self
        settings.showsDigits = digits
        return settings
    }

    var boardFile: String { trialFolder.map { $0 + "board.yaml" } ?? absolute(configuration.board) }
    var vaultFile: String { trialFolder.map { $0 + "vault" } ?? absolute(configuration.vault.file) }
    var keyFile: String { trialFolder.map { $0 + "vault.key" } ?? absolute(configuration.vault.key) }
    /// Beside the socket, in a folder whose files are lost when the power goes.
    var unlockedKeyFile: String { socket.folder + "unlocked.key" }
    var socket: String { trialFolder.map { $0 + "control.sock" } ?? absolute(configuration.control.socket) }

    var control: ControlSettings {
        var control = ControlSettings(path: socket)
        control.http = http
        return control
    }

    private var http: HTTPSettings? {
        guard let http = configuration.control.http else { return nil }
        var settings = HTTPSettings(address: http.address, port: http.port, hosts: http.hosts)
        if let certificate = http.certificate, let key = http.key {
            settings.identity = .init(certificateFile: absolute(certificate), keyFile: absolute(key))
        }
        return settings
    }

    var recording: RecordingSettings? {
        var settings = configuration.calls.recording?.settings
        if let folder = settings?.folder { settings?.folder = absolute(folder) }
        return settings
    }

    var sealsRecordings: Bool { configuration.calls.recording?.isSealed ?? false }

    var playingFolder: String? { configuration.calls.playing.map { absolute($0.folder) } }

    var holdMusic: String? { configuration.sound.holdMusic.map(absolute) }

    var ringer: MediaSettings.Ringer? {
        guard var settings = configuration.sound.ringer?.settings else { return nil }
        settings.file = settings.file.map(absolute)
        settings.files = settings.files.mapValues(absolute)
        return settings
    }

    /// The TLS settings of an account's line. Only the first line listens for TLS, if that is configured.
    func tls(pin: Fingerprint?, isFirst: Bool) -> TLSSettings {
        let tls = configuration.sip.tls
        var identity: TLSSettings.Identity?
        if let certificate = tls.certificate, let key = tls.key {
            identity = .init(certificateFile: absolute(certificate), keyFile: absolute(key))
        }
        return TLSSettings(
            authorities: tls.authorities.map(absolute), identity: identity, fingerprint: pin,
            port: isFirst && keepsPorts ? tls.port : nil)
    }

    func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : folder + path
    }
}

extension Settings {
    /// The machine's policy, made from the configuration.
    /// - Parameter keys: The keys that the board has.
    package func policy(accounts: AccountLabels, keys: Set<Key>) throws(UnknownAccount) -> PhonePolicy {
        var policy = PhonePolicy()
        policy.takeLimits(configuration)
        policy.takeRinging(configuration)
        policy.takePanel(configuration, keys)
        try policy.takeAccounts(configuration.calls, accounts)
        for (number, relay) in configuration.relays.sorted(by: { $0.key < $1.key }) {
            policy.relays[number] = try relay.policy(number, accounts)
        }
        for (input, alarm) in configuration.alarms { policy.alarms[input] = try alarm.policy(input, accounts) }
        return policy
    }

    /// The policy of a phone with this board.
    package func policy(accounts: AccountLabels, board: PanelLayout) throws -> PhonePolicy {
        try check(board)
        return try policy(accounts: accounts, keys: board.allKeys)
    }

    /// The policy of a phone with this board and these lines.
    func policy(_ plan: LinePlan, board: PanelLayout) throws -> PhonePolicy {
        var policy = try policy(accounts: plan.accounts, board: board)
        policy.accounts = plan.all
        policy.withoutTransfer = plan.withoutTransfer.isEmpty ? nil : plan.withoutTransfer
        return policy
    }

    /// Rejects a configuration that names a part that the board does not have.
    func check(_ board: PanelLayout) throws {
        let inputs = board.inputs.map(\.key)
        if let stranger = configuration.alarms.first(where: { !inputs.contains($0.key) })?.key {
            throw UnknownInput(name: stranger, known: inputs)
        }
        for number in configuration.relays.keys.sorted() where number > board.relays.count {
            let known =
                switch board.relays.count {
                case 0: "no relay"
                case 1: "only relay 1"
                case let count: "relays 1 to \(count)"
                }
            let fault = configuration.fault(
                "relays", entry: "\(number)",
                "the board has \(known); remove this relay, or add its line to panel.relays in \(boardFile)")
            if let fault { throw fault }
        }
    }

    /// The settings of Media, with those of each line.
    func media(ice: [AccountID: ICESettings]) -> MediaSettings {
        var settings = media
        settings.ice = ice
        return settings
    }

    /// The settings of Media, made from the configuration.
    package var media: MediaSettings {
        var settings = MediaSettings(devices: [:])
        for (route, device) in configuration.sound.devices {
            settings.devices[route] = MediaSettings.Device(
                capture: device.capture, playback: device.playback, processing: device.processing,
                mixer: device.mixer)
        }
        settings.firstRoute = configuration.sound.defaultRoute
        settings.periodMilliseconds = Int(configuration.sound.period.milliseconds)
        settings.country = configuration.sound.country
        settings.ports = configuration.media.firstPort...configuration.media.lastPort
        // A socket bound to `::` also carries IPv4, under IPv4-mapped addresses (RFC 4291 §2.5.5.2).
        settings.bindAddress = configuration.sip.addresses.last ?? settings.bindAddress
        settings.opusComplexity = configuration.media.complexity
        settings.certificate = configuration.media.certificate
        settings.recording = recording
        settings.playingFolder = playingFolder
        settings.ringer = ringer
        settings.holdMusic = holdMusic
        if let paging = configuration.paging {
            settings.pages = paging.groups.map(\.media)
            settings.pageRoute = paging.route
        }
        return settings
    }
}

extension PhonePolicy {
    fileprivate mutating func takeLimits(_ configuration: Configuration) {
        let calls = configuration.calls
        maximumCalls = calls.maximum
        ringingInTime = calls.ringTimeout
        ringingOutTime = calls.dialTimeout
        maximumCallTime = calls.maximumLength
        followsTransfers = calls.followTransfers
        transferTargets = calls.transferTargets
        mixesCalls = calls.conference
        recordsCalls = calls.recording != nil
        playsFiles = calls.playing != nil
        playsHoldMusic = configuration.sound.holdMusic != nil
        paging = configuration.paging?.policy
        soundTest = configuration.sound.selfTest?.policy
        dtmf = calls.dtmf
        keepsNoHistory = calls.keepsHistory ? nil : true
        hasBackend = configuration.backend == nil ? nil : true
        silenceTime = configuration.media.silenceTimeout
        networkTime = configuration.network.timeout
        reconnectTime = configuration.network.reconnectTimeout
        dialPlan = calls.dialPlan
        shortNumbers = Set(calls.shortNumbers)
    }

    fileprivate mutating func takeRinging(_ configuration: Configuration) {
        let calls = configuration.calls
        announcer = calls.announce
        ringCadence = RingCadence(
            configuration.sound.country.plan.ring.milliseconds.map { .milliseconds($0) })
        rings = calls.rings
        declinedAs = calls.declineAs
        blocked = calls.blocked
        blocksWithheld = calls.blocksWithheld
        autoAnswer = calls.autoAnswer ?? autoAnswer
    }

    fileprivate mutating func takePanel(_ configuration: Configuration, _ keys: Set<Key>) {
        let panel = configuration.panel
        defaultRoute = configuration.sound.defaultRoute
        flash = panel.flash.times(keys: keys)
        displayLanguage = panel.language
        onHookDeclines = panel.onHookDeclines
        digitTime = panel.digitTime
        offHookTime = panel.offHookTime
        congestionTime = panel.congestionTime
        howlerTime = panel.howlerTime
        handsFreeToneTime = panel.handsFreeToneTime
    }

    fileprivate mutating func takeAccounts(
        _ calls: CallsSection, _ accounts: AccountLabels
    ) throws(UnknownAccount) {
        if let label = calls.account {
            defaultAccount = try accounts.account(label, key: "calls.account")
        } else {
            defaultAccount = accounts.accounts.first?.id ?? .direct
        }
        for (index, label) in calls.lineKeys.enumerated() {
            lineKeys.append(try accounts.account(label, key: "calls.line_keys[\(index + 1)]"))
        }
        for (label, ring) in calls.accountRings {
            accountRings[try accounts.account(label, key: "calls.account_rings")] = ring
        }
        for (label, code) in calls.pickupCodes {
            pickupCodes[try accounts.account(label, key: "calls.pickup_codes")] = code
        }
        for (label, organization) in calls.organizations {
            let account = try accounts.account(label, key: "calls.organizations")
            organisations = (organisations ?? [:]).merging([account: OrganisationID(organization)]) { _, last in last }
        }
        for (label, number) in calls.voicemail {
            voicemail[try accounts.account(label, key: "calls.voicemail")] = number
        }
        for (number, dial) in calls.speedDials.sorted(by: { $0.key < $1.key }) {
            speedDials[number] = try dial.dial("calls.speed_dials.\(number)", accounts)
        }
        if !calls.organizationKeys.isEmpty {
            organisationKeys = calls.organizationKeys.mapValues { OrganisationID($0) }
        }
    }
}
