// Agreements consist of the terms that the phone, its lines and its media share.
@_exported import Telephony

/// The result of offer and answer for the voice of one call: the terms, and facts for the line alone.
public struct Agreement: Equatable, Sendable {
    public var media: NegotiatedMedia
    /// Whether the far end holds us, and so does not want our voice.
    public var heldByFarEnd: Bool
    /// Whether the far end waits for ICE that we do not do. Asterisk drops DTLS packets until its checks are done. An
    /// offer without ICE ends the wait.
    public var isAwaitedByICE: Bool
    /// The far end's name for the DTLS association (`a=tls-id`). Nil: it gives no name.
    var associationName: String?
}

extension NegotiatedMedia.Protection {
    /// The suite of keys from the signalling.
    var suite: CryptoSuite? { if case .sdes(let keys) = self { keys.suite } else { nil } }
    var isHandshake: Bool { if case .dtls = self { true } else { false } }
}

extension NegotiatedMedia.MasterKeys {
    /// - Parameters:
    ///   - own: Our key line.
    ///   - theirs: The far end's key line, with the same tag.
    init(own: CryptoAttribute, theirs: CryptoAttribute) {
        self.init(
            suite: own.suite, sendKey: own.key, receiveKey: theirs.key, receiveKeyIdentifier: theirs.keyIdentifier)
    }
}

/// Why two descriptions do not make a session.
public enum NegotiationError: Error, Equatable, Sendable {
    /// There is no audio line, or all are refused ones.
    case noAudio
    /// The transport is not RTP over UDP.
    case unsupportedTransport(String)
    case noCommonCodec
    /// Our policy requires protection, and the far end has none that we can use.
    case protectionRequired
    /// The far end requires protection, and our policy forbids it or we cannot use its keys.
    case protectionUnsupported
    /// The far end's address is missing, is a name, is not a unicast address, or is of a family that we do not have.
    case unusableAddress
    /// This phone may be reached only through a server, and the far end does not use ICE.
    case iceRequired
    /// The lines of the answer are not those of the offer (RFC 3264 §6).
    case answerDoesNotMatch
}
