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
        default: "\(self)"
        }
    }
}

extension EndReason {
    /// Its name in the code.
    var words: String {
        switch self {
        case .organisation(let failure): "organisation(\(failure))"
        default: "\(self)"
        }
    }
}
