import Lines
import Media
import PhoneCore
import Vault

/// Runs the trials, and offers remedies when one fails.
extension SetupRun {
    func rehearse(_ route: Route) throws -> SetupFailure? {
        let media = try settings().media
        guard asker.isPerson else {
            try Self.say("\(route.rawValue): \(SoundRehearsal.open(media, route))")
            return nil
        }
        let verdict = try SoundRehearsal(settings: media, route: route, tell: Self.say).run()
        guard verdict.isGood else { return SetupFailure("What now?", [.again, .change, .keep]) }
        guard try asker.confirm("Did you hear the tone, and yourself?") else {
            return SetupFailure(
                "Choose another card, or raise its level with alsamixer.", [.change, .again, .keep])
        }
        return nil
    }

    func tryRinger() throws -> SetupFailure? {
        try Self.say("ringer: \(SoundTrial.ringer(settings().media))")
        return nil
    }

    func tryAccount() throws -> SetupFailure? {
        guard let account = try interview.account else { return nil }
        try Self.say("Registering at \(account.server) …")
        let stored = try storedAccounts()
        let verdict = try AccountTrial(
            .fresh(account, beside: stored), among: stored, settings: settings()
        ).run()
        let sentence = verdict.sentence(account.server)
        guard !verdict.isGood else {
            try Self.say(sentence)
            return nil
        }
        return SetupFailure(sentence, remedies(for: verdict))
    }

    private func remedies(for verdict: RegistrationVerdict) -> [SetupRemedy] {
        let usual: [SetupRemedy] = [.change, .again, .keep, .leave]
        switch verdict {
        case .unknownAuthority(_, let shown): return [.change, .authorities, .pin(shown.text)] + usual.dropFirst()
        case .otherName(_, let shown), .outOfDate(_, let shown), .otherPin(let shown):
            return [.change, .pin(shown.text)] + usual.dropFirst()
        case .registered, .notNeeded, .refused, .nameUnknown, .nameServiceSilent, .silent, .connectionRefused,
            .unreachable, .speaksTLS, .speaksNoTLS, .speaksOldTLS, .other:
            return usual
        }
    }

    func tryCall() throws -> SetupFailure? {
        guard let number = interview.answers[.testCall] else { return nil }
        let file = try interview.configuration()
        let call = TestCall(configuration: file.after, path: file.path)
        let isLoopback = number == "loopback"
        try Self.say(isLoopback ? "Calling a second phone on this machine …" : "Calling \(number) …")
        let accounts = isLoopback ? [] : try storedAccounts().map(\.account)
        let label = try interview.account?.label
        let verdict = try Uninterrupted.run {
            guard !isLoopback else { return try call.callOverLoopback() }
            guard let account = accounts.first(where: { $0.label == label }) ?? accounts.first else {
                return CallVerdict.failed("the vault has no account")
            }
            return try call.call(number, by: account, among: accounts)
        }
        guard !verdict.isGood else {
            try Self.say(verdict.sentence)
            return nil
        }
        return SetupFailure(verdict.sentence, [.again, .change, .keep])
    }
}

extension StoredAccount {
    /// An account as the vault would store it, beside its other accounts.
    static func fresh(_ account: Account, beside others: [StoredAccount]) -> StoredAccount {
        let identifier = AccountID((others.map(\.id.rawValue).max() ?? 0) + 1)
        var digits = ""
        for _ in 0..<32 { digits += String(UInt8.random(in: 0..<16), radix: 16) }
        return StoredAccount(
            id: identifier, created: WallTime(unixMilliseconds: 0), device: digits, account: account)
    }
}
