import Base
import Control
import Cryptography
import Glibc
import JSON
import Lines
import Media
import NIOCore
import PhoneCore
import Platform
import Synchronization
import Vault

/// Runs the trials, and keeps their results.
extension PageSetup {
    /// How long the phone remembers a tried account.
    static let memory = TimeAmount.minutes(15)

    func tryDevice(
        _ route: Route, _ part: SetupRequest.DevicePart, on chosen: String?, for action: ActionID,
        _ snapshot: PhoneSnapshot
    ) throws(RPCError) {
        guard chosen.map({ DevicePair($0) != DevicePair("null") }) ?? means.settings.media.hasSound(on: route) else {
            throw RPCError(.noDevice, "no device is configured for the \(route.rawValue)")
        }
        try rehearse(route, part, for: action, snapshot) { media throws(RPCError) in
            if let chosen { media.devices[route] = try Self.offered(chosen, for: route, media) }
        }
    }

    /// Plays a tone on the ringer's device, as well as the panel's bell.
    func tryRinger(on chosen: String?, for action: ActionID, _ snapshot: PhoneSnapshot) throws(RPCError) {
        let own = means.settings.media.ringer?.device
        guard let device = chosen ?? own, device != "null" else {
            throw RPCError(.noDevice, "no device is configured for the ringer")
        }
        // A ringer has no microphone, so the capture side is silent and the playback device gives the pace.
        try rehearse(.speaker, .play, for: action, snapshot) { media throws(RPCError) in
            guard device == own || Self.isCard(device) else { throw .noCard(device) }
            media.devices[.speaker] = MediaSettings.Device(capture: "null", playback: device)
        }
    }

    /// - Parameter choose: Puts the devices to try into the settings; may block.
    private func rehearse(
        _ route: Route, _ part: SetupRequest.DevicePart, for action: ActionID, _ snapshot: PhoneSnapshot,
        choose: @escaping @Sendable (inout MediaSettings) throws(RPCError) -> Void
    ) throws(RPCError) {
        guard snapshot.calls.isEmpty, snapshot.tone == nil, snapshot.hook != .offHook else { throw .soundIsUsed }
        try begin(action, .sound) { [media = means.settings.media] stop in
            do {
                var media = media
                try choose(&media)
                let rehearsal = SoundRehearsal(
                    settings: media, route: route, parts: part == .play ? [.tone] : [.speech],
                    isStopped: { stop.isStopped }, tell: { (_: String) throws(CommandError) in })
                let verdict = try rehearsal.run()
                guard !stop.isStopped else { return .failure(.soundIsUsed) }
                return .success(part == .play ? [:] : verdict.json)
            } catch let refusal as RPCError {
                return .failure(refusal)
            } catch {
                return .failure(RPCError(.deviceFailed, "\(error)"))
            }
        }
    }

    func tryAccount(_ draft: AccountDraft, for action: ActionID) throws(RPCError) {
        let account = try newAccount(draft)
        let others = means.accounts.accounts
        let stored = StoredAccount.fresh(account, beside: others)
        try begin(action, .account) { [self] stop in
            do {
                let trust = try ServerTrust(
                    pin: draft.pin, authorities: draft.authorities, beside: means.settings.file)
                let settings = means.settings.trusting(trust, for: account.label)
                let trial = try AccountTrial(stored, among: others, settings: settings)
                let verdict = try trial.run(until: stop)
                guard !stop.isStopped else { return .failure(RPCError(.cancelled, "the trial was cancelled")) }
                return .success(remember(account, trust, verdict).json)
            } catch let refusal as SetupRefusal {
                return .failure(RPCError(.invalidParams, refusal.description))
            } catch {
                return .failure(RPCError(.trialFailed, "\(error)"))
            }
        }
    }

    /// A device to try instead of the route's own. Only this machine's cards are allowed, because some ALSA devices
    /// write files or run programs, and a setup page must not do that. Reads the machine's cards, and may block.
    private static func offered(
        _ device: String, for route: Route, _ media: MediaSettings
    ) throws(RPCError) -> MediaSettings.Device {
        let pair = DevicePair(device)
        if let present = media.devices[route], DevicePair(capture: present.capture, playback: present.playback) == pair
        {
            return present
        }
        guard isCard(device) else { throw .noCard(device) }
        var chosen = MediaSettings.Device(capture: device, playback: device)
        chosen.processing = media.devices[route]?.processing ?? chosen.processing
        return chosen
    }

    private static func isCard(_ device: String) -> Bool {
        SoundCardList.all().contains { $0.device == device }
    }

    private func remember(_ account: Account, _ trust: ServerTrust, _ verdict: RegistrationVerdict) -> TriedAccount {
        let tried = state.withLock { state in
            state.trials += 1
            let tried = TriedAccount(number: state.trials, account: account, trust: trust, verdict: verdict)
            state.tried = tried
            // After `close`, no loop can remove the account and no phone can add it.
            if !state.isClosed { means.loop.scheduleTask(in: Self.memory) { self.forget(tried.number) } }
            return tried
        }
        return tried
    }

    func forget(_ number: Int64) {
        state.withLock { state in if state.tried?.number == number { state.tried = nil } }
    }

    func restart(for action: ActionID, _ snapshot: PhoneSnapshot) throws(RPCError) {
        guard let restart = means.restart else {
            throw RPCError(.notSupported, "this phone cannot restart itself; another program started it")
        }
        guard snapshot.calls.isEmpty else { throw RPCError(.inCall, "there is a call, which a restart would end") }
        try begin(action, .files, then: restart) { [means] _ in
            do {
                try StartCheck.run(means.settings.file)
                return .success([:])
            } catch {
                return .failure(RPCError(.wouldNotStart, "\(error)"))
            }
        }
    }

