import PhoneCore

/// A request from the audio thread to the device keeper.
enum DeviceRequest: BitwiseCopyable, Sendable {
    /// Sound is needed on this route (`Route.number`) or, with `rest`, on no route any more.
    case want(UInt8)
    case rest
    /// A stream comes back: on request (code 0), or broken, with ALSA's negative code.
    case returned(SoundStream, code: Int32)
}

/// A message from the device keeper to the audio thread.
enum DeviceReply: BitwiseCopyable, Sendable {
    /// `isRinger`: the device is also the ringer.
    case use(SoundStream, isRinger: Bool)
    case giveBack(SoundStream.Direction)
}

extension Route {
    /// Index in `allCases`.
    var number: UInt8 {
        guard let index = Route.allCases.firstIndex(of: self) else { preconditionFailure("every case is in allCases") }
        return UInt8(index)
    }

    init(number: UInt8) { self = Route.allCases[Int(number)] }
}
