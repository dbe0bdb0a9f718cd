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

extension NegotiatedMedia: Brief {
    var brief: String {
        "\(remote.host):\(remote.port), \(protection == nil ? "in clear" : "protected"), "
            + (sends ? "sends" : "does not send") + " and " + (receives ? "receives" : "does not receive")
    }
}

extension [DTMFElement]: Brief {
    var brief: String {
        String(
            map { element in
                switch element {
                case .symbol(let symbol): symbol.character
                case .pause: ","
                }
            })
    }
}

extension CallSummary: Brief {
    /// One call on one line.
    var brief: String {
        let shown = name.map { " \"\($0)\"" } ?? ""
        let held = (heldHere ? ", held here" : "") + (heldThere ? ", held there" : "")
        return "\(call) \(spaced(phase)) \(number)\(shown)\(held)" + (impaired ? ", silent" : "")
            + (sendFault == nil ? "" : ", not sent") + (key.map { ", \($0.rawValue) key" } ?? "")
    }
}

extension CallPresentation: Brief {
    /// How a call presents itself. Headers appear by name only.
    var brief: String {
        ([callerName, callerNumber].compactMap(\.self) + headers.map(\.name)).joined(separator: " ")
    }
}

extension WeekTime: Brief {
    /// The day and the time, for example `friday 17:05`.
    var brief: String {
        let (day, minute) = rawValue.quotientAndRemainder(dividingBy: Self.minutesOfDay)
        let clock = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        return "\(Day(rawValue: day).map { "\($0)" } ?? "") \(clock)"
    }
}

extension Caller: Brief {
    var brief: String { party(number, displayName) }
}

extension CallerInfo: Brief {
    var brief: String { party(number, name) }
}

extension HistoryEntry: Brief {
    var brief: String {
        "\(direction.rawValue) \(party(number, name)), \(text(of: reason))"
            + (missed.map { ", missed: \($0.rawValue)" } ?? "")
    }
}

extension RefusedCall: Brief {
    var brief: String { party(number, name) + (from.map { " at \($0)" } ?? "") + ", \(reason.words)" }
}

extension TextMessage: Brief {
    var brief: String { "\(party(number, name)): \(text)" }
}

extension NetworkPath: Brief {
    var brief: String { ([kind.rawValue] + addresses).joined(separator: " ") }
}

extension DisplayContent: Brief {
    var brief: String { ([title, detail].filter { !$0.isEmpty } + notes).joined(separator: " | ") }
}

extension PersistedCall: Brief { var brief: String { "\(call) \(party(number, name))" } }
extension RingingCall: Brief { var brief: String { "\(call) \(party(number, name))" } }
extension ShownFingerprint: Brief { var brief: String { words } }
extension PeerFingerprint: Brief { var brief: String { peer.number } }
extension PeerFingerprint.Peer: Brief { var brief: String { number } }
extension WatchedNumber: Brief { var brief: String { "\(number) with \(account)" } }
extension TransferQuestion: Brief { var brief: String { target } }
extension MediaEndpoint: Brief { var brief: String { "port \(port)" } }
extension VoiceQuality: Brief { var brief: String { rating.rawValue } }
extension Playback: Brief { var brief: String { "\(file) into \(call)" } }
extension Page: Brief { var brief: String { label } }
extension SoundTest: Brief { var brief: String { "\(number) of the \(route.rawValue)" } }
extension SoundTestResult: Brief { var brief: String { sentence } }
extension DTMFSymbol: Brief { var brief: String { String(character) } }
extension Key: Brief { var brief: String { name } }
extension Organisation: Brief { var brief: String { name } }
extension OrganisationContext: Brief { var brief: String { organisation.name } }
extension SignedInUser: Brief { var brief: String { shown } }
extension SignInCode: Brief { var brief: String { "\(code) at \(address)" } }
extension ServerEnd: Brief {
    var brief: String { [cause, code.map { "\($0)" }, text].compactMap(\.self).joined(separator: " ") }
}

/// A number, and the name if there is one.
func party(_ number: String, _ name: String?) -> String { number + (name.map { " \"\($0)\"" } ?? "") }
