import PhoneCore
import SoundCore
import Vault

/// What the questions say, and which answer is usual.
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
        case .handset: question.choices = found.cards + [Choice("null", "no sound, for trying without a card")]
        case .speaker, .headset, .ringer: question.choices = found.cards + [Choice("none", "there is none")]
        case .board:
            question.choices = found.boards.map { Choice($0.name, $0.words) }
            question.isOpen = false
        case .vault: (question.choices, question.isOpen) = (Self.places, false)
        case .transport: (question.choices, question.isOpen) = (Self.transports, false)
        case .protection: (question.choices, question.isOpen) = (Self.protections, false)
        case .testCall:
            question.choices = [
                Choice("none", "no call"), Choice("loopback", "this phone calls another one inside this command"),
            ]
        case .country, .label, .user, .authUser, .displayName, .server, .domain, .authorities, .pin, .password, .remedy:
            break
        }
        return question
    }

    private func text(_ key: SetupKey) -> String {
        switch key {
        case .sound: found.devices.isEmpty ? "Choose the sound devices?" : "\(inUse). Choose others?"
        case .country: "Whose tones? A country: \(ToneCountry.allCases.map(\.rawValue).joined(separator: " "))"
        case .handset: "Which sound card is the handset? One of these, or an ALSA device"
        case .speaker: "Which one is the speaker, for calls without the handset?"
        case .headset: "Which one is the headset?"
        case .ringer: "Which one rings, besides the panel's bell?"
        case .panel: found.board.map { "The board file is \($0). Choose another one?" } ?? "Choose the board file?"
        case .board: "Which board describes hook, keys and lamps?"
        case .vault: "There is no vault yet. It holds accounts and history, encrypted. Where is its key to be?"
        case .account:
            found.accounts.isEmpty
                ? "Add an account at a server?" : "Accounts: \(found.accounts.joined(separator: ", ")). Add one?"
        case .label: "What do you call the account?"
        case .user: "The user at the server: what stands before the @ of its address"
        case .authUser: "The name for the password, where it is not the user"
        case .displayName: "The name that others are shown"
        case .server: "The server: a name or an address, with :PORT where it is not the usual one"
        case .domain: "The domain of the address, where it is not the server"
        case .transport: "How does the server want to be spoken to?"
        case .protection: "Is voice encrypted?"
        case .authorities: "The PEM file of the authority that signed the server's certificate"
        case .pin: "The SHA-256 of the server's certificate"
        case .password: "Password (nothing: the server asks for none)"
        case .remedy: "What now?"
        case .testCall: "A test call? The number of the server's echo test, or"
        }
    }

    private var inUse: String {
        let parts = SetupKey.devices.compactMap { key in
            found.devices[key].map { "\(key.rawValue.dropFirst("sound.".count)) on \($0)" }
        }
        return "Sound: " + parts.joined(separator: ", ")
    }

    /// Nil: there is no usual answer.
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

    /// The devices of a route that have not failed: the one that is configured, then the machine's cards.
    private func untried(_ key: SetupKey) -> [String] {
        let failed = failedDevices[key] ?? []
        return ([found.devices[key]].compactMap(\.self) + found.cards.map(\.value)).filter { !failed.contains($0) }
    }

    static let usualLabel = "office"

    /// The board that needs no hardware.
    static let simulator = "simulator"

    private static let places = [
        Choice("file", "beside the vault: protects from nobody who can copy both"),
        Choice("sealed", "bound to this machine by systemd, and to its TPM if it has one; as root"),
        Choice("passphrase", "typed after each start of the machine"),
        Choice("none", "make no vault now"),
    ]
    private static let transports = [
        Choice("udp", "in clear, as most servers do"), Choice("tcp", "in clear, over a connection"),
        Choice("tls", "encrypted: the server needs a certificate"),
        Choice("ws", "over a WebSocket, in clear"), Choice("wss", "over a WebSocket, encrypted"),
        Choice("auto", "as its domain's DNS says"),
    ]
    private static let protections = [
        Choice("mandatory", "always; a call that cannot be is not made"),
        Choice("dtls", "always, and with keys that no server has (DTLS-SRTP)"),
        Choice("offered", "where the far end can: many servers without TLS cannot"), Choice("off", "never"),
    ]
}
