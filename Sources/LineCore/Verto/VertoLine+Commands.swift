import Base
import SDPCore
import VertoCore

/// Carries out commands of the line's user for calls.
extension VertoLine {
    mutating func perform(_ command: LineCommand, at now: Instant) {
        guard !performOfLine(command, at: now) else { return }
        switch command {
        case .dial(let leg, let target, _, let media, let presentation):
            invite(leg, target, media, presentation ?? CallPresentation(), at: now)
        // Verto has no message for it.
        case .alert: break
        case .answer(let leg, let media, _): answer(leg, media, at: now)
        case .candidates(let leg, let candidates, let isLast): trickle(leg, candidates, isLast: isLast, at: now)
        case .refuse(let leg, let refusal): refuse(leg, refusal, at: now)
        case .end(let leg, let cause):
            end(leg, cause.map { EndReason($0) } ?? .hungUpHere, cause?.vertoCause, at: now)
        case .hold(let leg, let isHeld): order(.hold(isHeld), leg, at: now)
        case .move(let leg, let media): move(leg, media?.ice, at: now)
        case .dtmf(let leg, let elements): send(elements, leg, at: now)
        case .transfer(let leg, let target): transfer(leg, .transfer(to: Self.number(target)), at: now)
        case .connect(let leg, let other): transfer(leg, legs[other].map { .replace($0.call) }, at: now)
        case .follow(let leg, _, _, _), .pickUp(let leg, _, _): outputs.append(.event(.ended(leg, .invalidTarget)))
        case .declineReferral, .redirect: break
        case .reconnect, .disconnect, .reconfigure, .shutDown, .orphanBye: break
        }
    }

    private mutating func invite(
        _ leg: CallID, _ target: String, _ media: MediaEndpoint, _ presentation: CallPresentation, at now: Instant
    ) {
        precondition(leg.origin == .phone, "a leg that the phone dialled is named by the phone")
        guard legs[leg] == nil else { return }
        guard mayBegin else { return outputs.append(.event(.ended(leg, .lineNotReady))) }
        var negotiation = makeNegotiation(media)
        let offer = negotiation.offer(held: false, using: &generator)
        let call = VertoCallID(using: &generator)
        legs[leg] = VertoLeg(call, .inviting(negotiation, early: nil))
        legs[leg]?.describe(by: offer)
        legs[leg]?.party = VertoParty(number: Self.number(target))
        // With a token, the server knows the user.
        let number = configuration.callerNumber ?? (configuration.user.isEmpty ? nil : configuration.user)
        let caller = VertoParty(
            name: presentation.callerName ?? configuration.displayName, number: presentation.callerNumber ?? number)
        let invitation = VertoInvitation(
            Self.number(target), sdp: offer.text, caller: caller, headers: presentation.headers,
            isTrickled: offer.announcesCandidates)
        post(.call(call, .invite(invitation)), at: now)
    }

    /// The part of a SIP address before its host. A number stays as it is.
    private static func number(_ target: String) -> String {
        guard let colon = target.firstIndex(of: ":") else { return target }
        return String(target[target.index(after: colon)...].prefix { $0 != "@" })
    }

    private mutating func makeNegotiation(_ media: MediaEndpoint) -> MediaNegotiation {
        MediaNegotiation(
            capabilities: configuration.media.showing(media), local: MediaAddress(host: localHost, port: media.port),
            ice: media.ice, using: &generator)
    }

    private mutating func answer(_ leg: CallID, _ media: MediaEndpoint, at now: Instant) {
        guard var answering = legs[leg], case .offered(let offer) = answering.stage else { return }
        var negotiation = makeNegotiation(media)
        do throws(NegotiationError) {
            let answer = try negotiation.answer(to: offer, held: false, using: &generator).description
            answering.stage = .answering(negotiation)
            answering.describe(by: answer)
            legs[leg] = answering
            let isTrickled = answer.announcesCandidates
            post(.call(answering.call, .answer(sdp: answer.text, isTrickled: isTrickled)), at: now)
        } catch {
            end(leg, .incompatible, .incompatibleDestination, at: now)
        }
    }

