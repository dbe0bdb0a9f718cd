import Base
import Control
import Glibc
import JSON
import Lines
import Media
import Panel
import PhoneCore
import SoundCore
import Vault

/// The answer to `getSetup`: the state of each setup step, read from phone and machine. Setup keeps no record of
/// progress.
struct SetupReport {
    /// The machine's cards, chips and boards. Finding them may block.
    struct Machine {
        let cards = SoundCardList.all()
        let chips = GPIOChip.all()
        let boards = BoardCatalog.all()
    }

    let settings: Settings
    let board: PanelDescription
    let accounts: [StoredAccount]
    let accountOfSignIn: AccountID?
    let tried: TriedAccount?
    let trying: String?
    let hasWritten: Bool

    func json(_ machine: Machine, _ snapshot: PhoneSnapshot) -> JSONValue {
        [
            "sound": sound(machine.cards, snapshot), "panel": panel(machine), "vault": vault,
            "accounts": .array(accounts.map { json($0, snapshot.registrations[$0.id]) }),
            "kinds": kinds, "commands": commands, "tried": tried?.json ?? .null,
            "trying": trying.map { .string($0) } ?? .null,
            "restart": .bool(hasWritten), "configuration": .string(settings.file),
        ]
    }

    private func sound(_ cards: [SoundCardList.Card], _ snapshot: PhoneSnapshot) -> JSONValue {
        let media = settings.media
        let routes = Route.allCases.compactMap { route -> JSONValue? in
            guard let device = media.devices[route] else { return nil }
            return [
                "route": .string(route.rawValue), "capture": .string(device.capture),
                "playback": .string(device.playback), "lost": .bool(snapshot.lostDevices.contains(route)),
            ]
        }
        let isDone = media.devices.contains { $0.value.playback != "null" && !snapshot.lostDevices.contains($0.key) }
        return [
            "done": .bool(isDone), "country": .string(media.country.rawValue),
            "countries": .array(ToneCountry.allCases.map { .string($0.rawValue) }), "routes": .array(routes),
            "ringer": media.ringer.map { .string($0.device) } ?? .null,
            "cards": .array(
                cards.map { ["device": .string($0.device), "name": .string("\($0.name), \($0.place)")] }),
        ]
    }

    private func panel(_ machine: Machine) -> JSONValue {
        [
            "name": .string(board.name), "file": .string(settings.boardFile), "simulated": .bool(board.isSimulated),
            "chips": .array(
                machine.chips.map { chip in
                    [
                        "path": .string(chip.path), "label": .string(chip.label),
                        "problem": chip.problem.map { .string($0) } ?? .null,
                    ]
                }),
            "boards": .array(
                machine.boards.map {
                    ["name": .string($0.name), "words": .string($0.words), "fits": .bool($0.fits)]
                }),
        ]
    }

    private var vault: JSONValue {
        ["file": .string(settings.vaultFile), "key": .string(KeyOrigin(settings).rawValue)]
    }

    /// - Parameter registration: Nil: the account was added after the phone reported its state.
    private func json(_ stored: StoredAccount, _ registration: RegistrationState?) -> JSONValue {
        var members = stored.account.setupMembers
        members["signIn"] = .bool(stored.id == accountOfSignIn)
        members["state"] = .string((registration ?? .registering).code)
        if case .failed(let why) = registration { members["message"] = .string(why) }
        return .object(members)
    }

    /// The values that each kind of account allows; the usual one is first.
    private var kinds: JSONValue {
        var kinds: [String: JSONValue] = [:]
        for kind in AccountServer.Kind.allCases {
            let usual = AccountDefaults(kind)
            kinds[kind.rawValue] = [
                "transport": .array(usual.transports.map { .string($0.rawValue) }),
                "protection": .array(usual.protections.map { .string($0.rawValue) }),
                "ice": .array(usual.policies.map { .string($0.rawValue) }),
            ]
        }
        return .object(kinds)
    }

    /// The terminal commands for steps that a page cannot do.
    private var commands: JSONValue {
        let option = settings.file == ConfigurationOption.usual ? "" : " --config \(settings.file)"
        return [
            "setup": .string("offhook setup\(option)"), "seal": .string("offhook vault seal\(option)"),
            "doctor": .string("offhook doctor\(option)"),
        ]
    }
}

/// Where the phone found the vault's key at its start, in the order of its search.
enum KeyOrigin: String {
    /// systemd provided it. On the disk it is sealed to this machine.
    case sealed
    /// A person typed the passphrase that unlocks it.
    case passphrase
    /// It is unencrypted beside the vault.
    case file

    init(_ settings: Settings) {
        let credential = Environment["CREDENTIALS_DIRECTORY"].map { "\($0)/\(VaultKey.credentialName)" }
        if let credential, Self.isThere(credential) {
            self = .sealed
        } else if Self.isThere(settings.unlockedKeyFile) {
            self = .passphrase
        } else {
            self = .file
        }
    }

    private static func isThere(_ file: String) -> Bool { unsafe access(file, F_OK) == 0 }
}

extension RegistrationVerdict {
    /// The verdict for programs: a stable code, its details, and the terminal's sentence.
    func setupMembers(_ server: String) -> [String: JSONValue] {
        let (code, detail) = parts
        return [
            "good": .bool(isGood), "code": .string(code), "detail": .string(detail.shown(bytes: 256)),
            "message": .string(sentence(server)), "fingerprint": fingerprint.map { .string($0.text) } ?? .null,
        ]
    }

    private var parts: (code: String, detail: String) {
        switch self {
        case .registered: ("registered", "")
        case .notNeeded: ("notNeeded", "")
        case .refused(let status, let phrase): (Self.refusal(status), "\(status) \(phrase)")
        case .nameUnknown(let name): ("nameUnknown", name)
        case .nameServiceSilent(let name): ("nameServiceSilent", name)
        case .silent(takesConnections: false): ("silent", "")
        case .silent(takesConnections: true): ("silentOverUDP", "")
        case .connectionRefused: ("connectionRefused", "")
        case .unreachable(let why): ("unreachable", why)
        case .speaksTLS: ("speaksTLS", "")
        case .speaksNoTLS: ("speaksNoTLS", "")
        case .speaksOldTLS: ("speaksOldTLS", "")
        case .otherName(let names, _): ("otherName", names.prefix(4).joined(separator: ", "))
        case .unknownAuthority(let why, _): ("unknownAuthority", why)
        case .outOfDate(let why, _): ("outOfDate", why)
        case .otherPin: ("otherPin", "")
        case .other(let why): ("other", why)
        }
    }

    private static func refusal(_ status: Int) -> String {
        switch status {
        case 401, 407: "wrongPassword"
        case 403: "forbidden"
        case 404, 604: "unknownUser"
        case 500..<600: "unable"
        default: "refused"
        }
    }
}

extension SoundVerdict {
    var json: JSONValue {
        ["good": .bool(isGood), "code": .string("\(self)"), "message": .string(sentence)]
    }
}
