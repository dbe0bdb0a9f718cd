import Control

/// Why a draft makes no account: the field at fault, and a reason for people.
package struct AccountRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    package let field: AccountDraft.Field
    let why: String

    init(_ field: AccountDraft.Field, _ why: String) { (self.field, self.why) = (field, why) }

    package var description: String { "\(field.rawValue): \(why)" }
}
