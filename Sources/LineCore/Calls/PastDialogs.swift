import SIPCore

/// Dialogs that ended so recently that a request may still ask to replace them (RFC 3891 §3), oldest first.
struct PastDialogs: Equatable, Sendable {
    private static let limit = 16

    private var dialogs: [Dialog.ID] = []

    mutating func append(_ dialog: Dialog.ID) { dialogs = (dialogs + [dialog]).suffix(Self.limit) }

    func contains(_ replaces: Replaces) -> Bool { dialogs.contains(where: replaces.names) }
}
