import PhoneCore
import SoundCore
import Vault

/// The questions of `offhook setup` in their order, with the trials between them, as they are after the answers so
/// far. All about a question is in one place: its text, choices, default answer, check, and when it is asked.
extension SetupInterview {
    var parts: [(title: String, items: [Item])] {
        [
            ("Sound", choosing(.sound, "Choose the sound devices?", devicesInUse, sound)),
            ("Panel", choosing(.panel, "Choose the board file?", boardInUse, [panel])),
            ("Vault", [vault]),
            ("Account", hasVault ? newAccount : []),
            ("Web page", hasVault && !found.hasPage ? [web] : []),
            ("Test call", [.write, testCall, .attempt(.call)]),
        ]
    }

    private var sound: [Item] {
        [
            ask(
                .country,
                "Country whose tones the phone plays: \(ToneCountry.allCases.map(\.rawValue).joined(separator: " "))",
                usual: found.country ?? ToneCountry.us.rawValue, check: checkedCountry),
            ask(
                .handset, "Which sound card is the handset? Choose one, or type an ALSA device",
                found: found.cards, ["null": "no sound, to try without a card"],
                usual: untried(.handset).first ?? "null", check: checkedDevice),
            .attempt(.route(.handset)),
            askDevice(.speaker, "Which sound card is the speaker, for calls without the handset?"),
            .attempt(.route(.speaker)),
            askDevice(.headset, "Which sound card is the headset?"),
            .attempt(.route(.headset)),
            askDevice(.ringer, "Which sound card rings, in addition to the panel's bell?"),
            .attempt(.ringer),
        ]
    }

    private var panel: Item {
        ask(
            .board, "Which board has your hook, keys and lamps?", .choice,
            found: found.boards.map { .init($0.name, $0.words) },
            usual: found.boards.first { $0.fits && $0.name != Self.simulator }?.name ?? Self.simulator)
    }

    private var vault: Item {
        ask(
            .vault, "There is no vault yet. It stores accounts and history, encrypted. Where shall its key be?",
            .choice, when: !found.hasVault,
            [
                "file": "beside the vault: anyone who copies both can read everything",
                "sealed": "bound to this machine by systemd, and to its TPM if it has one; as root",
                "passphrase": "typed after each start of the machine", "none": "create no vault now",
            ], usual: KeyPlace.file.rawValue)
    }

    private var newAccount: [Item] {
        choosing(.account, "Add an account?", accountsInUse, server + way + relays + login + [.attempt(.account)])
    }

    private var server: [Item] {
        [
            ask(
                .label, "Label of the account, for you",
                usual: found.accounts.contains(Self.usualLabel) ? nil : Self.usualLabel, check: checkedLabel),
            ask(
                .kind, "Which protocol does the server speak?", .choice,
                [
                    "sip": "SIP: most servers", "verto": "Verto of FreeSWITCH (mod_verto)",
                    "telnyx": "Verto of Telnyx, with its usual servers",
                ], usual: AccountServer.Kind.sip.rawValue),
            ask(
                .login, "How does the phone log in?", .choice, when: kind == .telnyx,
                [
                    Self.byPassword: "with user and password",
                    Self.byToken: "with a login token, which expires after a day",
                ], usual: Self.byPassword),
            ask(
                .user, "User at the server: the part of the address before the @",
                when: !hasToken || wanted.contains(.user), check: checkedUser),
            ask(
                .authUser, "Name for authentication, if it is not the user",
                when: !hasToken && wanted.contains(.authUser), usual: answers[.user], check: checkedText),
            ask(
                .server, "Server: a name or an address, with :PORT if it is not the default", usual: defaults.server,
                check: checkedServer),
        ]
    }

    private var way: [Item] {
        [
            askUsual(
                .transport, "Which transport does the server use?", defaults.transports.map(\.rawValue),
                [
                    "udp": "not encrypted; most servers", "tcp": "not encrypted, over a connection",
                    "tls": "encrypted: the server needs a certificate", "ws": "over a WebSocket, not encrypted",
                    "wss": "over a WebSocket, encrypted", "auto": "the choice of its domain's DNS",
                ], check: checkedTransport),
            askUsual(
                .protection, "When shall voice be encrypted?", defaults.protections.map(\.rawValue),
                [
                    "mandatory": "always; otherwise the call fails",
                    "dtls": "always, and no server gets the keys (DTLS-SRTP)",
                    "offered": "if the far end can: many servers without TLS cannot", "off": "never",
                ]),
            askUsual(
                .ice, "When shall calls search for a path through NATs (ICE)?", defaults.policies.map(\.rawValue),
                [
                    "off": "never", "answered": "if the far end offers it", "always": "in every call",
                    "relayed": "in every call, and only through TURN servers",
                ]),
        ]
    }

