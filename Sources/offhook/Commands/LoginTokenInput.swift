import ArgumentParser
import Base
import Glibc
import Vault

/// Where a login token comes from: a file or standard input. Never an argument, because every user can read those. It
/// is too long to be typed.
struct LoginTokenInput: ParsableArguments {
    @Option(
        help: "Log in with the token in this file instead of user and password. For --kind telnyx.")
    var tokenFile: String?

    @Flag(help: "Log in with a token from standard input. For --kind telnyx.")
    var tokenStdin = false

    func validate() throws {
        if tokenFile != nil, tokenStdin { throw ValidationError("give --token-file or --token-stdin, not both") }
    }

    /// Whether a source was named.
    var isNamed: Bool { tokenFile != nil || tokenStdin }

    /// Reads the first line of the source; nil when none was named.
    func read() throws -> Redacted<String>? {
        let token: Redacted<String>
        if let tokenFile {
            token = try SecretInput.firstLine(ofFile: tokenFile, of: "a token", upTo: Account.tokenLimit)
        } else if tokenStdin {
            token = try SecretInput.firstLine(
                of: STDIN_FILENO, named: "standard input", of: "a token", upTo: Account.tokenLimit)
        } else {
            return nil
        }
        // The account's check does not name the source.
        guard Account.isToken(token) else {
            throw CommandError("\(tokenFile ?? "standard input"): \(Account.tokenRule)")
        }
        return token
    }
}
