import Commands

/// A small program with every kind of parameter. It notes what its commands get.
final class Telephone {
    private(set) var heard: [String] = []
    /// The groups whose tables were made.
    private(set) var opened: [String] = []

    private enum Route: String, CaseIterable { case handset, speaker }

    var command: Command {
        .group("phone", "A telephone.", [self.run, self.ctl, self.group("vault", usual: nil, [])])
    }

    func outcome(_ words: String...) -> Command.Outcome { command.outcome(of: words, version: "1.2.3") }

    /// The completions of the last word.
    func offered(_ words: String...) -> [String] {
        command.outcome(of: ["---complete"] + words, version: "1.2.3").output.split(separator: "\n").map(String.init)
    }

    private func group(_ name: String, usual: String?, _ commands: @autoclosure @escaping () -> [Command]) -> Command {
        .group(
            name, "The group \(name).", usual: usual,
            sections: {
                self.opened.append(name)
                return [Command.Section("Commands", commands())]
            }())
    }

    private var run: Command {
        Command("run", "Run the phone.", Parameter.option("config", "The file.", .file(ending: "yaml")).short("c")) {
            self.heard.append("run \($0 ?? "nothing")")
        }
    }

    private var ctl: Command {
        group(
            "ctl", usual: nil, [self.dial, self.press, self.group("missed", usual: "list", [self.list, self.clear])])
    }

    private var dial: Command {
        Command(
            "dial", "Call a number.", discussion: "The server decides.", example: "phone ctl dial 102",
            Parameter.argument("target", "The number.", .asked { words in ["101", "102", "\(words.count)"] }),
            Parameter.option("route", "The route.", .choice(Route.self)).usual(.handset),
            Parameter.option("tries", "How often.", .number(1...9)), Parameter.flag("json", "Print JSON."),
            Parameter.switching("follow", "Follow it.").usual(true, "--follow"),
            Parameter.options("header", "A header.", valueName: "X-NAME=VALUE")
        ) { target, route, tries, isJSON, follows, headers in
            self.heard.append("\(target) \(route) \(tries ?? 0) \(isJSON) \(follows) \(headers)")
            if target == "0" { throw UsageError("0 is no number") }
            if target == "busy" { throw ExitCode.failure }
            if target == "lost" { throw Lost() }
        }
    }

    private var press: Command {
        Command("press", "Press keys.", Parameter.arguments("keys", "The keys.", isRequired: true)) {
            self.heard.append("\($0)")
        }
    }

    private var list: Command {
        Command("list", "List the calls.", Parameter.flag("json", "Print JSON.")) { self.heard.append("list \($0)") }
    }

    private var clear: Command { Command("clear", "Forget the calls.") { self.heard.append("clear") } }

    struct Lost: Error, CustomStringConvertible {
        let description = "the line is lost"
    }
}
