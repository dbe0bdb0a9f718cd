import ArgumentParser
import Control
import JSON
import PhoneCore
import Platform

extension CtlCommand {
    struct Token: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "token",
            abstract: "Manage the tokens that allow programs to use the phone over HTTP (control.http).",
            subcommands: [Add.self, List.self, Remove.self], defaultSubcommand: List.self)

        struct Add: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "add", abstract: "Create a token and print it.",
                discussion: "The phone stores only the token's digest, so it cannot show the token again.")
            @OptionGroup var phone: AskedPhone
            @Argument(help: "Label of the token's user; each token has a different label.") var label: String
            @Option(help: "observe: see everything; call: also use the phone; configure: also change it.")
            var scope: AccessScope = .observe
            func run() throws {
                let answer = try phone.connect().call(
                    "addToken", ["label": .string(label), "scope": .string(scope.rawValue)])
                phone.show(answer) { [$0["token"]?.string ?? ""] }
            }
        }

        struct List: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "list", abstract: "Show the labels and scopes of all tokens.")
            @OptionGroup var phone: AskedPhone
            func run() throws {
                phone.show(try phone.connect().call("getTokens")) { answer in
                    TokenText.lines(answer) { CalendarTime.text(unixMilliseconds: $0) }
                }
            }
        }

        struct Remove: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "remove", abstract: "Revoke a token; its connections are closed at once.")
            @OptionGroup var phone: AskedPhone
            @Argument(help: "Label of the token.") var label: String
            func run() throws { try phone.ask("removeToken", ["label": .string(label)]) }
        }
    }
}

extension AccessScope: ExpressibleByArgument {}
