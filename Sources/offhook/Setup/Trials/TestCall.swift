import Base
import Control
import JSON
import PhoneCore
import Platform
import Vault

/// A test call that shows whether voice works in both directions. Blocks for about a minute at most.
struct TestCall {
    private static let registering = Duration.seconds(15)
    private static let ringing = Duration.seconds(30)
    /// The longest time from the answer to the first voice.
    private static let silence = Duration.seconds(6)
    /// How long to measure the voice.
    private static let measuring = Duration.seconds(6)

    /// The configuration's text and path.
    let configuration: String
    let path: String

    /// Calls a number with one of these accounts. The others exist only because the configuration may name them.
    func call(_ number: String, by account: Account, among accounts: [Account]) throws -> CallVerdict {
        let others = accounts.filter { $0.label != account.label }.map { other in
            var silent = other
            silent.registers = false
            return silent
        }
        let phone = try TrialPhone(
            Settings(paced(ConfigurationText(configuration)).text, path: path), accounts: [account] + others)
        let verdict = Result { try Self.call(number, from: phone.client, by: account) }
        try phone.stop()
        return try verdict.get()
    }

    /// Calls a second phone inside this command, which answers and stays silent.
    func callOverLoopback() throws -> CallVerdict {
        let port = try UDPPort.free()
        let far = try TrialPhone(Settings(Self.answerer(port), path: path), accounts: [], keepsPort: true)
        let verdict = Result { try callFar(far, port) }
        try far.stop()
        return try verdict.get()
    }

    private func callFar(_ far: TrialPhone, _ port: UInt16) throws -> CallVerdict {
        let near = try TrialPhone(Settings(caller(), path: path), accounts: [])
        let verdict = Result {
            try Self.call("sip:offhook@127.0.0.1:\(port)", from: near.client, by: nil) {
                _ = try far.client.waitForEvent(timeout: .seconds(10)) { $0.name == "incomingCall" }
                _ = try far.client.call("answer")
            }
        }
        try near.stop()
        return try verdict.get()
    }

    /// - Parameter answer: Called after dialling.
    private static func call(
        _ target: String, from phone: ControlClient, by account: Account?, answer: () throws -> Void = {}
    ) throws -> CallVerdict {
        var params: [String: JSONValue] = ["target": .string(target)]
        if let account {
            params["account"] = .string(account.label)
            if account.registers, let why = try failureToRegister(phone, account) { return .notRegistered(why) }
        }
        _ = try phone.call("liftHook")
        _ = try phone.waitForEvent(timeout: .seconds(2)) { $0.name == "toneChanged" }
        do throws(ControlClientError) {
            _ = try phone.call("dial", params)
        } catch {
            guard case .refused(_, let message, _) = error else { throw error }
            return .failed(message)
        }
        try answer()
        return try follow(phone)
    }

    private static func follow(_ phone: ControlClient) throws(ControlClientError) -> CallVerdict {
        let ends: Set = ["callFailed", "callEnded"]
        do throws(ControlClientError) {
            let event = try phone.waitForEvent(timeout: ringing) { $0.name == "callAnswered" || ends.contains($0.name) }
            guard event.name == "callAnswered" else {
                return .failed(event.fields["message"]?.string ?? "the call ended")
            }
        } catch .timedOut {
            return .unanswered
        }
        do throws(ControlClientError) {
            _ = try phone.waitForEvent(timeout: silence) { $0.name == "firstVoice" || ends.contains($0.name) }
        } catch .timedOut {
            return .answeredInSilence
        }
        return .voice(score: try score(phone))
    }

    /// The last MOS that the phone measured.
    private static func score(_ phone: ControlClient) throws(ControlClientError) -> Double? {
        let end = MonotonicClock.now() + measuring
        var score: Double?
        while let event = try phone.nextEvent(timeout: max(.zero, end - MonotonicClock.now())) {
            if event.name == "callQualityUpdated" { score = event.fields["quality"]?["mos"]?.double ?? score }
            if event.name == "callEnded" { break }
        }
        return score
    }

    /// Why the account does not register; nil if it does.
    private static func failureToRegister(
        _ phone: ControlClient, _ account: Account
    ) throws(ControlClientError) -> String? {
        let end = MonotonicClock.now() + registering
        while MonotonicClock.now() < end {
            let line = try phone.snapshot()["registrations"]?.array?.first { $0["label"]?.string == account.label }
            switch line?["state"]?.string {
            case "registered", "notNeeded": return nil
            case "failed": return line?["message"]?.string ?? "the registration failed"
            default: _ = try phone.nextEvent(timeout: .milliseconds(200))
            }
        }
        return "the server did not answer in time"
    }

    /// The configuration of the calling phone: the real sound settings, without any keys that name accounts.
    private func caller() throws -> String {
        var text = try paced(ConfigurationText(configuration))
        try text.remove(["sound", "rings"])
        text.keep(["sound", "media"])
        return text.text + "board: board.yaml\nlog: error\nsip: {address: 127.0.0.1}\n"
    }

    /// Replaces ALSA's device `null` by a device that does not exist. `null` takes and gives sound at any speed, so a
    /// call over it has no clock. The phone replaces a missing device by silence at the right pace.
    private func paced(_ text: ConfigurationText) throws -> ConfigurationText {
        var text = text
        for (route, device) in try Settings(configuration, path: path).configuration.sound.devices {
            if device.capture == "null" { try text.set(["sound", route.rawValue, "capture"], to: Self.missing) }
            if device.playback == "null" { try text.set(["sound", route.rawValue, "playback"], to: Self.missing) }
        }
        return text
    }

    private static let missing = "\"hw:CARD=OffhookSilence\""

    /// The configuration of the called phone.
    private static func answerer(_ port: UInt16) -> String {
        """
        board: board.yaml
        log: error
        sip: {address: 127.0.0.1, port: \(port), peers: [127.0.0.1]}
        sound: {handset: {capture: \(missing), playback: \(missing)}}
        """
    }
}

/// The result of a test call.
package enum CallVerdict: Equatable, Sendable {
    /// Voice came back, with its MOS from 1 to 4.5 if it was measured.
    case voice(score: Double?)
    /// The far end answered, but sent no voice.
    case answeredInSilence
    /// The account did not register, with the reason.
    case notRegistered(String)
    /// The call failed, with the reason.
    case failed(String)
    case unanswered

    package var isGood: Bool { if case .voice = self { true } else { false } }

    package var sentence: String {
        switch self {
        case .voice(nil): "Voice came back."
        case .voice(let score?): "Voice came back; its quality is \(Self.word(score)) (\(Self.tenths(score)) of 4.5)."
        case .answeredInSilence:
            "The call was answered, but no voice came back. Check that no firewall "
                + "blocks the UDP ports from media.first_port on."
        case .notRegistered(let why): "No call was made, because the account is not registered: \(why)."
        case .failed(let why): "The call failed: \(why)."
        case .unanswered: "Nobody answered."
        }
    }

    private static func word(_ score: Double) -> String { score >= 4 ? "good" : score >= 3 ? "fair" : "poor" }

    private static func tenths(_ score: Double) -> Double { (score * 10).rounded() / 10 }
}
