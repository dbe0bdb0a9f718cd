import ArgumentParser
import Base
import Control
import Glibc
import JSON

/// Commands for the backend: the sign-in and the organisations.
extension CtlCommand {
    struct SignIn: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-in", abstract: "Sign the phone in at its backend.",
            discussion: """
                Prints a code and an address, and waits until somebody has entered the code there, on any device. At a \
                terminal it also prints the address as a QR code, if the phone has libqrencode. The phone goes on \
                waiting if you interrupt this command; --cancel ends the sign-in.
                """)
        @OptionGroup var phone: AskedPhone
        @Flag(help: "Give up the sign-in that waits.") var cancel = false

        func run() throws {
            let client = try phone.connect()
            guard !cancel else { return try phone.ask("cancelSignIn") }
            let end = try client.signIn(
                show: { code in
                    phone.show(code) { SignInText.lines($0) + Self.picture($0["qr"]) }
                    try StandardOutput.flush()
                }, wait: { TextOutput(descriptor: STDERR_FILENO).write("\($0.withoutCommands)\n") })
            switch end {
            case .signedIn(let user):
                if !phone.json { print("signed in as \(user.withoutCommands)") }
            case .failed(let why): throw CommandError("the sign-in failed: \(why.withoutCommands)")
            }
        }

        private static func picture(_ rows: JSONValue?) -> [String] {
            guard Terminal.showsPictures else { return [] }
            return QRText.lines(rows, width: Terminal.size.width, coloured: Terminal.hasColour)
        }
    }

    struct SignOut: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-out", abstract: "Sign the phone out at its backend, and forget its credentials.",
            discussion: """
                The account that the sign-in added is removed. Contacts and history stay. Not during a call.
                """)
        @OptionGroup var phone: AskedPhone
        func run() throws { try phone.connect().signOut() }
    }

    struct Organization: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "organization", abstract: "List the user's organizations, or switch to another one.",
            subcommands: [List.self, Switch.self], defaultSubcommand: List.self)

        struct List: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "list", abstract: "Ask the backend for the user's organizations, and show them.")
            @OptionGroup var phone: AskedPhone
            func run() throws { phone.show(try phone.connect().organizations(), OrganizationText.lines) }
        }

        struct Switch: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "switch", abstract: "Switch the phone to another organization. Not during a call.",
                discussion: "If the switch fails, the phone stays with the former organization.")
            @OptionGroup var phone: AskedPhone
            @Argument(help: "Identifier of the organization, as in `offhook ctl organization list`.")
            var organization: String
            func run() throws { try phone.ask("switchOrganization", ["organization": .string(organization)]) }
        }
    }
}
