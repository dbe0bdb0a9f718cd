extension DialPlan: Codable {
    /// What is stored is what was written, and it is read as strictly as from a person.
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
