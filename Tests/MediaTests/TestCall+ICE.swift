import Base
import Cryptography
import Media
import PhoneCore

extension TestCall {
    /// An address without a host (RFC 5737, RFC 3849).
    private static let nowhere = MediaAddress(host: "192.0.2.1", port: 9)
    private static let nowhereSix = MediaAddress(host: "2001:db8::1", port: 9)

    /// Two phones that know only each other's candidates. This does not wait for a path.
    /// - Parameters:
    /// - hasHandshake: whether keys come from a handshake; else there are no keys.
    /// - isVersion6: whether both have an address of IPv6, and no other.
    init(
        iceWithHandshake hasHandshake: Bool, _ settings: ICESettings = ICESettings(.always), isVersion6: Bool = false
    ) throws {
        let identities = (a: try DTLSIdentity.make(), b: try DTLSIdentity.make())
        let change: (inout MediaSettings) -> Void = {
            $0.ice[.direct] = settings
            if isVersion6 { $0.bindAddress = "::1" }
        }
        let (a, b) = (try TestPhone(identity: identities.a, change), try TestPhone(identity: identities.b, change))
        guard a.open(), b.open(), let ours = a.ice?.description, let theirs = b.ice?.description else {
            throw NotConnected()
        }
        var (planA, planB) =
            hasHandshake
            ? (
                a.plan(to: b, isActive: true, expecting: identities.b.certificate.fingerprint),
                b.plan(to: a, isActive: false, expecting: identities.a.certificate.fingerprint)
            ) : (a.plan(to: b, milliseconds: 20, protection: nil), b.plan(to: a, milliseconds: 20, protection: nil))
        let nowhere = isVersion6 ? Self.nowhereSix : Self.nowhere
        (planA.remote, planB.remote) = (nowhere, nowhere)
        (planA.remoteControl, planB.remoteControl) = (nil, nil)
        planA.ice = .init(local: ours, remote: theirs, isControlling: true)
        planB.ice = .init(local: theirs, remote: ours, isControlling: false)
        self.init(a, b, planA, planB)
    }
}
