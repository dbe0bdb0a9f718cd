/// A broken rule as text.
package struct Violation: Error, Equatable, Sendable {
    package let rule: String

    package init(_ rule: String) { self.rule = rule }
}
