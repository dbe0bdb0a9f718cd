import Base
import Control
import Cryptography
import Lines
import Panel
import PhoneCore
import SecureTransport
import Vault
import YAML

/// All errors of a configuration file, and of its board file and accounts where those can be read.
package struct ConfigurationCheck {
    /// Those of the configuration in the order of the text, then those of the board file.
    package private(set) var errors: [YAMLError] = []
    /// What could not be checked, and why.
    package private(set) var notes: [String] = []
    /// Nil if the file has errors.
    package private(set) var settings: Settings?
    /// The file's values, if they can be read at all.
    package private(set) var document: YAMLDocument?

    /// Blocks for the disk.
    /// - Parameters:
    ///   - accounts: The phone's accounts; nil: those in the vault, if it can be read.
    ///   - readsCertificates: Whether to check the files of certificates and keys. Calls work without them.
    package init(path: String, accounts: AccountLabels? = nil, readsCertificates: Bool = true) {
        let document: YAMLDocument
        do throws(YAMLError) {
            document = try YAMLDocument(tolerating: path)
        } catch {
            errors = [error]
            return
        }
        self.document = document
        errors = document.errors(reading: Configuration.self)
        guard errors.isEmpty else {
            notes = ["board, accounts and files are checked when these errors are corrected"]
            return
        }
        do throws(YAMLError) {
            let settings = try Settings(document)
            let keys = try document.keys(of: Configuration.self)
            self.settings = settings
            checkBoard(settings, keys)
            checkAccounts(accounts ?? labels(settings), keys)
            if readsCertificates { checkCertificates(settings) }
        } catch {
            errors.append(error)
        }
        if !errors.isEmpty { settings = nil }
    }

    private mutating func checkBoard(_ settings: Settings, _ keys: [YAMLKey]) {
        let board: Board
        do throws(YAMLError) {
            let document = try YAMLDocument(tolerating: settings.boardFile)
            let wrong = document.errors(reading: Board.self)
            guard wrong.isEmpty else { return errors += wrong }
            board = try document.read()
        } catch {
            return errors.append(error)
        }
        let inputs = board.panel.inputs.map(\.key)
        let relays = board.panel.relays.indices.map { "\($0 + 1)" }
        for key in keys where !key.isAsked && key.steps.count == 2 {
            guard case .key(let section) = key.steps[0], case .key(let name) = key.steps[1] else { continue }
            if section == "alarms", !inputs.contains(name) {
                add(key, "the board has no input \"\(name)\"; \(Self.choice(of: inputs, instead: name))")
            } else if section == "relays", !relays.contains(name) {
                add(key, "the board \(settings.boardFile) has no relay \(name); \(Self.choice(of: relays))")
            }
        }
    }

    private mutating func labels(_ settings: Settings) -> AccountLabels? {
        do {
            let accounts = try settings.openVault(access: .readOnly).accounts()
            return AccountLabels(accounts.map { ($0.id, $0.account.label) })
        } catch {
            notes.append("account labels were not checked: \(error)")
            return nil
        }
    }

    /// Every place of a label is known by its form.
    private mutating func checkAccounts(_ accounts: AccountLabels?, _ keys: [YAMLKey]) {
        guard let known = accounts?.accounts.map(\.label) else { return }
        let label = YAMLShape.accountLabel().form.expectation
        for key in keys {
            if key.form.expectation == label, case .scalar(let text, _) = key.node?.content, !known.contains(text) {
                add(key, "there is no account \"\(text)\"; \(Self.choice(of: known, instead: text))")
            }
            guard case .table(let names, _, _) = key.form.kind, names.expectation == label,
                case .mapping(let entries) = key.node?.content
            else { continue }
            for entry in entries where !known.contains(entry.key) {
                let words = "there is no account \"\(entry.key)\"; \(Self.choice(of: known, instead: entry.key))"
                add(key, words, at: entry.mark)
            }
        }
    }

    /// Reads the files of certificates and keys as the phone does at its start.
    private mutating func checkCertificates(_ settings: Settings) {
        let tls = settings.tls(pin: nil, isFirst: true)
        let trust = tls.authorities.map { TLSContext.Trust.authorities(file: $0) } ?? .system
        do { _ = try TLSContext(.client, trust: trust, files: tls.identity) } catch { add("sip.tls", "\(error)") }
        guard let files = settings.control.http?.identity else { return }
        do { _ = try TLSContext(.server, trust: .anybody, files: files) } catch { add("control.http", "\(error)") }
    }

    private mutating func add(_ key: YAMLKey, _ reason: String, at mark: YAMLMark? = nil) {
        errors.append(
            YAMLError(
                file: document?.file ?? "", mark: mark ?? key.node?.mark, path: key.path, problem: .invalid(reason)))
    }

    private mutating func add(_ path: String, _ reason: String) {
        let mark = document?.root.value(at: path.split(separator: ".").map { .key(String($0)) })?.mark
        errors.append(YAMLError(file: document?.file ?? "", mark: mark, path: path, problem: .invalid(reason)))
    }

    private static func choice(of known: [String], instead word: String = "") -> String {
        let nearest = Spelling.nearest(to: word, among: known).map { "did you mean \"\($0)\"? " } ?? ""
        return nearest + "known: " + (known.isEmpty ? "none" : known.joined(separator: ", "))
    }
}