    /// Runs the work on a new thread, unless another trial is running.
    /// - Parameter next: Called on the loop after the answer, if the work succeeded.
    func begin(
        _ action: ActionID, _ kind: TrialKind, then next: (@Sendable () -> Void)? = nil,
        _ work: @escaping @Sendable (TrialStop) -> Answer
    ) throws(RPCError) {
        let stop = TrialStop()
        let refusal: RPCError? = state.withLock { state in
            guard state.trial == nil else { return RPCError(.busy, "another trial is running; wait for its end") }
            let former = state.trialThread
            do throws(SystemFailure) {
                state.trialThread = try NamedThread(.setup) { [self] in
                    // The former thread has already finished its work, so this does not block for long.
                    former?.join()
                    let answer = work(stop)
                    self.state.withLock { $0.trial = nil }
                    self.answer(action, answer)
                    if case .success = answer, let next { means.loop.execute(next) }
                }
            } catch {
                return RPCError(.noRoom, "\(error)")
            }
            state.trial = Trial(action: action, kind: kind, stop: stop)
            return nil
        }
        if let refusal { throw refusal }
    }
}

extension RPCError {
    fileprivate static func noCard(_ device: String) -> RPCError {
        RPCError(.noDevice, "\"\(device.shown(bytes: 64))\" is no sound card of this machine")
    }

    fileprivate static let soundIsUsed = RPCError(.soundInUse, "the phone is using its sound devices")
}

extension MediaSettings {
    /// False for ALSA's device `null`, which accepts everything and makes no sound.
    fileprivate func hasSound(on route: Route) -> Bool {
        devices[route].map { $0.capture != "null" || $0.playback != "null" } ?? false
    }
}

/// An account that was tried at its server. It may be added.
struct TriedAccount {
    let number: Int64
    let account: Account
    let trust: ServerTrust
    let verdict: RegistrationVerdict

    /// Everything except the secrets.
    var json: JSONValue {
        var members = account.setupMembers.merging(verdict.setupMembers(account.server)) { own, _ in own }
        members["trial"] = .integer(number)
        // The account also needs these values in the configuration; `planSetup` shows them.
        members["pin"] = trust.pin.map { .string($0.text) } ?? .null
        members["authorities"] = trust.authorities.map { .string($0) } ?? .null
        members["keeps"] = .string(account.addition)
        return .object(members)
    }
}

extension Account {
    /// The account for programs, without its secrets.
    var setupMembers: [String: JSONValue] {
        let (relays, others) = (ice.servers.filter { $0.user != nil }, ice.servers.filter { $0.user == nil })
        return [
            "label": .string(label), "kind": .string(kind.rawValue), "user": .string(user),
            "server": .string(host.inBrackets + (port.map { ":\($0)" } ?? "") + (path == "/" ? "" : path)),
            "authUser": authUser.map { .string($0) } ?? .null,
            "displayName": displayName.map { .string($0) } ?? .null, "domain": domain.map { .string($0) } ?? .null,
            "transport": .string(transport.rawValue),
            "protection": .string(protection.rawValue), "registers": .bool(registers),
            "ice": .string(ice.policy.rawValue), "stun": .string(ICEServerText.text(others)),
            "turn": .string(ICEServerText.text(relays)), "password": .bool(password != nil),
            "token": .bool(token != nil), "allowClearPassword": .bool(allowsClearPassword),
        ]
    }
}

/// Certificates to trust for an account's server, from a page, in addition to the configuration.
struct ServerTrust: Sendable {
    /// The only certificate that the server may show.
    let pin: Fingerprint?
    /// The authorities that may sign the servers' certificates: a PEM file, absolute or relative to the configuration.
    let authorities: String?

    /// Reads the file, and may block.
    /// - Throws: If the pin is no fingerprint, or the file has no usable certificates.
    init(pin: String?, authorities: String?, beside configuration: String) throws(SetupRefusal) {
        self.pin = try pin.map { text throws(SetupRefusal) in
            guard let pin = Fingerprint(text) else {
                throw SetupRefusal("pin: expected the SHA-256 of a certificate, 64 hexadecimal digits")
            }
            return pin
        }
        self.authorities = authorities
        if let authorities { try Self.check(authorities, beside: configuration) }
    }

    private static func check(_ file: String, beside configuration: String) throws(SetupRefusal) {
        let path = file.hasPrefix("/") ? file : configuration.folder + file
        guard AccountCommand.isPrintable(file), isCertificates(path) else {
            // The same error for every reason, because a token must not reveal which files this machine has.
            throw SetupRefusal(
                "authorities: \"\(file.shown(bytes: 64))\" is no readable PEM file with certificates")
        }
    }

    private static func isCertificates(_ path: String) -> Bool {
        var status = stat()
        // Opening a pipe would block until somebody writes to it.
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            (1...longest).contains(Int(status.st_size))
        else { return false }
        do {
            _ = try TLSContext(.client, trust: .authorities(file: path))
            return true
        } catch {
            return false
        }
    }

    /// Far more than all authorities of a browser need, in bytes.
    private static let longest = 4 << 20
}

extension Settings {
    /// The settings, with this trust for the server of the account with this label.
    func trusting(_ trust: ServerTrust, for label: String) -> Settings {
        var settings = self
        if let authorities = trust.authorities { settings.configuration.sip.tls.authorities = authorities }
        if let pin = trust.pin { settings.configuration.sip.tls.pins.append((label, pin)) }
        return settings
    }
}
