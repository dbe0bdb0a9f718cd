import Base
import PhoneCore

/// The text without characters that control a terminal: control characters, and marks that change the writing
/// direction.
func clean(_ text: String) -> String {
    var cleaned = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: cleaned.append("\u{FFFD}")
        default: cleaned.append(scalar)
        }
    }
    return String(cleaned)
}

/// The name of an enumeration's case as text: `hungUpThere` is "hung up there".
func spaced(_ value: some Any) -> String {
    "\(value)".map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
}

func onOff(_ isOn: Bool) -> String { isOn ? "on" : "off" }

extension Duration {
    /// Seconds with six decimals.
    var words: String {
        let microseconds = nanoseconds / 1_000
        let fraction = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction + " s"
    }
}

extension EndReason {
    var words: String {
        switch self {
        case .rejected(let status): "rejected with \(status)"
        case .organisation(let failure): "organisation: \(failure.words)"
        case .hungUpHere, .hungUpThere, .declined, .refusedBusy, .doNotDisturb, .blocked, .noOffer, .notAnnounced,
            .noAnswer, .busyThere, .declinedThere, .cancelledThere, .answeredElsewhere, .unreachable, .lineNotReady,
            .incompatible, .mediaFailed, .mediaLost, .networkLost, .timedOut, .transferred, .tooLong, .interrupted,
            .shutDown, .insecurePath, .anonymityRefused, .pickupUnnamed:
            spaced(self)
        }
    }
}

extension SwitchFailure {
    var words: String {
        switch self {
        case .api(let status, let text): "status \(status)" + (text.map { ", \($0)" } ?? "")
        case .noOrganisation, .network, .parse, .timeout, .credentialStore, .connection, .abandoned: spaced(self)
        }
    }
}

extension ActionOutcome {
    var words: String {
        switch self {
        case .fulfilled: "fulfilled"
        case .failed(.callEnded(let reason)): "failed: the call ended, \(reason.words)"
        case .failed(.organisation(let failure)): "failed: organisation, \(failure.words)"
        case .failed(.backend(let failure)): "failed: backend, \(failure.words)"
        case .failed(.signIn(let failure)): "failed: \(failure.sentence)"
        case .failed(let failure): "failed: \(spaced(failure))"
        }
    }
}

extension RegistrationState {
    var words: String {
        switch self {
        case .failed(let why): "not registered: \(why)"
        case .notNeeded: "needs no registration"
        case .registering, .registered, .disconnected: spaced(self)
        }
    }
}

extension NegotiatedMedia {
    var words: String {
        "\(remote.host):\(remote.port), \(protection == nil ? "in clear" : "protected"), "
            + (sends ? "sends" : "does not send") + " and " + (receives ? "receives" : "does not receive")
    }
}

extension [DTMFElement] {
    var words: String {
        String(
            map { element in
                switch element {
                case .symbol(let symbol): symbol.character
                case .pause: ","
                }
            })
    }
}

extension CallSummary {
    /// One call on one line.
    var words: String {
        let shown = name.map { " \"\($0)\"" } ?? ""
        let held = (heldHere ? ", held here" : "") + (heldThere ? ", held there" : "")
        return "\(call) \(spaced(phase)) \(number)\(shown)\(held)" + (impaired ? ", silent" : "")
            + (sendFault == nil ? "" : ", not sent") + (key.map { ", \($0.rawValue) key" } ?? "")
    }
}

/// A number, and the name if there is one.
func party(_ number: String, _ name: String?) -> String { number + (name.map { " \"\($0)\"" } ?? "") }
