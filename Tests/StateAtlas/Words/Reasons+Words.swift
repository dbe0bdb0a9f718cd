import PhoneCore

extension ActionOutcome {
    var words: String {
        switch self {
        case .fulfilled: "fulfilled"
        case .failed(let failure): "failed: \(failure.words)"
        }
    }
}

extension ActionFailure {
    /// Its name in the code.
    var words: String {
        switch self {
        case .callEnded(let reason): "callEnded(\(reason.words))"
        case .organisation(let failure): "organisation(\(failure))"
        case .backend(let failure): "backend(\(failure))"
        case .signIn(let failure): "signIn(\(failure))"
        case .file: "file"
        case .noSuchCall, .wrongState, .alreadyUnderWay, .noRoom, .invalidTarget, .lineNotReady, .refusedThere,
            .soundInUse, .notSupported, .timedOut, .notSignedIn, .shuttingDown:
            "\(self)"
        }
    }
}

extension EndReason {
    /// Its name in the code.
    var words: String {
        switch self {
        case .rejected(let status): "rejected(\(status))"
        case .organisation(let failure): "organisation(\(failure))"
        case .hungUpHere, .hungUpThere, .declined, .refusedBusy, .doNotDisturb, .blocked, .noOffer, .notAnnounced,
            .noAnswer, .busyThere, .declinedThere, .cancelledThere, .answeredElsewhere, .unreachable, .lineNotReady,
            .incompatible, .insecurePath, .anonymityRefused, .pickupUnnamed, .mediaFailed, .mediaLost, .networkLost,
            .timedOut, .transferred, .tooLong, .interrupted, .shutDown:
            "\(self)"
        }
    }
}
