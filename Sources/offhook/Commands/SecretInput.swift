import ArgumentParser
import Base
import Glibc

/// Where a secret comes from: a prompt, a file, or standard input; never an argument, which every user can read.
struct SecretInput: ParsableArguments {
    private static let longest = 1_000

    @Option(help: "Read the password from this file.")
    var passwordFile: String?

    @Flag(help: "Read the password from standard input.")
    var passwordStdin = false

    func validate() throws {
        if passwordFile != nil, passwordStdin {
            throw ValidationError("give --password-file or --password-stdin, not both")
        }
    }

    /// The secret: the first line of its source. Asks without echo when no other source was named.
    func read() throws -> Redacted<String> {
        if let passwordFile {
            let descriptor = unsafe open(passwordFile, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw ValidationError("\(passwordFile): \(SystemError.last)") }
            defer { close(descriptor) }
            return try firstLine(of: descriptor, named: passwordFile)
        }
        if passwordStdin { return try firstLine(of: STDIN_FILENO, named: "standard input") }
        guard isatty(STDIN_FILENO) == 1 else {
            throw ValidationError("no terminal to ask on; use --password-file or --password-stdin")
        }
        return try withoutEcho {
            print("Password: ", terminator: "")
            StandardOutput.flush()
            defer { print() }
            return try firstLine(of: STDIN_FILENO, named: "the terminal")
        }
    }

    private func firstLine(of descriptor: Int32, named name: String) throws -> Redacted<String> {
        var buffer = [UInt8](repeating: 0, count: Self.longest + 2)
        defer { for index in buffer.indices { buffer[index] = 0 } }
        var filled = 0
        while filled < buffer.count, !buffer[..<filled].contains(UInt8(ascii: "\n")) {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe Glibc.read(descriptor, bytes.baseAddress?.advanced(by: filled), bytes.count - filled)
            }
            guard count >= 0 else { throw ValidationError("\(name): \(SystemError.last)") }
            guard count > 0 else { break }
            filled += count
        }
        let line = buffer[..<filled].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty else { throw ValidationError("\(name) is empty") }
        guard line.count <= Self.longest else {
            throw ValidationError("\(name): a password has at most \(Self.longest) bytes")
        }
        return Redacted(String(decoding: line, as: UTF8.self))
    }

    private func withoutEcho<Result>(_ body: () throws -> Result) throws -> Result {
        var settings = termios()
        unsafe tcgetattr(STDIN_FILENO, &settings)
        let before = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        defer {
            var restored = before
            unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &restored)
        }
        return try body()
    }
}
