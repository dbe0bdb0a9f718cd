import SDPCore

/// Where this phone receives a call's media.
public struct LocalMedia: Equatable, Sendable {
    public var port: UInt16
    /// The ways to it. Nil: it does no ICE in this call.
    public var ice: LocalICE?
    /// Of the certificate that this call alone shows. Nil: it shows that of the phone.
    public var fingerprint: CertificateFingerprint?

    public init(port: UInt16, ice: LocalICE? = nil, fingerprint: CertificateFingerprint? = nil) {
        self.port = port
        self.ice = ice
        self.fingerprint = fingerprint
    }
}

extension MediaCapabilities {
    /// What this phone can in one call.
    func showing(_ media: LocalMedia) -> MediaCapabilities {
        var capabilities = self
        if let own = media.fingerprint, fingerprint != nil { capabilities.fingerprint = own }
        return capabilities
    }
}
