import Cryptography
import PhoneCore

extension NegotiatedMedia.MasterKeys {
    /// What a handshake agreed on.
    init(_ keys: SRTPKeys) {
        self.init(suite: .init(keys.profile), sendKey: keys.local, receiveKey: keys.remote)
    }
}

extension NegotiatedMedia.CryptoSuite {
    /// The same protection has a name in SDES and another one in DTLS.
    init(_ profile: SRTPProfile) {
        switch profile {
        case .aes128CMHMACSHA1With80BitTag: self = .aes128Tag80
        case .aes128GCM: self = .gcm128
        case .aes256GCM: self = .gcm256
        }
    }
}
