/// The identity of far ends: names and numbers from lines, and fingerprints whose words two people compare.
extension Transition {
    /// The line reports the far end's new identity. The rights of the party before it end, and no new ones begin (spec
    /// §12).
    mutating func displayUpdated(_ call: Call, name: String?, number: String?, _ standing: PartyStanding?) {
        switch call.state {
        case .ringingIn, .ringingOut(.dialling), .ringingOut(.dialled), .connecting, .active, .onHold, .reconnecting:
            guard standing != .doubted else { return endRights(of: call) }
            var other = call
            let isOther = other.who.rename(name, number, isWithheld: standing == .withheld)
            other.who.find(in: phone.contacts)
            phone[call.id] = other
            if isOther || call.vouched.map({ standing?.isElsewhere(than: $0) ?? false }) ?? false {
                endRights(of: call)
            }
            // Words that were compared with one party prove nothing about another one.
            if let key = other.key, other.peer != call.peer { keyShown(call.id, key.shown) }
        // The line does not have the call yet, or no longer.
        case .ringingOut(.preparing), .idle, .disconnecting, .ended, .failed: return
        }
    }

    /// A handshake is done.
    mutating func keyShown(_ id: CallID, _ shown: ShownFingerprint) {
        guard let call = phone[id], call.isLive else { return }
        let standing = standing(of: shown, after: call.key, in: call)
        phone[id]?.key = CallFingerprint(shown: shown, standing: standing)
        if standing == .changed {
            notice(.trouble("\(call.who.words) shows another key than the one whose words were compared", .keyChanged))
        }
    }

    /// A person has compared the call's words with the far end's.
    /// - Parameter agree: Whether they were the same. If not, an attacker is in between, and nothing is remembered.
    mutating func compareWords(_ wanted: CallID?, agree: Bool) throws(ActionFailure) {
        guard let call = wanted.map({ phone[$0] }) ?? phone.focus else { throw .noSuchCall }
        guard call.isUp, let key = call.key, let peer = call.peer else { throw .wrongState }
        var keys = (phone.peerKeys ?? []).filter { $0.peer != peer }
        if agree {
            let known = PeerFingerprint(peer, fingerprint: key.shown.fingerprint)
            keys = keys.suffix(PhoneState.mostPeerKeys - 1) + [known]
            emit(.vault(.keepKey(known)))
        } else {
            emit(.vault(.forgetKey(peer)))
            notice(.trouble("the words of the call with \(call.who.words) are not those of the far end", .wordsDiffer))
        }
        phone.peerKeys = keys
        phone[call.id]?.key?.standing = agree ? .compared : .changed
    }

    private func standing(
        of shown: ShownFingerprint, after key: CallFingerprint?, in call: Call
    ) -> FingerprintStanding {
        // Another handshake of the same far end has other words. It does not refute a comparison that failed.
        if let key, key.standing == .changed, key.shown != shown, key.shown.fingerprint == shown.fingerprint {
            return .changed
        }
        guard let peer = call.peer, let known = phone.peerKeys?.first(where: { $0.peer == peer }) else { return .new }
        return known.fingerprint == shown.fingerprint ? .compared : .changed
    }
}

extension PartyStanding {
    /// Whether the server vouches for a number of another domain: 200 there is not 200 here.
    fileprivate func isElsewhere(than known: AssertedNumber) -> Bool {
        switch self {
        case .vouched(let number): number.domain != known.domain
        case .withheld, .doubted: false
        }
    }
}
