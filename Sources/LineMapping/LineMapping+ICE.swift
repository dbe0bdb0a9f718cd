import Base
import ICECore
import LineCore
import PhoneCore
import SDPCore

/// Converts the candidates of an end between the phone's types and the line's.
extension LocalMedia {
    package init(_ endpoint: MediaEndpoint) {
        self.init(
            port: endpoint.port, ice: endpoint.ice.flatMap(SDPCore.LocalICE.init),
            fingerprint: endpoint.fingerprint.map(CertificateFingerprint.init(digest:)),
            source: endpoint.source.map { .init(ssrc: $0.ssrc, canonicalName: $0.canonicalName) })
    }
}

extension SDPCore.LocalICE {
    /// Nil if the credentials do not follow RFC 8839 §5.4.
    init?(_ ice: PhoneCore.LocalICE) {
        let password = unsafe ice.description.password.withBytes { unsafe String(decoding: $0, as: UTF8.self) }
        guard
            let credentials = ICECredentials(
                userFragment: ice.description.userFragment, password: Redacted(password))
        else { return nil }
        let use: Use =
            if let only = ice.onlyAddress {
                .relayed(PacketAddress(host: only.host, port: only.port))
            } else {
                ice.isOffered ? .always : .whenOffered
            }
        self.init(
            .init(
                credentials: credentials, candidates: ice.description.candidates,
                isTrickled: ice.isIncomplete ?? false),
            use: use)
    }
}

extension PhoneCore.NegotiatedMedia.ICESession {
    init(_ agreed: SDPCore.NegotiatedMedia.ICESession) {
        self.init(
            local: .init(agreed.local), remote: .init(agreed.remote), isControlling: agreed.isControlling,
            usesControlPort: agreed.usesControlPort ? true : nil)
    }
}

extension PhoneCore.ICEDescription {
    init(_ description: SDPCore.ICEDescription) {
        self.init(
            userFragment: description.credentials.userFragment,
            password: SecretBytes(Array(description.credentials.password.reveal().utf8)),
            candidates: description.candidates, isLite: description.isLite)
    }
}
