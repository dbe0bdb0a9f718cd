import Base
import SIPCore

/// Asks a far end to call another party: blind and attended transfer (RFC 5589 §6, §7).
///
/// Every transfer is settled by `transferSettled`. `transferred` reports the result of an accepted one, unless its leg
/// ends first.
extension LineMachine {
    mutating func transfer(_ id: CallID, to target: String, at now: Instant) {
        guard let address = configuration.address(of: target) else { return transferRefused(id) }
        refer(id, to: address, at: now)
    }

    /// Asks the far end of one leg to take our place in another.
    mutating func connect(_ id: CallID, with other: CallID, at now: Instant) {
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

    private mutating func refer(_ id: CallID, to address: URI, at now: Instant) {
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

    private mutating func transferRefused(_ id: CallID) {
        tell(.transferSettled(id, accepted: false), of: id)
    }

    // MARK: Responses and NOTIFY

    mutating func referAnswered(_ id: CallID, _ response: SIPResponse, to request: SIPRequest, at now: Instant) {
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
    mutating func transferTold(_ id: CallID, _ request: SIPRequest, _ transaction: ServerTransactionID, at now: Instant)
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
    private mutating func tell(_ event: LineEvent, of id: CallID) {
        if case .established = legs[id] { outputs.append(.event(event)) }
    }
}

/// Handles requests of a far end that we call another party (RFC 5589 §6, the transferee). Only the far end of an
/// established call may ask, over a flow of that call. The line's user decides.
extension LineMachine {
    /// Handles a REFER outside a dialog. Only a party that already talks to us may make us call another one (RFC 3515
    /// §5). It must name the call's dialog, which only a sender that has seen the call's messages can do (RFC 4538 §4).
    /// Its REFER must come over a flow of that call.
    mutating func receivedReferralOutside(
        _ request: SIPRequest, _ transaction: ServerTransactionID, over flow: Flow, at now: Instant
    ) {
        let named: TargetDialog?
        do throws(SIPParseError) { named = try request.headers.targetDialog } catch {
            return answer(request, .badRequest, transaction, at: now)
        }
        let leg = legs.first { leg in
            guard case .established(let established) = leg.value, named?.names(established.dialog.id) == true else {
                return false
            }
            return belongs(flow, to: leg.key)
        }
        guard let leg else { return answer(request, .forbidden, transaction, at: now) }
        receivedReferral(leg.key, request, transaction, over: flow, at: now)
    }

    mutating func receivedReferral(
        _ id: CallID, _ request: SIPRequest, _ transaction: ServerTransactionID, over flow: Flow, at now: Instant
    ) {
        do throws(RequestRefusal) {
            guard case .established(let established) = legs[id] else { throw RequestRefusal(.forbidden) }
            // One at a time, because the person hears one call that turns into another.
            guard !referrals.isAsked(in: id), !isShuttingDown else { throw RequestRefusal(.requestPending) }
            var referral = try referral(in: request)
            var response = request.response(.accepted, tag: context.identifiers.makeTag())
            response.headers.set(.contact, established.offerAnswer.contact)
            referral.dialog = try newDialog(of: request, response)
            referrals.begin(referral, in: id, within: context.timers.timeout, at: now)
            if !referral.isTold { response.headers.set(.referSub, ReferSub(false)) }
            handle(layer.respond(response, to: transaction, at: now), at: now)
            outputs.append(.event(.referred(id, to: shownTarget(referral.target))))
            handle(referrals.announce(id), at: now)
        } catch {
            answer(request, error, transaction, at: now)
        }
    }

    /// The dialog that the REFER opens. Nil if the REFER belongs to an existing dialog.
    private func newDialog(of request: SIPRequest, _ response: SIPResponse) throws(RequestRefusal) -> Dialog? {
        do throws(SIPParseError) {
            guard try request.headers.to.tag == nil else { return nil }
            return try Dialog(receiving: request, sending: response)
        } catch {
            throw RequestRefusal(.badRequest)
        }
    }

    private func referral(in request: SIPRequest) throws(RequestRefusal) -> Referral {
        let (address, replaces, isTold, referredBy, sequence): (NameAddress?, Replaces?, Bool, NameAddress?, UInt32)
        do throws(SIPParseError) {
            address = try request.headers.referTo
            replaces = try address?.uri.sip?.replaces
            isTold = try request.headers.referSub?.isWanted ?? true
            referredBy = try request.headers.referredBy
            sequence = try request.headers.cSeq.number
        } catch {
            throw RequestRefusal(.badRequest)
        }
        guard let address else { throw RequestRefusal(.badRequest) }
        guard let target = target(of: address.uri) else { throw RequestRefusal(.unsupportedURIScheme) }
        // An address outside the account is accepted only with Replaces. It is then the far end of an existing call,
        // whose Contact may be anywhere (RFC 5589 §7.1). Nothing is sent to it before the line's user agrees.
        guard isAtHome(target) || replaces != nil else {
            throw RequestRefusal(.forbidden, SIPWarning(399, "Only numbers of the account are called"))
        }
        return Referral(
            target: target, replaces: replaces, referredBy: referredBy, sequence: sequence, isTold: isTold)
    }

    /// An address that a person could dial on this line. Nil for any other one. Of its URI headers only Replaces
    /// counts, because the others would write parts of our INVITE (RFC 3261 §19.1.5).
    func target(of uri: URI) -> URI? {
        switch uri {
        case .sip(var uri):
            guard uri.parameters["method"].map({ $0 == SIPMethod.invite.name }) ?? true else { return nil }
            uri.headers = nil
            uri.parameters["method"] = nil
            return configuration.address(of: uri.text)
        case .tel(let number): return configuration.address(of: number.digits)
        case .other: return nil
        }
    }

    // MARK: The decision of the line's user

    /// Places the call that the far end of another leg requested.
    mutating func follow(_ id: CallID, of referrer: CallID, _ media: MediaEndpoint, at now: Instant) {
        guard let referral = referrals.follow(referrer, by: id) else {
            return ended(id, .invalidTarget, at: now)
        }
        let invitation = Leg.Invitation(targets: TargetSet(referral.target), media: media, headers: referral.headers)
        beginInvite(id, invitation, at: now)
        if legs[referrer] == nil { referrals.drop(referrer) }
    }

    mutating func declineReferral(_ referrer: CallID, at now: Instant) {
        handle(referrals.decline(referrer), at: now)
    }

    // MARK: Reports

    /// Reports a call's progress to the line's user, and to the far end that requested the call, if there is one.
    mutating func progress(_ event: LineEvent, of leg: CallID, _ status: SIPStatus, at now: Instant) {
        outputs.append(.event(event))
        handle(referrals.progressed(leg, to: status), at: now)
    }

    /// Reports that a leg has ended, or was never set up.
    mutating func ended(_ leg: CallID, _ end: EndReason, at now: Instant) {
        progress(.ended(leg, end), of: leg, end.status, at: now)
    }

    mutating func handle(_ effects: [Referrals.Effect], at now: Instant) {
        for effect in effects {
            switch effect {
            case .notify(let leg): notify(leg, at: now)
            case .end(let leg, let end): self.end(leg, end, at: now)
            }
        }
    }

    private mutating func notify(_ id: CallID, at now: Instant) {
        guard case .established(var established) = legs[id] else { return newsSaid(id, isHeard: false, at: now) }
        let contact = established.offerAnswer.contact
        guard let notify = referrals.notification(for: id, in: &established.dialog, contact: contact) else { return }
        legs[id] = .established(established)
        send(notify.request, in: notify.dialog, .notify(id), at: now)
    }

    /// Handles the final response to a NOTIFY, or its failure.
    mutating func newsSaid(_ id: CallID, isHeard: Bool, at now: Instant) {
        handle(referrals.said(in: id, isHeard: isHeard), at: now)
    }
}

extension EndReason {
    /// The status that reports to a referrer how our call ended before an answer.
    fileprivate var status: SIPStatus {
        switch self {
        case .busyThere: .busyHere
        case .declinedThere: .decline
        case .noAnswer: .temporarilyUnavailable
        case .rejected(let code): SIPStatus(code)
        case .unreachable: .serviceUnavailable
        case .pickupUnnamed: .notFound
        case .anonymityRefused: .forbidden
        case .lineNotReady: .temporarilyUnavailable
        case .incompatible, .insecurePath: .notAcceptableHere
        case .hungUpHere, .hungUpThere, .declined, .refusedBusy, .doNotDisturb, .blocked, .noOffer, .notAnnounced,
            .cancelledThere, .answeredElsewhere, .mediaFailed, .mediaLost, .networkLost, .timedOut, .organisation,
            .transferred, .tooLong, .interrupted, .shutDown:
            .requestTerminated
        }
    }
}

extension SIPRequest {
    /// Whether a NOTIFY reports on a call that a REFER requested.
    var isAboutTransfer: Bool {
        guard let event = (try? headers.event) ?? nil else {
            return !headers.contains(.event) && (try? headers.contentType)?.name == MediaType.sipFragment.name
        }
        return event.package.lowercased() == Transfer.package
    }
}

/// Handles calls that ask to replace another one (RFC 3891): from the target of an attended transfer, or from a phone
/// that picks up our call.
extension LineMachine {
    enum Replacement: Equatable {
        /// The call replaces no other call.
        case none
        case of(CallID)
        case refused(SIPStatus)
    }

    func replacement(by request: SIPRequest) -> Replacement {
        let replaces: Replaces?
        do throws(SIPParseError) { replaces = try request.headers.replaces } catch { return .refused(.badRequest) }
        guard let replaces else { return .none }
        if past.contains(replaces) { return .refused(.decline) }
        guard let (id, leg) = legs.first(where: { isNamed($0.value, by: replaces) }) else {
            return .refused(.callDoesNotExist)
        }
        switch leg {
        // An unanswered call that we did not place cannot be replaced (RFC 3891 §3).
        case .locating, .offered: return .refused(.callDoesNotExist)
        case .inviting: return .of(id)
        case .established: return replaces.isEarlyOnly ? .refused(.busyHere) : .of(id)
        case .leaving: return .refused(.decline)
        }
    }

    private func isNamed(_ leg: Leg, by replaces: Replaces) -> Bool {
        switch leg {
        case .locating: return false
        // A ringing call may have many far-end tags, and all of them belong to it. So the far end's tag is not
        // compared.
        case .inviting(let inviting):
            let callID = sent[inviting.transaction]?.request.headers[.callID]
            return replaces.toTag == inviting.localTag && replaces.callID == callID
        case .offered, .established, .leaving: return leg.dialog.map { replaces.names($0.id) } ?? false
        }
    }
}

/// Checks the addresses that a far end may make us call: only those of the account itself.
extension LineMachine {
    /// Whether an address belongs to the account: in its domain, or at its server. On the direct line, the hosts that
    /// may call it count instead.
    func isAtHome(_ address: URI) -> Bool {
        guard let host = address.sip?.host.lowercased() else { return false }
        if let account = configuration.account {
            let own = [account.domain, account.server.host] + (routing.home + registration.living).map(\.remote.host)
            return own.contains { $0.lowercased() == host }
        }
        switch configuration.accepts {
        case .anyone: return true
        case .listed(let hosts): return hosts.contains { $0.lowercased() == host }
        case .ownServerOnly: return false
        }
    }

    /// The text for a question to a person, and for a search in a list of numbers. An address of the account is shown
    /// as its number. Any other address is shown as a whole, because its user part could look like such a number. A
    /// whole address matches no list.
    func shownTarget(_ address: URI) -> String {
        if isAtHome(address), let user = address.sip?.user, Caller.wholeNumber(of: address) == user {
            return user
        }
        return address.text.shown(bytes: Caller.addressLimit)
    }
}

/// Dialogs that ended so recently that a request may still ask to replace them (RFC 3891 §3), oldest first.
struct PastDialogs: Equatable, Sendable {
    private static let limit = 16

    private var dialogs: [Dialog.ID] = []

    mutating func append(_ dialog: Dialog.ID) { dialogs = (dialogs + [dialog]).suffix(Self.limit) }

    func contains(_ replaces: Replaces) -> Bool { dialogs.contains(where: replaces.names) }
}
