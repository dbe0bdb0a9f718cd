/// The controlling side nominates (RFC 8445 §6.1.1).
public enum ICERole: Equatable, Sendable {
    case controlling, controlled

    var other: ICERole { self == .controlling ? .controlled : .controlling }
}
