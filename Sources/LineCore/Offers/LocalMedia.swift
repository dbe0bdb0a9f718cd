import SDPCore

/// Where this phone receives a call's media.
public struct LocalMedia: Equatable, Sendable {
    public var port: UInt16
    /// Our candidates. Nil: this call does not use ICE.
    public var ice: LocalICE?
    /// The fingerprint of a certificate for this call only. Nil: the call uses the phone's certificate.
    public var fingerprint: CertificateFingerprint?
    /// Nil: our description does not name the source.
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
    /// The capabilities of this phone in one call.
    func showing(_ media: LocalMedia) -> MediaCapabilities {
        var capabilities = self
        if let own = media.fingerprint, fingerprint != nil { capabilities.fingerprint = own }
        capabilities.source = media.source
        return capabilities
    }
}
