/// Attribute types of RFC 8489 §18.3, RFC 8445 §20.1 and RFC 8656 §18.
package enum AttributeType {
    package static let username: UInt16 = 0x0006
    package static let messageIntegrity: UInt16 = 0x0008
    package static let errorCode: UInt16 = 0x0009
    package static let unknownAttributes: UInt16 = 0x000A
    package static let channelNumber: UInt16 = 0x000C
    package static let lifetime: UInt16 = 0x000D
    package static let xorPeerAddress: UInt16 = 0x0012
    package static let data: UInt16 = 0x0013
    package static let realm: UInt16 = 0x0014
    package static let nonce: UInt16 = 0x0015
    package static let xorRelayedAddress: UInt16 = 0x0016
    package static let requestedAddressFamily: UInt16 = 0x0017
    package static let requestedTransport: UInt16 = 0x0019
    package static let messageIntegritySHA256: UInt16 = 0x001C
    package static let passwordAlgorithm: UInt16 = 0x001D
    package static let userHash: UInt16 = 0x001E
    package static let xorMappedAddress: UInt16 = 0x0020
    package static let priority: UInt16 = 0x0024
    package static let useCandidate: UInt16 = 0x0025
    package static let passwordAlgorithms: UInt16 = 0x8002
    package static let fingerprint: UInt16 = 0x8028
    package static let iceControlled: UInt16 = 0x8029
    package static let iceControlling: UInt16 = 0x802A

    /// Attributes that a binding request may contain although they do not affect the answer of a server without
    /// authentication: credentials, realms and attributes of old peers.
    static let tolerated: Set<UInt16> = [
        0x0001, username, messageIntegrity, realm, nonce, messageIntegritySHA256, passwordAlgorithm, userHash,
        xorMappedAddress,
    ]

    /// The comprehension-required attributes of a connectivity check that we understand (RFC 8445 §7.1).
    static let understoodInChecks: Set<UInt16> = tolerated.union([priority, useCandidate])
}
