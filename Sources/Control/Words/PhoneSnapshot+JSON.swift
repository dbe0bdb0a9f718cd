import Base
import JSON
import PhoneCore

extension PhoneSnapshot {
    /// - Parameters:
    ///   - now: The instant of the snapshot. The reader measures durations from it.
    ///   - labels: The accounts' labels, for people.
    func json(at now: Instant, labels: [AccountID: String], _ qrCode: ControlHost.QRCodeMaker) -> JSONValue {
        let patterns = lamps.map { ($0.key.rawValue, JSONValue.string($0.value.name)) }
        return .object([
            "at": .integer(now.nanoseconds),
            "calls": .array(calls.map(call)),
            "conference": .bool(conference),
            "hook": .text(hook?.name),
            "digits": .string(digits),
            "muted": .bool(muted),
            "route": .string(route.rawValue),
            "interrupted": .bool(interrupted),
            "recording": recording?.json ?? .null,
            "playback": playback.map { .object($0.members) } ?? .null,
            "page": page.map { .object($0.members) } ?? .null,
            "sentPage": sentPage.map { .object($0.members) } ?? .null,
            "soundTest": soundTest.map { .object($0.members) } ?? .null,
            "lostDevices": .array(lostDevices.map(\.rawValue).sorted().map { .string($0) }),
            "panelFailed": .bool(panelFailed ?? false),
            "tone": .text(tone?.rawValue),
            "display": display.map { .object($0.members) } ?? .null,
            "ringing": .bool(ringing),
            "inputs": .array((panel?.inputs ?? []).sorted().map { .string($0) }),
            "relays": .array((panel?.relays ?? []).sorted().map { .integer(Int64($0)) }),
            "alarms": .array((panel?.alarms ?? []).sorted().map { .string($0) }),
            "lamps": .object(Dictionary(uniqueKeysWithValues: patterns)),
            "settings": settings.json,
            "missed": .array(missed.suffix(MissedPage.size).map(\.json)),
            "missedMore": .bool(missed.count > MissedPage.size),
            "missedCount": .integer(Int64(missedCount)),
            "messagesWaiting": .integer(Int64(messagesWaiting)),
            "messages": messages(labels),
            "refusedCalls": .integer(Int64(refusedCalls)),
            "codes": [
                "wrong": .integer(Int64(wrongCodes)),
                "lockedUntil": codesLockedUntil.map { $0 > now ? .integer($0.nanoseconds) : .null } ?? .null,
            ],
            "network": .string(networkWord),
            "networkKind": .string(networkKindWord),
            "connection": .string(connection),
            "organization": organisation?.json ?? .null,
            "organizationSwitching": .text(switchingTo?.rawValue),
            "organizations": .array((organisations ?? []).map(\.json)),
            "backend": .bool(hasBackend ?? false),
            "signIn": signIn?.json(qrCode) ?? .null,
            "credentialsExpireInDays": credentialsExpireInDays.map { .integer(Int64($0)) } ?? .null,
            "registrations": lines(labels),
        ])
    }

    private func call(_ call: CallSummary) -> JSONValue {
        .object((call.json.object ?? [:]).merging(["quality": qualities[call.call]?.json ?? .null]) { own, _ in own })
    }

    /// The waiting messages, by account.
    private func messages(_ labels: [AccountID: String]) -> JSONValue {
        let counts = (messages ?? [:]).sorted { $0.key.rawValue < $1.key.rawValue }
        return .array(
            counts.map { account, count in
                [
                    "account": .integer(account.rawValue), "label": .text(labels[account]),
                    "count": .integer(Int64(count)),
                ]
            })
    }

    /// The state of all lines together. One ready line makes the phone reachable.
    var connection: String {
        let states = registrations.values
        if states.contains(where: \.isReady) { return "connected" }
        return states.contains(.registering) ? "connecting" : "disconnected"
    }

    /// Every line and its state, in the order of the accounts' numbers.
    func lines(_ labels: [AccountID: String]) -> JSONValue {
        let lines = registrations.sorted { $0.key.rawValue < $1.key.rawValue }
        return .array(
            lines.map { account, state in
                .object(state.members(of: account).merging(["label": .text(labels[account])]) { own, _ in own })
            })
    }
}

extension PhoneSettings {
    fileprivate var json: JSONValue {
        [
            "doNotDisturb": .bool(doNotDisturb), "callVolume": .integer(Int64(callVolume)),
            "ringVolume": .integer(Int64(ringVolume)), "loudest": .integer(Int64(Self.loudest)),
        ]
    }
}

extension Organisation {
    fileprivate var json: JSONValue { ["id": .string(id.rawValue), "name": .string(name)] }
}

extension RegistrationState {
    func members(of account: AccountID) -> [String: JSONValue] {
        var members: [String: JSONValue] = ["account": .integer(account.rawValue), "state": .string(code)]
        if case .failed(let why) = self { members["message"] = .string(why) }
        return members
    }
}

extension HookPosition {
    var name: String {
        switch self {
        case .onHook: "onHook"
        case .offHook: "offHook"
        }
    }
}

extension LampPattern {
    var name: String {
        switch self {
        case .off: "off"
        case .on: "on"
        case .slowBlink: "slowBlink"
        case .fastBlink: "fastBlink"
        case .flutter: "flutter"
        }
    }
}

extension PhoneSnapshot {
    /// The network's state, as far as it is known. It comes from the kernel's path, or from a registration at a server.
    var networkWord: String {
        let isAssumed = networkKind == nil && network == .connected
        return isAssumed && !registrations.values.contains(.registered) ? "unknown" : network.rawValue
    }

    var networkKindWord: String { networkKind?.rawValue ?? "unknown" }
}

extension DisplayContent {
    var members: [String: JSONValue] {
        [
            "title": .string(title), "detail": .string(detail), "notes": .array(notes.map { .string($0) }),
            "since": since.map { .integer($0.nanoseconds) } ?? .null,
        ]
    }

    /// The contents, also laid out for a display of this size.
    func json(columns: Int, rows count: Int, at now: Instant) -> JSONValue {
        let rows = rows(columns: columns, count: count, at: now)
        return .object(members.merging(["rows": .array(rows.map { .string($0) })]) { own, _ in own })
    }
}
