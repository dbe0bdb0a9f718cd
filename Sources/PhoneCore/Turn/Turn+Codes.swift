import Base

/// A far end dials: perhaps the code of a door.
///
/// Only a caller who is listed is listened to, by a number that somebody vouches for. Wrong codes are counted over all
/// calls and over restarts; every third one locks all codes, for a time that doubles.
extension Turn {
    mutating func workRelays(_ id: CallID, _ symbol: DTMFSymbol) {
        guard let call = phone[id], call.phase == .active else { return }
        let codes = policy.codes(for: call)
        guard !codes.isEmpty else { return }
        guard let attempt = phone[id]?.entry.take(symbol, at: now) else { return }
        if let lock = phone.codesLockedUntil, lock > now {
            return notice(.codeTried(id, .locked(seconds: Self.seconds(lock - now))))
        }
        let worked = codes.filter { equalsInConstantTime($0.code, attempt) }.map(\.relay)
        guard !worked.isEmpty else { return wrongCode(id) }
        if phone.settings.wrongCodes > 0 { change { $0.wrongCodes = 0 } }
        for number in worked {
            guard let relay = policy.relays[number], !relay.once || !call.relaysWorked.contains(number) else {
                continue
            }
            phone[id]?.relaysWorked.insert(number)
            phone.relays[number] = .pulse(until: now + relay.pulse)
            notice(.codeTried(id, .right(relay: number)))
        }
    }

    private mutating func wrongCode(_ id: CallID) {
        change { $0.wrongCodes = min($0.wrongCodes + 1, CodeLock.mostCounted) }
        let wrong = phone.settings.wrongCodes
        // The last lock that can be is as long as the one before.
        if wrong.isMultiple(of: CodeLock.tries), let time = CodeLock.time(after: wrong) {
            phone.codesLockedUntil = now + time
            notice(.codeTried(id, .locked(seconds: Self.seconds(time))))
        } else {
            notice(.codeTried(id, .wrong(left: CodeLock.tries - wrong % CodeLock.tries)))
        }
    }

    /// What was wrong before the restart is wrong still: the lock begins anew, because no clock went on meanwhile.
    mutating func rememberWrongCodes(_ wrong: Int) {
        guard let time = CodeLock.time(after: wrong) else { return }
        phone.codesLockedUntil = now + time
    }

    /// Every code is compared in full, whatever was dialled.
    private func equalsInConstantTime(_ code: RelayCode, _ attempt: [DTMFSymbol]?) -> Bool {
        Base.equalsInConstantTime(
            code.symbols.map(\.rawValue), (attempt ?? []).map(\.rawValue), length: RelayCode.lengths.upperBound)
    }

    private static func seconds(_ time: Duration) -> Int {
        Int(time.components.seconds) + (time.components.attoseconds > 0 ? 1 : 0)
    }
}

extension PhonePolicy {
    /// The codes that the far end of this call may dial, in the order of their relays.
    fileprivate func codes(for call: Call) -> [(relay: UInt8, code: RelayCode)] {
        guard let caller = call.vouched else { return [] }
        return relays.sorted { $0.key < $1.key }.compactMap { number, relay in
            guard let code = relay.code, code.directions.contains(call.direction),
                code.accounts?.contains(call.account) ?? true, code.callers.contains(where: { $0.matches(caller) })
            else { return nil }
            return (number, code)
        }
    }
}