    /// Sends our candidates that follow our description. If the description did not announce them, the session sends
    /// none.
    private mutating func trickle(_ leg: CallID, _ candidates: [String], isLast: Bool, at now: Instant) {
        guard var found = legs[leg] else { return }
        switch found.stage {
        case .inviting, .answering, .up: break
        // We have sent no description, or the call has ended.
        case .offered, .ending: return
        }
        found.find(candidates, isLast: isLast)
        legs[leg] = found
        for candidate in candidates {
            let told = VertoCandidate(
                "candidate:" + candidate, mid: found.medium.name, lineIndex: found.medium.place)
            post(.call(found.call, .candidate(told)), at: now)
        }
        if isLast { post(.call(found.call, .endOfCandidates), at: now) }
    }

    private mutating func refuse(_ leg: CallID, _ refusal: CallRejection, at now: Instant) {
        guard let refused = legs[leg], case .offered = refused.stage else { return }
        let cause: VertoCause =
            switch refusal {
            case .busy: .userBusy
            case .declined: .callRejected
            case .noAnswer: .noAnswer
            case .unavailable: .temporaryFailure
            }
        end(leg, EndReason(refusal), cause, at: now)
    }

    /// Ends a call from here, always this way. The session then reports the end.
    mutating func end(_ leg: CallID, _ end: EndReason, _ cause: VertoCause? = nil, at now: Instant) {
        guard let call = legs[leg]?.call else { return }
        legs[leg]?.stage = .ending(end)
        post(.call(call, .bye(cause)), at: now)
    }

    /// - Parameter command: Nil: the other call is gone.
    private mutating func transfer(_ leg: CallID, _ command: VertoCallCommand?, at now: Instant) {
        guard let transferred = legs[leg] else { return }
        guard let command, case .up = transferred.stage else {
            return outputs.append(.event(.transferSettled(leg, accepted: false)))
        }
        post(.call(transferred.call, command), at: now)
    }

    private mutating func order(_ command: VertoCallCommand, _ leg: CallID, at now: Instant) {
        guard let ordered = legs[leg], case .up = ordered.stage else { return }
        post(.call(ordered.call, command), at: now)
    }
}

extension HangUpCause {
    /// Nil: the usual cause.
    fileprivate var vertoCause: VertoCause? {
        switch self {
        case .mediaLost: .mediaTimeout
        case .mediaFailed, .networkLost: .temporaryFailure
        case .timedOut: .recoveryOnTimerExpire
        case .tooLong: .allottedTimeout
        case .shutDown: nil
        }
    }
}

extension SessionDescription {
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether it announces that more candidates of its sender follow one by one (RFC 8840 §4.1.1).
    var announcesCandidates: Bool {
        media.contains { line in
            line.values(of: "ice-options").contains { $0.split(separator: " ").contains("trickle") }
        }
    }
}

/// Sends digits by `info`, one after the other as by SIP's INFO. Each waits for the answer to the one before it.
extension VertoLine {
    mutating func send(_ elements: [DTMFElement], _ leg: CallID, at now: Instant) {
        var isTaken = false
        if case .up = legs[leg]?.stage { isTaken = true }
        handle(dtmf.send(elements, in: leg, isTaken: isTaken, at: now), at: now)
    }

    mutating func handle(_ effects: [DTMFQueues.Effect], at now: Instant) {
        for effect in effects {
            switch effect {
            case .info(let leg, let symbol):
                guard let call = legs[leg]?.call else {
                    dtmf.forget(leg)
                    continue
                }
                post(.call(call, .dtmf(symbol)), at: now)
            case .sent(let leg, let unsent): outputs.append(.event(.dtmfSent(leg, unsent: unsent)))
            }
        }
    }
}
