/// The fault of a session's path.
enum PathTrouble: Int, Comparable, Sendable {
    case none
    /// The far end has not answered for a while.
    case doubted
    /// Nothing may be sent on it any more.
    case lost

    static func < (one: PathTrouble, other: PathTrouble) -> Bool { one.rawValue < other.rawValue }
}

extension ConnectivityChecks {
    /// A path that existed before both ends had agreed on it may be lost, too.
    var trouble: PathTrouble {
        if hasLostPath || firstValidAt != nil && path == nil { return .lost }
        return isPathDoubtful ? .doubted : .none
    }
}
