/// Limits of the YAML that we accept. A configuration is small; anything larger is an accident or an attack.
public struct YAMLLimits: Equatable, Sendable {
    public var bytes = 1 << 20
    /// The greatest depth of nested lists and mappings.
    public var depth = 32
    /// The greatest number of scalars, lists and mappings, keys included.
    public var nodes = 100_000

    public init() {}
}
