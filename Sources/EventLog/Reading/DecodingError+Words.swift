extension DecodingError {
    /// What is wrong in a line, and where.
    var words: String {
        switch self {
        case .keyNotFound(let key, let context): "\(Self.place(context))\(key.stringValue) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            "\(Self.place(context))\(context.debugDescription)"
        @unknown default: "\(self)"
        }
    }

    private static func place(_ context: Context) -> String {
        let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
        return path.isEmpty ? "" : path.joined(separator: ".") + ": "
    }
}
