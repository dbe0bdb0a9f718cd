extension DialPlan: Codable {
    /// A plan is stored as its text. A stored text is checked as strictly as a person's input.
    private struct Text: Codable {
        let patterns: [String]
        let emergency: [String]
    }

    public init(from decoder: any Decoder) throws {
        let text = try Text(from: decoder)
        do throws(DialPlanError) {
            try self.init(patterns: text.patterns, emergency: text.emergency)
        } catch {
            let context = DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error)
            throw DecodingError.dataCorrupted(context)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        try Text(patterns: patterns, emergency: emergency).encode(to: encoder)
    }
}
