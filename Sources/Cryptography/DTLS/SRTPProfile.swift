/// The protection of a call's SRTP packets, by its number in DTLS (RFC 5764 §4.1.2, RFC 7714 §14.2).
package enum SRTPProfile: UInt16, CaseIterable, Sendable {
    case aes128CMHMACSHA1With80BitTag = 0x0001
    case aes128GCM = 0x0007
    case aes256GCM = 0x0008

    /// The name in OpenSSL's lists.
    var name: String {
        switch self {
        case .aes128CMHMACSHA1With80BitTag: "SRTP_AES128_CM_SHA1_80"
        case .aes128GCM: "SRTP_AEAD_AES_128_GCM"
        case .aes256GCM: "SRTP_AEAD_AES_256_GCM"
        }
    }

    /// Bytes of a master key.
    package var keyLength: Int {
        switch self {
        case .aes128CMHMACSHA1With80BitTag, .aes128GCM: 16
        case .aes256GCM: 32
        }
    }

    /// Bytes of a master salt.
    package var saltLength: Int {
        switch self {
        case .aes128CMHMACSHA1With80BitTag: 14
        case .aes128GCM, .aes256GCM: 12
        }
    }
}
