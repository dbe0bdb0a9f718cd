import Commands
import JSON
import Testing

/// How words become commands and values.
@Suite struct CommandTests {
    private let phone = Telephone()

    @Test(arguments: [
        (["102"], "102 handset 0 false true []"),
        (["102", "--route", "speaker", "--tries=3", "--json"], "102 speaker 3 true true []"),
        (["--route=speaker", "102", "--no-follow"], "102 speaker 0 false false []"),
        (["--no-follow", "--follow", "102"], "102 handset 0 false true []"),
        (["--tries", "2", "--tries", "4", "102"], "102 handset 4 false true []"),
        (["102", "--header", "X-A=1", "--header=X-B=2"], "102 handset 0 false true [\"X-A=1\", \"X-B=2\"]"),
        (["--json", "--", "--json"], "--json handset 0 true true []"),
        (["-"], "- handset 0 false true []"),
    ])
    func wordsBecomeValues(words: [String], heard: String) {
        let outcome = phone.command.outcome(of: ["ctl", "dial"] + words, version: "1")
        #expect(outcome == Command.Outcome() && phone.heard == [heard], "\(outcome)")
    }

    @Test(arguments: [
        (["ctl", "dial"], "<target> is missing: The number."),
        (["ctl", "press"], "<keys> is missing: The keys."),
        (["ctl", "dial", "1", "2"], "unexpected argument \"2\""),
        (["ctl", "dial", "1", "--jsn"], "unknown option --jsn; did you mean --json?"),
        (["ctl", "dial", "1", "--levitate"], "unknown option --levitate\n"),
        (["ctl", "dial", "1", "--tries"], "--tries needs a value: How often."),
        (["ctl", "dial", "1", "--tries", "--json"], "--tries needs a value: How often."),
        (["ctl", "dial", "1", "--tries", "10"], "--tries: expected a number from 1 to 9, found \"10\""),
        (["ctl", "dial", "1", "--route", "door"], "--route: expected handset or speaker, found \"door\""),
        (["ctl", "dial", "1", "--json=yes"], "--json takes no value"), (["ctl", "dial", "0"], "0 is no number"),
        (["ctl", "dail", "1"], "there is no command \"phone ctl dail\". Did you mean \"phone ctl dial\"?"),
        (["levitate"], "there is no command \"phone levitate\". \"phone --help\" lists all"),
        (["ctl", "missed", "cler"], "Did you mean \"phone ctl missed clear\"?"),
        (["ctl", "missed", "x"], "unexpected argument \"x\""), (["--json"], "unknown option --json"),
        (["help", "levitate"], "there is no command \"phone levitate\""),
    ])
    func mistakeIsNamedWithUsage(words: [String], said: String) {
        let outcome = phone.command.outcome(of: words, version: "1")
        #expect(outcome.status == 64 && outcome.error.contains(said), "\(outcome)")
        #expect(outcome.error.contains("\nUsage: phone"), "\(outcome)")
    }

    @Test func failureIsSaidWithoutUsage() {
        #expect(phone.outcome("ctl", "dial", "lost") == Command.Outcome(error: "Error: the line is lost", status: 1))
        #expect(phone.outcome("ctl", "dial", "busy") == Command.Outcome(status: 1))
        let lost = phone.command.outcome(of: ["run"], version: "1") { throw Telephone.Lost() }
        #expect(lost.status == 1, "the output of a command that succeeds may be lost")
    }

    @Test func groupRunsItsUsualCommand() {
        _ = phone.outcome("ctl", "missed")
        _ = phone.outcome("ctl", "missed", "--json")
        _ = phone.outcome("ctl", "missed", "clear")
        #expect(phone.heard == ["list false", "list true", "clear"])
    }

    @Test func allWordsAfterTheOptionsAreArguments() {
        _ = phone.outcome("ctl", "press", "1", "#", "--", "-x")
        #expect(phone.heard == ["[\"1\", \"#\", \"-x\"]"])
    }

    /// The phone starts without the tables of other commands.
    @Test func onlyNamedGroupsMakeTheirTables() {
        _ = phone.outcome("run", "-c", "x.yaml")
        #expect(phone.heard == ["run x.yaml"] && phone.opened.isEmpty)
    }

    @Test func tableIsPrintedAsJSON() throws {
        let table = try JSONValue(parsing: phone.outcome("help", "--json").output)
        let dial = table["commands"]?.array?[1]["commands"]?.array?[0]
        #expect(dial?["name"] == "dial" && dial?["example"] == "phone ctl dial 102")
        let route = dial?["parameters"]?.array?[1]
        #expect(
            route?["choices"] == ["handset", "speaker"] && route?["usual"] == "handset", "\(String(describing: route))")
    }
}

/// What the help shows.
@Suite struct HelpTests {
    private let phone = Telephone()

    @Test(arguments: [["ctl", "dial", "--help"], ["ctl", "dial", "-h", "--tries"], ["help", "ctl", "dial"]])
    func helpNamesEveryParameter(words: [String]) {
        let outcome = phone.command.outcome(of: words, version: "1")
        #expect(outcome.status == 0 && phone.heard.isEmpty, "\(outcome)")
        for text in [
            "OVERVIEW: Call a number.", "The server decides.", "USAGE: phone ctl dial [options] <target>",
            "<target>", "--route <route>", "One of handset, speaker. Default: handset.", "--tries <tries>",
            "--follow, --no-follow", "--header <X-NAME=VALUE>", "-h, --help", "phone ctl dial 102",
        ] { #expect(outcome.output.contains(text), "\(text): \(outcome.output)") }
        #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(outcome.output)")
    }

    @Test(arguments: [["ctl"], ["ctl", "--help"], ["ctl", "help"]]) func groupListsItsCommands(words: [String]) {
        let outcome = phone.command.outcome(of: words, version: "1")
        #expect(outcome.status == 0 && outcome.output.contains("USAGE: phone ctl <command>"), "\(outcome)")
        for name in ["dial", "press", "missed"] { #expect(outcome.output.contains("\n  \(name) "), "\(outcome)") }
        #expect(phone.outcome("ctl", "missed", "--help").output.contains("list (default)"))
    }

    @Test func versionIsShown() {
        #expect(phone.outcome("--version").output == "1.2.3")
        #expect(phone.outcome("run", "--version").output == "1.2.3")
        #expect(phone.outcome("ctl", "dial", "--", "--version").output.isEmpty)
    }
}
