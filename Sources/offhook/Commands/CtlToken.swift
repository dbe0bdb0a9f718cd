import ArgumentParser
import Control
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
            @OptionGroup var phone: RunningPhone
            @Argument(help: "For whom it is; each token has a label of its own.") var label: String
            @Option(help: "observe: see everything; call: use the phone, too; configure: change it, too.")
            var scope: AccessScope = .observe
            func run() throws {
                let answer = try phone.connect().call(
                    "addToken", ["label": .string(label), "scope": .string(scope.rawValue)])
                print(answer["token"]?.string ?? "")
            }
        }

        struct List: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "list", abstract: "Show the labels and scopes of all tokens.")
            @OptionGroup var phone: RunningPhone
            @Flag(help: "Print JSON.") var json = false
            func run() throws {
                let answer = try phone.connect().call("getTokens")
                let lines = TokenText.lines(answer) { CalendarTime.text(unixMilliseconds: $0) }
                print(json ? answer.text : lines.joined(separator: "\n"))
            }
        }

        struct Remove: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "remove", abstract: "Take a token back; what it opened is closed at once.")
            @OptionGroup var phone: RunningPhone
            @Argument(help: "The token's label.") var label: String
            func run() throws { try phone.ask("removeToken", ["label": .string(label)]) }
        }
    }
}

extension AccessScope: ExpressibleByArgument {}
