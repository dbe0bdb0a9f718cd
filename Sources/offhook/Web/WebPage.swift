import Base
import Control
import Cryptography
import JSON
import PhoneCore
import QRCode
import SecureTransport
import Vault

/// The page of a configuration, for a person who opens it.
struct WebPage {
    let settings: Settings
    private let listening: WebListening
    private let names: WebNames

    init(_ settings: Settings, _ listening: WebListening, _ names: WebNames) {
        (self.settings, self.listening, self.names) = (settings, listening, names)
    }

    /// Nil: the configuration opens no page.
    init?(_ settings: Settings) throws {
        guard let http = settings.configuration.control.http, let listening = WebListening(http) else { return nil }
        self.init(settings, listening, try .here(listening))
    }

    /// Without a token.
    var address: String {
        let isSecure = settings.control.http?.identity != nil
        return "\(isSecure ? "https" : "http")://\(names.link):\(listening.port)/"
    }

    /// SHA-256 as browsers show it; nil: there is no certificate.
    var fingerprint: String? {
        get throws(CommandError) {
            guard let file = settings.control.http?.identity?.certificateFile else { return nil }
            let text = try InputFile.read(file, limit: FileChange.longest)
            guard let certificate = Certificate(pem: text) else { throw CommandError("\(file): no certificate in PEM") }
            return certificate.fingerprint.map { [$0].hexadecimal.uppercased() }.joined(separator: ":")
        }
    }

    /// The link with the token, which is in the fragment: browsers send that to nobody.
    func link(_ token: Redacted<String>) -> String { "\(address)#token=\(token.reveal())" }

    /// The lines that a person needs to open the page.
    func lines(_ token: Redacted<String>) throws(CommandError) -> [String] {
        var lines = [
            "", "Open this link. It has the token, so show it only to people who may use the phone:", link(token),
        ]
        if let fingerprint = try fingerprint {
            lines += ["The browser warns once: compare the certificate's SHA-256 before you continue.", fingerprint]
        } else {
            lines.append("It opens on this machine only: a tunnel leads there (docs/user/page.md).")
        }
        return lines + picture(of: link(token))
    }

    /// The QR code of a link, at a terminal.
    private func picture(of link: String) -> [String] {
        guard !listening.isHere, Terminal.showsPictures else { return [] }
        guard let rows = SignInPicture.modules(link) else { return ["For a QR code, install \(QRCode.package)."] }
        return QRText.lines(
            .array(rows.map { .string($0) }), width: Terminal.size.width, coloured: Terminal.hasColour)
    }
}

/// The tokens of a phone, whether it runs or not.
struct WebTokens {
    static let usualLabel = "web"

    private let vault: VaultAccess
    /// Nil: no phone runs.
    private let phone: ControlClient?

    var isRunning: Bool { phone != nil }

    init(_ settings: Settings, credential: String) throws(ControlClientError) {
        vault = VaultAccess(settings: settings, credential: credential)
        do throws(ControlClientError) {
            phone = try ControlClient(path: settings.socket)
        } catch {
            guard case .unreachable = error else { throw error }
            phone = nil
        }
    }

    func requireVault() throws(CommandError) {
        guard vault.exists else {
            throw CommandError("\(vault.settings.vaultFile): there is no vault for the token; run `offhook setup`")
        }
    }

    /// Adds a token in place of the one with this label, whose links open nothing from then on.
    /// - Parameter key: Of a vault that was just made; nil: find the key.
    func replace(_ label: String, _ scope: AccessScope, by key: VaultKey? = nil) throws -> Redacted<String> {
        guard key == nil, let phone else { return try vault.replaceToken(label, scope, by: key) }
        _ = try remove(label)
        let answer = try phone.call("addToken", ["label": .string(label), "scope": .string(scope.rawValue)])
        guard let token = answer["token"]?.string else { throw CommandError("the phone gave no token") }
        return Redacted(token)
    }

    /// - Returns: False if no token has this label.
    func remove(_ label: String) throws -> Bool {
        guard let phone else { return try vault.removeToken(label) }
        do throws(ControlClientError) {
            _ = try phone.call("removeToken", ["label": .string(label)])
            return true
        } catch {
            guard case .refused("noSuchToken", _, _) = error else { throw error }
            return false
        }
    }

    /// In the form of `getTokens`.
    func list() throws -> JSONValue {
        if let phone { return try phone.call("getTokens") }
        let tokens = try vault.tokens().map { token -> JSONValue in
            [
                "label": .string(token.label), "scope": .string(token.scope.rawValue),
                "created": .integer(token.created.unixMilliseconds),
            ]
        }
        return ["tokens": .array(tokens)]
    }
}
