import Cryptography
import PhoneCore

/// This phone's end of a call's media.
struct LocalEndpoint: Sendable {
    let sockets: MediaSockets
    /// What identifies the packets that it sends, for as long as the call has media.
    let source: MediaSource
    /// Nil: the call does no ICE.
    var connectivity: Connectivity?
    /// What this call alone shows in handshakes. Nil: it shows what the phone shows.
    var certificate: DTLSContext?

    /// This end as the call's description names it.
    func endpoint(ice: LocalICE? = nil) -> MediaEndpoint {
        MediaEndpoint(port: sockets.port, ice: ice, fingerprint: certificate?.fingerprint, source: source)
    }
}
