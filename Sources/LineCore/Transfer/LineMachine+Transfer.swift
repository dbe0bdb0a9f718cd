import Base
import SIPCore

/// Asks a far end to call another party: blind and attended transfer (RFC 5589 §6, §7).
///
/// Every transfer is settled by `transferSettled`. `transferred` reports the result of an accepted one, unless its leg
/// ends first.
extension LineMachine {
    mutating func transfer(_ id: LegID, to target: String, at now: Instant) {
        guard let address = configuration.address(of: target) else { return transferRefused(id) }
        refer(id, to: address, at: now)
    }

    /// Asks the far end of one leg to take our place in another.
    mutating func connect(_ id: LegID, with other: LegID, at now: Instant) {
        guard id != other, case .established(let second) = legs[other], var address = address(of: second.dialog).sip
        else { return transferRefused(id) }
        address.setHeader(.replaces, Replaces(second.dialog.id).text)
        refer(id, to: .sip(address), at: now)
    }

    /// The address at which another party reaches the far end of a call. Often its Contact works only for us. So behind
    /// a server we use the far end's own address, unless the Contact is valid everywhere (RFC 5589 §7.1, RFC 5627).
    private func address(of dialog: Dialog) -> URI {
        let isReachable = configuration.account == nil || dialog.remoteTarget.sip?.isGRUU == true
        return isReachable ? dialog.remoteTarget : dialog.remote.uri
    }

    private mutating func refer(_ id: LegID, to address: URI, at now: Instant) {
        guard case .established(var established) = legs[id], !transfers.isUnderWay(in: id), !isShuttingDown else {
            return transferRefused(id)
        }
        var request = established.dialog.request(.refer)
        legs[id] = .established(established)
        request.headers.set(.referTo, NameAddress(address))
        request.headers.set(.referredBy, NameAddress(established.dialog.local.uri))
        request.headers.set(.contact, established.offerAnswer.contact)
        request.headers[.userAgent] = configuration.userAgent
        transfers.begin(in: id, sequence: established.dialog.localSequence)
        send(request, in: established.dialog, .refer(id), at: now)
    }

    private mutating func transferRefused(_ id: LegID) {
        tell(.transferSettled(id, accepted: false), of: id)
    }

    // MARK: Responses and NOTIFY

    mutating func referAnswered(_ id: LegID, _ response: SIPResponse, to request: SIPRequest, at now: Instant) {
        if case .established(var established) = legs[id] {
            do throws(SIPParseError) {
                try established.dialog.receive(response, to: request)
                legs[id] = .established(established)
            } catch {
                outputs.append(.dropped(.malformed(error)))
            }
        }
        handle(transfers.accepted(response, in: id, within: context.timers.timeout, at: now), at: now)
    }

    /// Handles the far end's report on the call that we asked it to make.
    mutating func transferTold(_ id: LegID, _ request: SIPRequest, _ transaction: ServerTransactionID, at now: Instant)
    {
        do throws(RequestRefusal) {
            let effects = try transfers.notified(request, in: id, within: context.timers.timeout, at: now)
            answer(request, .ok, transaction, at: now)
            handle(effects, at: now)
        } catch {
            answer(request, error, transaction, at: now)
        }
    }

    mutating func handle(_ effects: [Transfers.Effect], at now: Instant) {
        for effect in effects {
            switch effect {
            case .settled(let leg, let accepted): tell(.transferSettled(leg, accepted: accepted), of: leg)
            case .ended(let leg, let succeeded): tell(.transferred(leg, succeeded: succeeded), of: leg)
            }
        }
    }

    /// Reports to the line's user. For a leg that is ending or over, only its end is reported.
    private mutating func tell(_ output: LineOutput, of id: LegID) {
        if case .established = legs[id] { outputs.append(output) }
    }
}
