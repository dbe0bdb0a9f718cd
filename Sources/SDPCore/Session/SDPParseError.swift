/// Why bytes are not a session description, and the line (counted from 1) in which the fault was found.
public struct SDPParseError: Error, Equatable, Sendable {
    public enum Problem: Error, Equatable, Sendable {
        case empty
        case notUTF8
        case controlCharacter
        /// A limit of `SDPLimits` was exceeded.
        case tooManyBytes, tooManyLines, lineTooLong, tooManyMediaLines, tooManyAttributes, tooManyFormats
        /// The line is not `letter=value`.
        case notALine
        /// The line is of an unknown type, is in the wrong place, or is repeated.
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

/// The limits of a description. Real descriptions stay below a quarter of each.
public enum SDPLimits {
    public static let bytes = 16_384
    public static let lines = 512
    public static let lineBytes = 1_024
    public static let mediaLines = 16
    /// Per session, and per media line.
    public static let attributes = 128
    public static let formats = 64
}
