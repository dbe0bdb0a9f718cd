import Control
import JSON
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
            "commands": commands, "tried": tried?.json ?? .null, "trying": trying.map { .string($0) } ?? .null,
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

    /// The terminal commands for steps that a page cannot do.
    private var commands: JSONValue {
        let option = settings.file == ConfigurationOption.usual ? "" : " --config \(settings.file)"
        return [
            "setup": .string("offhook setup\(option)"), "seal": .string("offhook vault seal\(option)"),
            "doctor": .string("offhook doctor\(option)"),
        ]
    }
}
