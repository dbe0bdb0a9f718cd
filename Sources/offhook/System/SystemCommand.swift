import Base
import Glibc
import Platform
import Vault

/// Runs programs of the system, such as `systemd-creds`, with little input and output.
enum SystemCommand {
    /// In bytes. More than any of these programs writes.
    private static let outputLimit = 1 << 16

    /// Runs a program that must succeed. Returns its output.
    static func output(of words: [String], input: [UInt8] = []) throws(CommandError) -> [UInt8] {
        let (status, output) = try run(words, input: input)
        guard status == 0 else { throw CommandError("`\(words.joined(separator: " "))` failed") }
        return output
    }

    /// Runs a program to its end. Its messages go to this program's standard error.
    /// - Parameters:
    ///   - limit: The time after which the program is killed. Nil: none.
    ///   - withErrors: Whether its messages are part of the output instead.
    static func run(
        _ words: [String], input: [UInt8] = [], within limit: Duration? = nil, withErrors: Bool = false
    ) throws(CommandError) -> (status: Int32, output: [UInt8]) {
        precondition(input.count <= 4_096, "the size that a pipe accepts at once")
        var (into, out): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard unsafe pipe(&into) == 0 else { throw CommandError(SystemError.last) }
        guard unsafe pipe(&out) == 0 else { throw CommandError(SystemError.last) }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, into[0], STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO)
        if withErrors { unsafe posix_spawn_file_actions_adddup2(&actions, out[1], STDERR_FILENO) }
        for end in into + out { unsafe posix_spawn_file_actions_addclose(&actions, end) }
        var argv: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe argv.forEach { unsafe free($0) } }
        var child: pid_t = 0
        let code = unsafe posix_spawnp(&child, words[0], &actions, nil, &argv, environ)
        close(into[0])
        close(out[1])
        defer { close(out[0]) }
        let written = code == 0 ? unsafe write(into[1], input, input.count) : 0
        close(into[1])
        guard code == 0 else {
            throw CommandError("cannot start \(words[0]): \(SystemError.text(code))")
        }
        let output = collect(from: out[0], until: limit.map { MonotonicClock.now() + $0 }) {
            _ = kill(child, SIGKILL)
        }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard written == input.count else { throw CommandError("`\(words[0])` did not read its input") }
        return (status, output)
    }

    /// Reads to the end, to the limit of the output, or to the deadline.
    /// - Parameter end: Ends the writer, if it has not ended itself.
    private static func collect(from descriptor: Int32, until deadline: Instant?, end: () -> Void) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: outputLimit)
        var filled = 0
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while filled < output.count {
            entry.revents = 0
            unsafe Poll.wait(&entry, count: 1, until: deadline)
            if let deadline, MonotonicClock.now() >= deadline { break }
            guard entry.revents != 0 else { continue }
            let count = unsafe output.withUnsafeMutableBytes { buffer in
                unsafe read(descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return Array(output[..<filled]) }
            filled += count
        }
        end()
        return Array(output[..<filled])
    }
}

/// Seals the vault's key to this machine, and opens it again, with `systemd-creds`. The key goes only through pipes.
/// - SeeAlso: systemd-creds(1)
enum SystemdCredentials {
    /// The binding of a sealed credential, in systemd's terms.
    enum Binding: String, CaseIterable {
        /// The machine's TPM and, if /var/lib/systemd is persistent, also its host key. Without a TPM only the host
        /// key.
        case auto
        /// A file that only root may read, on the same disk.
        case host
        case tpm2
        case both = "host+tpm2"
    }

    private static let program = "systemd-creds"

    /// Whether this machine has a TPM that systemd can use.
    static var hasTPM: Bool {
        do { return try SystemCommand.run([program, "has-tpm2", "--quiet"]).status == 0 } catch { return false }
    }

    static func seal(_ key: VaultKey, to binding: Binding) throws(CommandError) -> [UInt8] {
        let words = [
            program, "--with-key=\(binding.rawValue)", "--name=\(VaultKey.credentialName)", "encrypt", "-", "-",
        ]
        return try key.withBytes { (bytes) throws(CommandError) in try SystemCommand.output(of: words, input: bytes) }
    }

    static func open(_ path: String) throws -> VaultKey {
        var bytes = try SystemCommand.output(of: [program, "--name=\(VaultKey.credentialName)", "decrypt", path, "-"])
        return try VaultKey(taking: &bytes, from: path)
    }

    /// Makes the service manager read its units again, if it runs.
    static func reloadUnits() throws(CommandError) {
        var status = stat()
        guard unsafe stat("/run/systemd/system", &status) == 0 else { return }
        _ = try SystemCommand.output(of: ["systemctl", "daemon-reload"])
    }
}
