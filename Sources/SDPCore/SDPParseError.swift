/// Why bytes are not a session description, and in which line (counted from 1) that was seen.
public struct SDPParseError: Error, Equatable, Sendable {
    public enum Problem: Error, Equatable, Sendable {
        case empty
        case notUTF8
        case controlCharacter
        /// A limit of `SDPLimits` was passed.
        case tooManyBytes, tooManyLines, lineTooLong, tooManyMediaLines, tooManyAttributes, tooManyFormats
        /// Not `letter=value`.
        case notALine
        /// The line may not stand here, or not twice.
        case misplaced(Character)
        case unsupportedVersion
        case malformedOrigin, malformedConnection, malformedMedia, malformedAttribute
        /// The description ended, or its media began, without this line.
        case missing(Character)
    }

    public let line: Int
    public let problem: Problem

    public init(line: Int, _ problem: Problem) {
        self.line = line
        self.problem = problem
    }
}

/// How much of a description is read. Real ones stay below a quarter of each.
public enum SDPLimits {
    public static let bytes = 16_384
    public static let lines = 512
    public static let lineBytes = 1_024
    public static let mediaLines = 16
    /// Of the session, and of each media line.
    public static let attributes = 128
    public static let formats = 64
}
