import Base
import Commands
import Control
import Glibc
import JSON
import PhoneCore
import Platform
import YAML

/// `offhook web`: opens the phone's page to browsers in one step, and closes it.
enum WebCommand {
    static var command: Command {
        .group(
            "web", "Open the phone's page to browsers, or close it.",
            discussion: """
                The page needs HTTPS beyond this machine, and a token. `enable` makes a certificate and a token, and \
                prints a link that has the token.
                """, [enable, disable, status])
    }

    private static var enable: Command {
        Command(
            "enable", "Write control.http, make a certificate and a token, and print the link to the page.",
            discussion: """
                Shows the changes and asks before writing. The phone signs the certificate itself, so a browser warns \
                once: compare the fingerprint. Run again, it keeps the certificate and prints a link with a new token; \
                links with the former token of the same label stop working.
                Scopes: observe looks at everything but dialled digits. call also uses the phone: calls, keys, relays. \
                configure also changes what outlives a call: contacts, accounts, tokens, setup.
                """, example: "offhook web enable --scope configure --label anna", ConfigurationOption.input,
            listening,
            Parameter.option("scope", "Rights of the link: observe, call or configure.", .choice(AccessScope.self))
                .usual(.call), label,
            Parameter.flag("renew", "Make a new certificate, after the machine got another name or address."), yes
        ) { try enable($0, listening: $1, $2, label: $3, renews: $4, writes: $5) }
    }

    private static var listening: Input<WebListening?> {
        Parameter.option(
            "listen",
            "ADDRESS:PORT of the page. Default: as configured, else every address, 0.0.0.0:8088. At 127.0.0.1 or ::1 "
                + "the page is plain HTTP, for a tunnel or a proxy."
        ).map { text throws(UsageError) in
            guard let text else { return nil }
            guard let listening = WebListening(text) else {
                throw UsageError(
                    "--listen: expected ADDRESS:PORT such as 192.0.2.7:8088, found \"\(text.shown(bytes: 64))\"")
            }
            return listening
        }
    }

    private static var label: Input<String> {
        Parameter.option("label", "Label of the token; each person and device has a different one.")
            .usual(WebTokens.usualLabel)
    }

    private static var yes: Input<Bool> { Parameter.flag("yes", "Write without asking.") }

    private static func enable(
        _ phone: ConfigurationOption, listening: WebListening?, _ scope: AccessScope, label: String, renews: Bool,
        writes: Bool
    ) throws {
        _ = PrivateMemory.hide()
        let found = try findings(phone)
        let settings = try phone.load()
        let files = try WebFiles(
            FileChange(path: phone.config, before: found.text, after: found.text ?? ""), found: found,
            listening: listening, renews: renews)
        let tokens = try WebTokens(settings, credential: SealingOptions.usualCredential)
        try tokens.requireVault()
        if files.isNeeded {
            print(files.description.withoutTerminalCommands)
            guard try writes || confirm("Write this?") else { throw CommandError("nothing was written") }
        }
        let token = try Uninterrupted.run {
            let token = try tokens.replace(label, scope)
            for line in try files.write() { print(line) }
            return token
        }
        if files.isNeeded { print(start(phone, found, isRunning: tokens.isRunning)) }
        for line in try files.page.lines(token) { print(line) }
    }

    private static var disable: Command {
        Command(
            "disable", "Remove control.http, and revoke the token of the link.",
            discussion: """
                The token is revoked at once, and its pages close. The port closes when the phone restarts. Other \
                tokens and the certificate stay, so that the page can be opened again with the same fingerprint.
                """, ConfigurationOption.input, label, yes
        ) { phone, label, writes in
            let found = try findings(phone)
            let settings = try phone.load()
            let change = try closing(found, settings)
            if change.isNeeded {
                print(change.diff.joined(separator: "\n").withoutTerminalCommands)
                guard try writes || confirm("Write this?") else { throw CommandError("nothing was written") }
            } else {
                print("the page is off already")
            }
            let tokens = try WebTokens(settings, credential: SealingOptions.usualCredential)
            try Uninterrupted.run {
                if settings.hasVault, try tokens.remove(label) { print("token \(label.withoutCommands): revoked") }
                if change.isNeeded { for line in try change.write() { print(line) } }
            }
            if change.isNeeded, tokens.isRunning { print("To close the port: \(restart(phone))") }
        }
    }

    /// Removes the section, and the one around it if nothing else is in it.
    private static func closing(_ found: SetupFindings, _ settings: Settings) throws -> FileChange {
        var text = ConfigurationText(found.text ?? "")
        guard settings.configuration.control.http != nil else {
            return FileChange(path: found.path, before: found.text, after: text.text)
        }
        let hasSocket = settings.document.root.value(at: [.key("control"), .key("socket")]) != nil
        try text.remove(hasSocket ? ["control", "http"] : ["control"])
        _ = try Settings(text.text, path: found.path)
        return FileChange(path: found.path, before: found.text, after: text.text)
    }

    private static var status: Command {
        Command("status", "Show the page's address, its certificate and the tokens.", ConfigurationOption.input) {
            phone in
            let settings = try phone.load()
            guard let page = try WebPage(settings) else {
                return print("the page is off; `offhook web enable` opens it")
            }
            print("page         \(page.address)")
            print("certificate  \(try page.fingerprint ?? "none: the page is for this machine only")")
            guard settings.hasVault else { return }
            let list = try WebTokens(settings, credential: SealingOptions.usualCredential).list()
            for line in TokenText.lines(list, time: { CalendarTime.text(unixMilliseconds: $0) }) {
                print("token        \(line)")
            }
        }
    }

    private static func findings(_ phone: ConfigurationOption) throws -> SetupFindings {
        guard phone.exists else { throw CommandError("\(phone.config): there is no phone yet; run `offhook setup`") }
        return try SetupInspection.findingsWithoutVault(phone.config)
    }

    /// Without a terminal, nobody can agree.
    private static func confirm(_ text: String) throws -> Bool {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw CommandError("nothing was written; --yes writes without asking")
        }
        return try SetupTerminal().confirm(text)
    }

    private static func start(_ phone: ConfigurationOption, _ found: SetupFindings, isRunning: Bool) -> String {
        if isRunning { return "To open the page: \(restart(phone))" }
        let command = found.isSystem ? "systemctl start \(found.service)" : "offhook run\(phone.words)"
        return "To open the page, start the phone: \(command)"
    }

    private static func restart(_ phone: ConfigurationOption) -> String { "offhook ctl restart\(phone.words)" }
}

extension ConfigurationOption {
    /// The option as a person types it; empty for the usual file.
    fileprivate var words: String { config == Self.usual ? "" : " --config \(config.withoutCommands)" }
}
