import ArgumentParser
import Control
import JSON
import PhoneCore
import Platform

extension CtlCommand {
    struct Token: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "token", abstract: "Who may use the phone over HTTP (control.http).",
            subcommands: [Add.self, List.self, Remove.self], defaultSubcommand: List.self)

        struct Add: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "add", abstract: "Draw a token and print it.",
                discussion: "The phone keeps only its digest: it cannot be shown again.")
            @OptionGroup var phone: AskedPhone
            @Argument(help: "For whom it is; each token has a label of its own.") var label: String
            @Option(help: "observe: see everything; call: use the phone, too; configure: change it, too.")
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
                commandName: "remove", abstract: "Take a token back; what it opened is closed at once.")
            @OptionGroup var phone: AskedPhone
            @Argument(help: "The token's label.") var label: String
            func run() throws { try phone.ask("removeToken", ["label": .string(label)]) }
        }
    }
}

extension AccessScope: ExpressibleByArgument {}
