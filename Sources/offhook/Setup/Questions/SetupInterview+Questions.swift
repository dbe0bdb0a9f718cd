import PhoneCore
import SoundCore
import Vault

/// The texts of the questions, and their default answers.
extension SetupInterview {
    private typealias Choice = SetupQuestion.Choice

    func question(about failure: SetupFailure) -> SetupQuestion {
        SetupQuestion(
            key: .remedy, text: "What now?", choices: failure.remedies.map(\.choice), isOpen: false,
            usual: failure.remedies.first?.choice.value)
    }

    func question(_ key: SetupKey) -> SetupQuestion {
        var question = SetupQuestion(key: key, text: text(key))
        question.usual = former[key] ?? usual(key)
        switch key {
        case .sound, .panel, .account:
            (question.choices, question.isOpen) = ([Choice("yes", ""), Choice("no", "")], false)
        case .handset: question.choices = found.cards + [Choice("null", "no sound, to try without a card")]
        case .speaker, .headset, .ringer: question.choices = found.cards + [Choice("none", "no device")]
        case .board:
            question.choices = found.boards.map { Choice($0.name, $0.words) }
            question.isOpen = false
        case .vault: (question.choices, question.isOpen) = (Self.places, false)
        case .transport: (question.choices, question.isOpen) = (Self.transports, false)
        case .protection: (question.choices, question.isOpen) = (Self.protections, false)
        case .testCall:
            question.choices = [
                Choice("none", "no call"), Choice("loopback", "to a second phone inside this command"),
            ]
        case .country, .label, .user, .authUser, .displayName, .server, .domain, .authorities, .pin, .password, .remedy:
            break
        }
        return question
    }

    private func text(_ key: SetupKey) -> String {
        switch key {
        case .sound: found.devices.isEmpty ? "Choose the sound devices?" : "\(inUse). Choose others?"
        case .country:
            "Country whose tones the phone plays: \(ToneCountry.allCases.map(\.rawValue).joined(separator: " "))"
        case .handset: "Which sound card is the handset? Choose one, or type an ALSA device"
        case .speaker: "Which sound card is the speaker, for calls without the handset?"
        case .headset: "Which sound card is the headset?"
        case .ringer: "Which sound card rings, in addition to the panel's bell?"
        case .panel: found.board.map { "The board file is \($0). Choose another one?" } ?? "Choose the board file?"
        case .board: "Which board has your hook, keys and lamps?"
        case .vault: "There is no vault yet. It stores accounts and history, encrypted. Where shall its key be?"
        case .account:
            found.accounts.isEmpty
                ? "Add an account?" : "Accounts: \(found.accounts.joined(separator: ", ")). Add one?"
        case .label: "Label of the account, for you"
        case .user: "User at the server: the part of the address before the @"
        case .authUser: "Name for authentication, if it is not the user"
        case .displayName: "Name shown to the far end"
        case .server: "Server: a name or an address, with :PORT if it is not the default"
        case .domain: "Domain of the address, if it is not the server"
        case .transport: "Which transport does the server use?"
        case .protection: "When shall voice be encrypted?"
        case .authorities: "PEM file with the authority that signed the server's certificate"
        case .pin: "SHA-256 of the server's certificate"
        case .password: "Password (empty: the server needs none)"
        case .remedy: "What now?"
        case .testCall: "Make a test call? Type the number of the server's echo test, or choose"
        }
    }

    private var inUse: String {
        let parts = SetupKey.devices.compactMap { key in
            found.devices[key].map { "\(key.rawValue.dropFirst("sound.".count)) on \($0)" }
        }
        return "Sound: " + parts.joined(separator: ", ")
    }

    /// Nil: there is no default answer.
    private func usual(_ key: SetupKey) -> String? {
        switch key {
        case .sound: found.devices.isEmpty ? "yes" : "no"
        case .country: found.country ?? ToneCountry.us.rawValue
        case .handset: untried(key).first ?? "null"
        case .speaker where answers[.handset] == "none": untried(key).first
        case .speaker, .headset, .ringer: untried(key).first { $0 == found.devices[key] } ?? "none"
        case .panel: found.board == nil ? "yes" : "no"
        case .board: found.boards.first { $0.fits && $0.name != Self.simulator }?.name ?? Self.simulator
        case .vault: KeyPlace.file.rawValue
        case .account: found.accounts.isEmpty ? "yes" : "no"
        case .label: found.accounts.contains(Self.usualLabel) ? nil : Self.usualLabel
        case .authUser: answers[.user]
        case .transport: Account.Transport.udp.rawValue
        case .protection: Account.Protection.mandatory.rawValue
        case .password: ""
        case .testCall: "none"
        case .user, .displayName, .server, .domain, .authorities, .pin, .remedy: nil
        }
    }

    /// The devices of a route that have not failed: the configured one, then the machine's cards.
    private func untried(_ key: SetupKey) -> [String] {
        let failed = failedDevices[key] ?? []
        return ([found.devices[key]].compactMap(\.self) + found.cards.map(\.value)).filter { !failed.contains($0) }
    }

    static let usualLabel = "office"

    /// The board that needs no hardware.
    static let simulator = "simulator"

    private static let places = [
        Choice("file", "beside the vault: anyone who copies both can read everything"),
        Choice("sealed", "bound to this machine by systemd, and to its TPM if it has one; as root"),
        Choice("passphrase", "typed after each start of the machine"),
        Choice("none", "create no vault now"),
    ]
    private static let transports = [
        Choice("udp", "not encrypted; most servers"), Choice("tcp", "not encrypted, over a connection"),
        Choice("tls", "encrypted: the server needs a certificate"),
        Choice("ws", "over a WebSocket, not encrypted"), Choice("wss", "over a WebSocket, encrypted"),
        Choice("auto", "the choice of its domain's DNS"),
    ]
    private static let protections = [
        Choice("mandatory", "always; otherwise the call fails"),
        Choice("dtls", "always, and no server gets the keys (DTLS-SRTP)"),
        Choice("offered", "if the far end can: many servers without TLS cannot"), Choice("off", "never"),
    ]
}
