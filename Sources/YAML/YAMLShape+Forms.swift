extension YAMLShape {
    /// A value that may be written in several forms: as a word, a list or a mapping.
    ///
    /// The form in the file reports its own errors. A form that is not allowed is an error.
    public static func oneOf(
        word: YAMLShape, list: YAMLShape? = nil, mapping: YAMLShape? = nil
    ) -> YAMLShape {
        let forms = [word, list, mapping].compactMap { $0?.form }
        let expectation = forms.map(\.expectation).joined(separator: ", or ")
        let form = YAMLForm(expectation, .oneOf(forms), example: word.form.example)
        return YAMLShape(form, write: word.write) { place throws(YAMLError) in
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

    /// A shape with the same written form and another value.
    public func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> YAMLShape<Other> {
        YAMLShape<Other>(form) { place throws(YAMLError) in transform(try read(place)) }
    }
}
