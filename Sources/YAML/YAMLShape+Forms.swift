extension YAMLShape {
    /// A value that may be written in more than one way, told apart by what stands there: a word, a list or a mapping.
    ///
    /// The way that was taken keeps its own errors; one that is not given is an error of its own.
    public static func oneOf(
        word: YAMLShape, list: YAMLShape? = nil, mapping: YAMLShape? = nil
    ) -> YAMLShape {
        let expectation = [word, list, mapping].compactMap { $0?.expectation }.joined(separator: ", or ")
        return YAMLShape(expectation: expectation) { place throws(YAMLError) in
            let form: YAMLShape? =
                switch place.node.content {
                case .scalar: word
                case .sequence: list
                case .mapping: mapping
                }
            guard let form else { throw place.error(expected: expectation) }
            return try form.read(place)
        }
    }

    /// What is written the same and means something else.
    public func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> YAMLShape<Other> {
        YAMLShape<Other>(expectation: expectation) { place throws(YAMLError) in transform(try read(place)) }
    }
}
