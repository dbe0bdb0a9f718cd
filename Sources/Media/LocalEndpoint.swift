import Cryptography
import PhoneCore

/// This phone's end of a call's media.
struct LocalEndpoint: Sendable {
    let sockets: MediaSockets
    /// The SSRC and CNAME of our packets, for as long as the call has media.
    let source: MediaSource
    /// Nil: the call does not use ICE.
    var connectivity: Connectivity?
    /// The DTLS certificate of this call only. Nil: the call uses the phone's certificate.
    var certificate: DTLSContext?

    /// This end, as we describe it in the call's SDP.
    func endpoint(ice: LocalICE? = nil) -> MediaEndpoint {
        MediaEndpoint(port: sockets.port, ice: ice, fingerprint: certificate?.fingerprint, source: source)
    }
}
