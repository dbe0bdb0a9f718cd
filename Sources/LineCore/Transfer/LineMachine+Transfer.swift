import Base
import SIPCore

/// Asking a far end to call somebody else: transfer, blind and attended (RFC 5589 §6, §7).
///
/// Every transfer is answered by `transferSettled`, and one that was accepted by `transferred`, unless its leg ends
/// before.
extension LineMachine {
    mutating func transfer(_ id: LegID, to target: String, at now: Instant) {
        guard let address = configuration.address(of: target) else { return transferRefused(id) }
        refer(id, to: address, at: now)
    }

    /// The far end of one leg is to take our place in another.
    mutating func connect(_ id: LegID, with other: LegID, at now: Instant) {
        guard id != other, case .established(let second) = legs[other], var address = address(of: second.dialog).sip
        else { return transferRefused(id) }
        address.setHeader(.replaces, Replaces(second.dialog.id).text)
        refer(id, to: .sip(address), at: now)
    }

    /// Where somebody else reaches the far end of a call. Its Contact often means something only to us; behind a server
    /// its address does, unless the Contact is good everywhere (RFC 5589 §7.1, RFC 5627).
    private func address(of dialog: Dialog) -> URI {
        let isReachable = configuration.account == nil || dialog.remoteTarget.sip?.isGRUU == true
        return isReachable ? dialog.remoteTarget : dialog.remote.uri
    }

    private mutating func refer(_ id: LegID, to address: URI, at now: Instant) {
        guard case .established(var established) = legs[id], transfers[id] == nil, !isShuttingDown else {
            return transferRefused(id)
        }
        var request = established.dialog.request(.refer)
        legs[id] = .established(established)
        request.headers.set(.referTo, NameAddress(address))
        request.headers.set(.referredBy, NameAddress(established.dialog.local.uri))
        request.headers.set(.contact, established.contact)
        request.headers[.userAgent] = configuration.userAgent
        transfers[id] = Transfer(sequences: [established.dialog.localSequence])
        send(request, in: established.dialog, .refer(id), at: now)
    }

    private mutating func transferRefused(_ id: LegID) {
        tell(.transferSettled(id, accepted: false), of: id)
    }

    // MARK: What the far end says to it

    mutating func referAnswered(_ id: LegID, _ response: SIPResponse, to request: SIPRequest, at now: Instant) {
        if case .established(var established) = legs[id] {
            do throws(SIPParseError) {
                try established.dialog.receive(response, to: request)
                legs[id] = .established(established)
            } catch {
                outputs.append(.dropped(.malformed(error)))
            }
        }
        transferAccepted(id, at: now)
        // Nothing more will be said of it (RFC 4488 §4): to have taken it on is all.
        if (try? response.headers.referSub)??.isWanted == false { endTransfer(id, succeeded: true) }
    }

    mutating func referFailed(_ id: LegID) {
        // A NOTIFY that came before says more than a response that never does (RFC 6665 §4.1.2.4).
        guard transfers[id]?.stage == .asking else { return }
        transfers[id] = nil
        transferRefused(id)
    }

    private mutating func transferAccepted(_ id: LegID, at now: Instant) {
        guard transfers[id]?.stage == .asking else { return }
        transfers[id]?.stage = .underWay
        timers.set(.transfer(id), at: now + sipTimers.timeout)
        tell(.transferSettled(id, accepted: true), of: id)
    }

    /// The far end tells how the call goes that it was asked to make.
    mutating func transferTold(_ id: LegID, _ request: SIPRequest, _ transaction: ServerTransactionID, at now: Instant)
    {
        let (event, state): (SIPEvent, SubscriptionState)
        do throws(SIPParseError) {
            event = try request.headers.required(.event)
            state = try request.headers.required(.subscriptionState)
        } catch {
            return answer(request, .badRequest, transaction, at: now)
        }
        guard let transfer = transfers[id], transfer.isMeant(by: event.id) else {
            return answer(request, .callDoesNotExist, transaction, at: now)
        }
        var fragment: SIPFragment?
        if !request.body.isEmpty {
            guard (try? request.headers.contentType)?.name == MediaType.sipFragment.name else {
                return refuse(request, accepting: [MediaType.sipFragment.name], transaction, at: now)
            }
            do throws(SIPParseError) { fragment = try SIPFragment(request.body) } catch {
                return answer(request, .badRequest, transaction, at: now)
            }
        }
        answer(request, .ok, transaction, at: now)
        transferAccepted(id, at: now)
        if let status = fragment?.status, status.isFinal {
            endTransfer(id, succeeded: status.isSuccess)
        } else if state.phase == .terminated {
            // It does not say how it went: the call that is still up is not given away.
            endTransfer(id, succeeded: false)
        } else {
            let lasts = state.expires.map { min(.seconds(Int64($0)), Transfer.longest) } ?? Transfer.usual
            timers.set(.transfer(id), at: now + lasts)
        }
    }

    /// What came of it is known, or will not be told any more.
    mutating func endTransfer(_ id: LegID, succeeded: Bool) {
        guard transfers.removeValue(forKey: id) != nil else { return }
        timers.cancel(.transfer(id))
        tell(.transferred(id, succeeded: succeeded), of: id)
    }

    /// Of a leg that is no more, or about to be, its end is told and nothing else.
    private mutating func tell(_ output: LineOutput, of id: LegID) {
        if case .established = legs[id] { outputs.append(output) }
    }
}
