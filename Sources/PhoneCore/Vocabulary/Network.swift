/// The way to the world, debounced: brief blips never come this far.
public enum NetworkEvent: Equatable, Sendable {
    /// No path is left; calls that are up wait for it.
    case lost
    /// There is a path again.
    case recovered
}
