// Searches for several elements in succession. The standard library itself searches for one. For several it has
// `_StringProcessing`, which would bring the interpreter of regular expressions into the program. That is more than a
// megabyte, so `Package.swift` switches off its import in all modules that ship.

extension Collection where Element: Equatable {
    /// The first place at which the pattern stands; nil if it stands nowhere. An empty pattern stands at the start.
    ///
    /// Texts are compared by characters: `e` does not stand in `é`, and either spelling of `é` stands for the other.
    /// The time grows with the product of the lengths, so a stranger must not choose both.
    public func place(of pattern: some Collection<Element>) -> Range<Index>? {
        var start = startIndex
        while true {
            if let end = end(of: pattern, from: start) { return start..<end }
            guard start < endIndex else { return nil }
            formIndex(after: &start)
        }
    }

    /// Whether the pattern stands somewhere in it.
    public func includes(_ pattern: some Collection<Element>) -> Bool { place(of: pattern) != nil }

    /// The parts before, between and after the separators, empty ones too.
    public func parts(between separator: some Collection<Element>) -> [SubSequence] {
        precondition(!separator.isEmpty, "nothing separates nothing")
        var parts: [SubSequence] = []
        var rest = self[...]
        while let place = rest.place(of: separator) {
            parts.append(rest[..<place.lowerBound])
            rest = rest[place.upperBound...]
        }
        return parts + [rest]
    }

    /// Where the pattern ends if it begins at this index.
    private func end(of pattern: some Collection<Element>, from start: Index) -> Index? {
        var index = start
        for element in pattern {
            guard index < endIndex, self[index] == element else { return nil }
            formIndex(after: &index)
        }
        return index
    }
}
