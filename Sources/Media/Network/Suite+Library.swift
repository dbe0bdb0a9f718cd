import CSRTP
import PhoneCore

extension NegotiatedMedia.CryptoSuite {
    /// Octets of a master key with its salt. The salt has 14 octets, with GCM 12 (RFC 3711 §8.2, RFC 6188 §3.2, RFC
    /// 7714 §11).
    var keyLength: Int {
        switch self {
        case .aes128Tag80, .aes128Tag32: 16 + 14
        case .aes256Tag80, .aes256Tag32: 32 + 14
        case .gcm128: 16 + 12
        case .gcm256: 32 + 12
        }
    }

    /// Sets libsrtp's policies for this suite. A short tag is for voice only: RTCP packets keep 80 bits (RFC 4568
    /// §6.2.2).
    func choose(_ voice: inout srtp_crypto_policy_t, _ control: inout srtp_crypto_policy_t) {
        switch self {
        case .aes128Tag80, .aes128Tag32: unsafe srtp_crypto_policy_set_rtp_default(&control)
        case .aes256Tag80, .aes256Tag32: unsafe srtp_crypto_policy_set_aes_cm_256_hmac_sha1_80(&control)
        case .gcm128: unsafe srtp_crypto_policy_set_aes_gcm_128_16_auth(&control)
        case .gcm256: unsafe srtp_crypto_policy_set_aes_gcm_256_16_auth(&control)
        }
        switch self {
        case .aes128Tag80, .aes256Tag80, .gcm128, .gcm256: voice = control
        case .aes128Tag32: unsafe srtp_crypto_policy_set_aes_cm_128_hmac_sha1_32(&voice)
        case .aes256Tag32: unsafe srtp_crypto_policy_set_aes_cm_256_hmac_sha1_32(&voice)
        }
    }
}
