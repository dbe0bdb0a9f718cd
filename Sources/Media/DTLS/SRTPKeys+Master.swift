import Cryptography
import PhoneCore

extension NegotiatedMedia.MasterKeys {
    /// The keys that a handshake agreed on.
    init(_ keys: SRTPKeys) {
        self.init(suite: .init(keys.profile), sendKey: keys.local, receiveKey: keys.remote)
    }
}

extension NegotiatedMedia.CryptoSuite {
    /// SDES and DTLS have different names for the same protection.
    init(_ profile: SRTPProfile) {
        switch profile {
        case .aes128CMHMACSHA1With80BitTag: self = .aes128Tag80
        case .aes128GCM: self = .gcm128
        case .aes256GCM: self = .gcm256
        }
    }
}
