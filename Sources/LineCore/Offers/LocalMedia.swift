import SDPCore

/// Where this phone receives a call's media.
public struct LocalMedia: Equatable, Sendable {
    public var port: UInt16
    /// Its candidates. Nil: it does no ICE in this call.
    public var ice: LocalICE?
    /// The fingerprint of the certificate that this call alone shows. Nil: it shows the phone's.
    public var fingerprint: CertificateFingerprint?
    /// Nil: its description does not say.
    public var source: MediaSource?

    public init(
        port: UInt16, ice: LocalICE? = nil, fingerprint: CertificateFingerprint? = nil, source: MediaSource? = nil
    ) {
        self.port = port
        self.ice = ice
        self.fingerprint = fingerprint
        self.source = source
    }
}

extension MediaCapabilities {
    /// What this phone can in one call.
    func showing(_ media: LocalMedia) -> MediaCapabilities {
        var capabilities = self
        if let own = media.fingerprint, fingerprint != nil { capabilities.fingerprint = own }
        capabilities.source = media.source
        return capabilities
    }
}