    private var relays: [Item] {
        let areNeeded = kind != .telnyx && ["always", "relayed"].contains(answers[.ice])
        return [
            ask(
                .stun, "STUN server: HOST or HOST:PORT", when: areNeeded || wanted.contains(.stun),
                [Self.noServer: "no server"], usual: Self.noServer, check: checkedSTUN),
            ask(
                .turn, "TURN server: USER@HOST or turns:USER@HOST, with :PORT if it is not the default",
                when: areNeeded || wanted.contains(.turn), [Self.noServer: "no server"],
                usual: needsRelay ? nil : Self.noServer, check: checkedTURN),
            ask(
                .turnPassword, "Password for the TURN server", .secret(longest: SecretInput.longest),
                when: ![nil, Self.noServer].contains(answers[.turn])),
        ]
    }

    private var login: [Item] {
        [
            ask(
                .authorities, "PEM file with the authority that signed the server's certificate",
                when: wanted.contains(.authorities), check: checkedText),
            ask(
                .password, "Password (empty: the server needs none)", .secret(longest: SecretInput.longest),
                when: !hasToken),
            ask(.token, "Login token", .secret(longest: Account.tokenLimit), when: hasToken),
        ]
    }

    /// A page needs a token, and a token a vault.
    private var hasVault: Bool { found.hasVault || answers[.vault] != "none" }

    private var web: Item {
        ask(
            .web, "Open the phone's page to browsers? A link with a token is shown at the end.", .choice,
            [
                Self.noPage: "no page", "here": "on this machine only, for a tunnel (ssh -L)",
                "network": "on the network, over HTTPS with a certificate that the phone makes",
            ], usual: Self.noPage)
    }

    private var testCall: Item {
        ask(
            .testCall, "Make a test call? Type the number of the server's echo test, or choose", .number,
            ["none": "no call", "loopback": "to a second phone inside this command"], usual: "none",
            check: checkedText)
    }

    static let usualLabel = "office"
    static let byPassword = "password"
    static let byToken = "token"
    /// The answer for no STUN or TURN server.
    static let noServer = "none"
    /// The answer for no page.
    static let noPage = "no"
    /// The board that needs no hardware.
    static let simulator = "simulator"
}

/// The forms of questions.
extension SetupInterview {
    typealias Choices = KeyValuePairs<String, String>

    /// - Parameter found: Choices before the others.
    private func ask(
        _ key: SetupKey, _ text: String, _ kind: SetupQuestion.Kind = .open, when isAsked: Bool = true,
        found: [SetupQuestion.Choice] = [], _ choices: Choices = [:], usual: String? = nil, check: Check? = nil
    ) -> Item {
        let choices = found + choices.map { .init($0.key, $0.value) }
        return .question(
            SetupQuestion(key: key, kind: kind, text: text, choices: choices, usual: usual), isAsked: isAsked,
            check: check ?? { text in text })
    }

    /// Asks whether to have the items of a part.
    /// - Parameter present: The question's text if there is something to replace. The default is to keep that.
    private func choosing(_ key: SetupKey, _ text: String, _ present: String?, _ items: [Item]) -> [Item] {
        let usual = present == nil ? "yes" : "no"
        let decision = ask(key, present ?? text, .choice, ["yes": "", "no": ""], usual: usual)
        return [decision] + (answers[key] == "yes" ? items : [])
    }

    /// Asks for a device besides the handset's.
    private func askDevice(_ key: SetupKey, _ text: String) -> Item {
        let hasSound = !found.cards.isEmpty || found.devices.count > 1
        let usual = untried(key).first { $0 == found.devices[key] } ?? "none"
        let isNeeded = key == .speaker && answers[.handset] == "none"
        return ask(
            key, text, when: answers[.handset] != "null" || hasSound || wanted.contains(key), found: found.cards,
            ["none": "no device"], usual: isNeeded ? untried(key).first : usual,
            check: key == .speaker ? checkedSpeaker : checkedDevice)
    }

    /// Asks for a value that depends on the account's kind. Those of Telnyx are known.
    /// - Parameter possible: The values that the kind allows; the first is the default.
    private func askUsual(
        _ key: SetupKey, _ text: String, _ possible: [String], _ choices: Choices, check: Check? = nil
    ) -> Item {
        ask(
            key, text, .choice, when: wanted.contains(key) || kind != .telnyx && possible.count > 1,
            found: choices.filter { possible.contains($0.key) }.map { .init($0.key, $0.value) },
            usual: possible.first, check: check)
    }

    private var devicesInUse: String? {
        let parts = SetupKey.devices.compactMap { key in found.devices[key].map { "\(key.name) on \($0)" } }
        return parts.isEmpty ? nil : "Sound: \(parts.joined(separator: ", ")). Choose others?"
    }

    private var boardInUse: String? { found.board.map { "The board file is \($0). Choose another one?" } }

    private var accountsInUse: String? {
        found.accounts.isEmpty ? nil : "Accounts: \(found.accounts.joined(separator: ", ")). Add one?"
    }

    private var defaults: AccountDefaults { AccountDefaults(kind) }

    /// The devices of a route that have not failed: the configured one, then the machine's cards.
    private func untried(_ key: SetupKey) -> [String] {
        let failed = failedDevices[key] ?? []
        return ([found.devices[key]].compactMap(\.self) + found.cards.map(\.value)).filter { !failed.contains($0) }
    }
}
