import Glibc
import Platform

/// A parsed YAML file. `read` converts it into types.
public struct YAMLDocument: Equatable, Sendable {
    public let file: String
    public let root: YAMLNode
    /// What the text has and we do not accept, although it could be read: keys that appear twice, for example.
    let mistakes: [YAMLError]

    /// - Parameter file: The file's name in errors.
    public init(_ bytes: [UInt8], file: String, limits: YAMLLimits = YAMLLimits()) throws(YAMLError) {
        try self.init(tolerating: bytes, file: file, limits: limits)
        if let first = mistakes.first { throw first }
    }

    /// Reads a text whose other errors are wanted too: `errors(reading:)` lists them all.
    public init(tolerating bytes: [UInt8], file: String, limits: YAMLLimits = YAMLLimits()) throws(YAMLError) {
        guard bytes.count <= limits.bytes else {
            throw YAMLError(file: file, mark: nil, problem: .limit("larger than \(limits.bytes) bytes"))
        }
        self.file = file
        let text = try Self.text(bytes, file)
        var builder = TreeBuilder(text.span, file: file, limits: limits)
        root = try builder.build()
        mistakes = builder.mistakes
    }

    /// The same document with another root.
    public init(file: String, root: YAMLNode) { (self.file, self.root, mistakes) = (file, root, []) }

    /// Reads a regular file. Blocks on the disk.
    public init(path: String, limits: YAMLLimits = YAMLLimits()) throws(YAMLError) {
        try self.init(Self.contents(of: path, limit: limits.bytes), file: path, limits: limits)
    }

    /// Reads a regular file whose other errors are wanted too. Blocks on the disk.
    public init(tolerating path: String, limits: YAMLLimits = YAMLLimits()) throws(YAMLError) {
        try self.init(tolerating: Self.contents(of: path, limit: limits.bytes), file: path, limits: limits)
    }

    /// Reads the whole document. A key that `Content` does not read is an error.
    public func read<Content: YAMLReadable>(_: Content.Type = Content.self) throws(YAMLError) -> Content {
        try YAMLShape.section(Content.self).read(YAMLPlace(file: file, steps: [], node: root, record: nil))
    }
}

extension YAMLDocument {
    /// The text without a byte order mark in front (U+FEFF, RFC 3629 §6).
    private static func text(_ bytes: [UInt8], _ file: String) throws(YAMLError) -> [UInt8] {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw YAMLError(
                file: file, mark: YAMLMark(line: 1, column: 1),
                problem: .syntax("the file is in UTF-16; save it as UTF-8"))
        }
        return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    /// The file's first bytes: at most `limit` and one more, which shows that the file is longer. Pipes and devices are
    /// not read, because they could block forever.
    private static func contents(of path: String, limit: Int) throws(YAMLError) -> [UInt8] {
        let file = try FileDescriptor(path, O_RDONLY | O_NONBLOCK) { unreadable(path, $0) }
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { throw unreadable(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw YAMLError(file: path, mark: nil, problem: .unreadable("not a file"))
        }
        // A buffer of the whole limit would be a megabyte of zeros for a file of a few hundred bytes.
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while bytes.count <= limit {
            let count = unsafe chunk.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(file.number, buffer.baseAddress, min(buffer.count, limit + 1 - bytes.count))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path, errno) }
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    private static func unreadable(_ path: String, _ code: Int32) -> YAMLError {
        YAMLError(file: path, mark: nil, problem: .unreadable(SystemError.text(code)))
    }
}

extension YAMLDocument {
    /// The text at the end of a path of keys, whatever else the document contains; nil if there is no such text.
    public func text(at keys: [String]) -> String? {
        var node = root
        for key in keys {
            guard case .mapping(let entries) = node.content, let entry = entries.first(where: { $0.key == key }) else {
                return nil
            }
            node = entry.value
        }
        guard case .scalar(let text, _) = node.content, !text.isEmpty else { return nil }
        return text
    }
}

/// Limits of the YAML that we accept. A configuration is small; anything larger is an accident or an attack.
public struct YAMLLimits: Equatable, Sendable {
    public var bytes = 1 << 20
    /// The greatest depth of nested lists and mappings.
    public var depth = 32
    /// The greatest number of scalars, lists and mappings, keys included.
    public var nodes = 100_000

    public init() {}
}
