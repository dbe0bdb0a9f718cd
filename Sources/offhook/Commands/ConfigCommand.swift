import ArgumentParser
import Base
import JSON
import YAML

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Check, show and describe the configuration file.",
        subcommands: [Check.self, Show.self, Schema.self])

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "List every error of the configuration and its board file.",
            discussion: """
                Each line has the file, the line and column, the key, and what is expected. The exit code is 1 if there \
                is an error. Account labels are checked if the vault can be read.
                """)

        @OptionGroup var phone: ConfigurationOption
        @Argument(help: "The file, instead of --config.", completion: .file(extensions: ["yaml"])) var file: String?

        func run() throws {
            let path = file ?? phone.config
            let check = ConfigurationCheck(path: path)
            for error in check.errors { print("\(error)".withoutCommands) }
            for note in check.notes { print("note: \(note)".withoutCommands) }
            guard check.errors.isEmpty else {
                let count = check.errors.count
                print(count == 1 ? "1 error" : "\(count) errors")
                throw ExitCode.failure
            }
            print("\(path): no error".withoutCommands)
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Print the configuration with all defaults, as YAML.",
            discussion: "Relay codes and the programs of on_event are not shown, because they may contain secrets.")

        @OptionGroup var phone: ConfigurationOption
        @Flag(help: "Add where each value comes from: the line of the file, or the default.") var origin = false

        func run() throws {
            let effective = try EffectiveConfiguration(YAMLDocument(path: phone.config))
            print(effective.text(origin: origin), terminator: "")
        }
    }

    struct Schema: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema", abstract: "Print the JSON Schema of the configuration, for editors.",
            discussion: """
                The package installs the same schema with longer descriptions as \
                /usr/share/offhook/config.schema.json.
                """)

        func run() throws { print(ConfigurationSchema.document.text) }
    }
}
