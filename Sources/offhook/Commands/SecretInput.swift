import Base
import Commands
import Glibc
import Platform

/// Where a secret comes from: a prompt, a file, or standard input. Never an argument, because every user can read
/// those.
struct SecretInput {
    /// The longest secret that the vault keeps, in bytes.
    static let longest = 256
    static let newPassphrase = "Passphrase, at least 12 bytes: "

    var passwordFile: String?
    var passwordStdin = false

    static var input: Input<SecretInput> {
        .all(
            Parameter.option("password-file", "Read the password from this file.", .file()),
            Parameter.flag("password-stdin", "Read the password from standard input.")
        ) { file, isPiped throws(UsageError) in
            if file != nil, isPiped { throw UsageError("give --password-file or --password-stdin, not both") }
            return SecretInput(passwordFile: file, passwordStdin: isPiped)
        }
    }

    /// Whether a source was named.
    var isNamed: Bool { passwordFile != nil || passwordStdin }

    /// Reads the secret: the first line of its source. Asks without echo when no other source was named.
    /// - Parameter mayBeEmpty: Whether to accept an empty line; the secret is empty then.
    /// - Parameter limit: The longest secret from a terminal, in bytes.
    func read(
        asking question: String = "Password: ", mayBeEmpty: Bool = false, upTo limit: Int = Self.longest
    ) throws -> Redacted<String> {
        if let passwordFile { return try Self.firstLine(ofFile: passwordFile) }
        if passwordStdin { return try Self.firstLine(of: STDIN_FILENO, named: "standard input") }
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandError("there is no terminal to ask at; use --password-file or --password-stdin")
        }
        return try withoutEcho {
            print(question, terminator: "")
            try StandardOutput.flush()
            defer { print() }
            return try Self.firstLine(
                of: STDIN_FILENO, named: "the terminal", upTo: limit, mayBeEmpty: mayBeEmpty)
        }
    }

    /// Reads a new secret of at least `least` bytes. A person at a terminal types it twice.
    func readTwice(asking question: String, least: Int) throws -> Redacted<String> {
        let first = try read(asking: question)
        guard first.reveal().utf8.count >= least else {
            throw CommandError("too short: at least \(least) bytes are needed")
        }
        if !isNamed, try read(asking: "Again: ") != first { throw CommandError("the two inputs differ") }
        return first
    }

    static func firstLine(
        ofFile name: String, of what: String = "a password", upTo limit: Int = Self.longest
    ) throws -> Redacted<String> {
        let file = try FileDescriptor(named: name, O_RDONLY)
        warn(of: file.number, named: name)
        return try firstLine(of: file.number, named: name, of: what, upTo: limit)
    }

    /// Warns when other users can read the file. Reads it anyway, because the secret may be on its way into the vault.
    private static func warn(of file: Int32, named name: String) {
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o044 != 0 else {
            return
        }
        TextOutput(descriptor: STDERR_FILENO).write(
            "warning: others can read \(name); run `chmod 600 \(name)`, or delete the file after this")
    }

    static func firstLine(
        of descriptor: Int32, named name: String, of what: String = "a password", upTo limit: Int = Self.longest,
        mayBeEmpty: Bool = false
    ) throws -> Redacted<String> {
        var buffer = [UInt8](repeating: 0, count: limit + 2)
        defer { for index in buffer.indices { buffer[index] = 0 } }
        var filled = 0
        while filled < buffer.count, !buffer[..<filled].contains(UInt8(ascii: "\n")) {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe Glibc.read(descriptor, bytes.baseAddress?.advanced(by: filled), bytes.count - filled)
            }
            guard count >= 0 else { throw CommandError("\(name): \(SystemError.last)") }
            guard count > 0 else { break }
            filled += count
        }
        let line = buffer[..<filled].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty || mayBeEmpty && filled > 0 else { throw CommandError("\(name) is empty") }
        guard line.count <= limit else {
            throw CommandError("\(name): \(what) may have at most \(limit) bytes")
        }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw CommandError("\(name): \(what) must be UTF-8 text")
        }
        return Redacted(text)
    }

    private func withoutEcho<Result>(_ body: () throws -> Result) throws -> Result {
        var settings = termios()
        unsafe tcgetattr(STDIN_FILENO, &settings)
        let before = settings
        // Switch ISIG off too, because an interrupt would leave the terminal without echo.
        settings.c_lflag &= ~tcflag_t(ECHO | ISIG)
        unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        defer {
            var restored = before
            unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &restored)
        }
        return try body()
    }
}
