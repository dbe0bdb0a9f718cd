import Base
import Commands
import Glibc
import JSON
import Vault
import YAML

enum ConfigCommand {
    static var command: Command {
        .group("config", "Check, show and describe the configuration file.", [check, show, schema])
    }

    private static var check: Command {
        Command(
            "check", "List every error of the configuration and its board file.",
            discussion: """
                Each line has the file, the line and column, the key, and what is expected. The exit code is 1 if \
                there is an error. Account labels are checked if the vault can be read.
                """, ConfigurationOption.input,
            Parameter.optionalArgument("file", "The file, instead of --config.", .file(ending: "yaml"))
        ) { phone, file in
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

    private static var show: Command {
        Command(
            "show", "Print the configuration with all defaults, as YAML.",
            discussion: "Relay codes and the programs of on_event are not shown, because they may contain secrets.",
            ConfigurationOption.input,
            Parameter.flag("origin", "Add where each value comes from: the line of the file, or the default.")
        ) { phone, origin in
            let effective = try EffectiveConfiguration(YAMLDocument(path: phone.config))
            print(effective.text(origin: origin), terminator: "")
        }
    }

    private static var schema: Command {
        Command(
            "schema", "Print the JSON Schema of the configuration, for editors.",
            discussion: """
                The package installs the same schema with longer descriptions as \
                /usr/share/offhook/config.schema.json.
                """
        ) { print(ConfigurationSchema.document.text) }
    }
}

/// The phone that a command works on, named by its configuration file.
struct ConfigurationOption {
    static let usual = "/etc/offhook/offhook.yaml"

    let config: String

    static var input: Input<ConfigurationOption> {
        Parameter.option("config", "The phone's configuration file.", .file(ending: "yaml")).short("c").usual(usual)
            .map { ConfigurationOption(config: $0) }
    }

    /// False only if the file does not exist. If it cannot be read, `load` throws.
    var exists: Bool { unsafe access(config, F_OK) == 0 || errno != ENOENT }

    func load() throws -> Settings { try Settings(path: config) }
}

extension Settings {
    /// Finds the vault's key. Order: the credential from systemd, the key unlocked by a passphrase, the key file.
    func vaultKey() throws(VaultError) -> VaultKey {
        do throws(VaultError) {
            return try VaultKey.find(
                keyFile: keyFile, unlockedFile: unlockedKeyFile,
                credentialsDirectory: Environment["CREDENTIALS_DIRECTORY"])
        } catch {
            guard case .keyNotFound(let places) = error, hasVault else { throw error }
            throw .keyLost(vault: vaultFile, places: places)
        }
    }

    /// Whether the vault file exists. Only its own key opens it.
    var hasVault: Bool { unsafe access(vaultFile, F_OK) == 0 }

    func openVault(access: VaultFile.Access) throws(VaultError) -> VaultFile {
        try VaultFile.open(vaultFile, key: vaultKey(), access: access)
    }
}
