import ArgumentParser
import Base
import Glibc
import Vault

/// Where the token of a login comes from: a file or standard input; never an argument, which every user can read. It is too
/// long to be typed.
struct LoginTokenInput: ParsableArguments {
    @Option(
        help: "Log in with the token in this file, in place of a user and a password. For --kind telnyx.")
    var tokenFile: String?

    @Flag(help: "The same with a token from standard input.")
    var tokenStdin = false

    func validate() throws {
        if tokenFile != nil, tokenStdin { throw ValidationError("give --token-file or --token-stdin, not both") }
    }

    /// Whether there is one.
    var isNamed: Bool { tokenFile != nil || tokenStdin }

    /// The first line of its source; nil when none was named.
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
        // The vault would say so, too, but not where it was read.
        guard token.reveal().utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CommandError("\(tokenFile ?? "standard input"): a token has visible characters of ASCII only")
        }
        return token
    }
}
