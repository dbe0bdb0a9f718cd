import Base
import Control
import Lines
import Media
import SecureTransport
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
