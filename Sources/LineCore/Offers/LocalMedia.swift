import SDPCore

/// Where this phone receives a call's media.
public struct LocalMedia: Equatable, Sendable {
    public var port: UInt16
    /// The ways to it. Nil: it does no ICE in this call.
    public var ice: LocalICE?

    public init(port: UInt16, ice: LocalICE? = nil) {
        self.port = port
        self.ice = ice
    }
}
