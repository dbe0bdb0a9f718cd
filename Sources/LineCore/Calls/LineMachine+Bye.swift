import Base
import SDPCore
import SIPCore

extension LineMachine {
    /// Ends a leg from here, by the method that its state requires (RFC 3261 §9, §15).
    mutating func end(_ id: CallID, _ end: EndReason, at now: Instant) {
        switch legs[id] {
        case nil, .leaving: break
        case .locating: finish(id, end, at: now)
        case .inviting(let inviting):
            leave(id, .cancelling(inviting.transaction, localTag: inviting.localTag), end, at: now)
            handle(layer.cancel(inviting.transaction, because: end.reason, at: now), at: now)
        case .offered(let offered):
            let refusal =
                end == .shutDown
                ? offered.response(.temporarilyUnavailable, because: .unavailable)
                : offered.response(configuration.declineStatus, because: .declined)
            handle(layer.respond(refusal, to: offered.transaction, at: now), at: now)
            finish(id, end, at: now)
        case .established(let established):
            if referrals.delays(end, of: id, at: now) { return }
            if established.unacknowledged == nil {
                sendBye(id, established.dialog, end, at: now)
            } else {
                leave(id, .awaitingACK(established), end, at: now)
            }
        }
    }

    mutating func sendBye(_ id: CallID, _ dialog: Dialog, _ end: EndReason, at now: Instant) {
        var dialog = dialog
        var bye = dialog.request(.bye)
        bye.headers.set(.reason, end.reason)
        let isReported = legs[id]?.isReported ?? false
        timers.cancel(.success(id))
        if isReported {
            legs[id] = .leaving(.init(stage: .bye(dialog), end: end, isReported: true))
        } else {
            leave(id, .bye(dialog), end, at: now)
        }
        send(bye, in: dialog, .bye(id), at: now)
    }

    /// Sends BYE to a far end whose answer came too late.
    mutating func sendStrayBye(_ dialog: Dialog, at now: Instant) {
        var dialog = dialog
        var bye = dialog.request(.bye)
        bye.headers.append(.reason, Reason.completedElsewhere)
        send(bye, in: dialog, .strayBye, at: now)
    }

    /// Our BYE got a final response, or its time is over.
    mutating func byeAnswered(_ id: CallID, at now: Instant) {
        guard case .leaving(let leaving) = legs[id] else { return }
        finish(id, leaving.end, at: now)
    }

    mutating func receivedBye(
        _ id: CallID, _ request: SIPRequest, _ transaction: ServerTransactionID, at now: Instant
    ) {
        // A far end that has not answered may not send BYE: it refuses the INVITE (RFC 3261 §15).
        if case .inviting = legs[id] { return answer(request, .callDoesNotExist, transaction, at: now) }
        answer(request, .ok, transaction, at: now)
        switch legs[id] {
        case .offered(let offered):
            handle(layer.respond(offered.response(.requestTerminated), to: offered.transaction, at: now), at: now)
            finish(id, request.saysAnsweredElsewhere ? .answeredElsewhere : .cancelledThere, at: now)
        // Another phone answered first, and our answer is not reported yet.
        case .established(let established) where established.untoldAnswer != nil && request.saysAnsweredElsewhere:
            finish(id, .answeredElsewhere, at: now)
        // The BYE ends the call that was answered here, even if its Reason names another phone's answer.
        case .established:
            let reasons = (try? request.headers.reasons) ?? []
            tellEnd(id, reasons)
            finish(id, EndReason(bye: reasons), at: now)
        case .leaving(let leaving): finish(id, leaving.end, at: now)
        case nil, .locating, .inviting: break
        }
    }
}

extension Leg {
    fileprivate var isReported: Bool {
        switch self {
        case .locating, .inviting, .offered, .established: false
        case .leaving(let leaving): leaving.isReported
        }
    }
}

/// BYEs for calls of an earlier process, which crashed or was killed during them.
extension LineMachine {
    /// Reports that a leg is answered, and what another process would need to end it.
    mutating func answered(_ id: CallID, _ agreed: Agreement, at now: Instant) {
        progress(.answered(id, agreed.media), of: id, .ok, at: now)
        guard let dialog = legs[id]?.dialog else { return }
        let memo = DialogSnapshot(dialog, realm: id.origin == .phone ? authentication.realm : nil)
        if let text = memo?.text { outputs.append(.event(.memo(id, text))) }
    }

    mutating func beginOrphanBye(_ text: String, at now: Instant) {
        guard !isShuttingDown else { return }
        do throws(SIPParseError) {
            let number = orphanByes.begin(try DialogSnapshot(text), at: now)
            // The server may challenge the BYE. It gets an answer only if we know that it is the server, so we locate
            // it first.
            if let account = configuration.account, routing.home.isEmpty, registration.living.isEmpty {
                send(.orphanBye(number), to: account.server, at: now)
            } else {
                sendOrphanBye(number, at: now)
            }
        } catch {
            outputs.append(.dropped(.malformed(error)))
        }
    }

    mutating func sendOrphanBye(_ number: UInt32, at now: Instant) {
        guard let memo = orphanByes[number] else { return }
        var request = memo.request
        request.headers.append(.reason, Reason.interrupted)
        send(.request(request, .orphanBye(number)), to: webSocketServer ?? memo.hop.otherwise(usualTransport), at: now)
    }

    /// The BYE got any final response, or its time is over.
    mutating func endOrphanBye(_ number: UInt32) {
        orphanByes.end(number)
        routing.giveUp { $0.isOrphanBye(number) }
        abandon(.orphanBye(number))
    }
}

/// Tracks BYEs for calls of an earlier process, which crashed or was killed during them. It tries for a bounded time.
struct OrphanByes: Sendable {
    typealias Number = UInt32

    private var snapshots: [Number: DialogSnapshot] = [:]
    private var count: Number = 0
    private var timers = DeadlineTable<Number>()

    var deadline: Instant? { timers.earliest }

    /// The BYEs whose time is over. Their timers are removed; `end` removes the rest.
    mutating func overdue(at now: Instant) -> [Number] {
        var numbers: [Number] = []
        while let number = timers.popDue(at: now) { numbers.append(number) }
        return numbers
    }

    mutating func begin(_ snapshot: DialogSnapshot, at now: Instant) -> Number {
        count += 1
        snapshots[count] = snapshot
        timers.set(count, at: now + LineMachine.byeTimeout)
        return count
    }

    subscript(number: Number) -> DialogSnapshot? { snapshots[number] }

    /// The realm in which the server may challenge the BYE.
    func realm(of number: Number) -> String? { snapshots[number]?.realm }

    mutating func end(_ number: Number) {
        snapshots[number] = nil
        timers.cancel(number)
    }
}

/// What another process needs to end a call whose own process is gone: the BYE as it would be sent. The first line has
/// the version of this format, and the realm in which the server may challenge the BYE.
///
///     1 example.org
///     BYE sip:bob@192.0.2.2 SIP/2.0
///     From: …
struct DialogSnapshot: Equatable, Sendable {
    /// In bytes.
    static let limit = 2_048
    /// How far the BYE's CSeq is ahead of the CSeq that the call had when it was answered. The far end refuses a CSeq
    /// that was used already (RFC 3261 §12.2.2), and allows gaps. Each change of the call and each challenge uses one
    /// number. At one change per second this reserve lasts eighteen hours.
    static let reserve: UInt32 = 1 << 16

    private static let version = "1"

    let request: SIPRequest
    let realm: String?
    let hop: NextHop

    /// - Parameter realm: Nil for a call that the far end opened, in which no challenge is answered.
    /// - Returns: Nil if this phone cannot send to the far end.
    init?(_ dialog: Dialog, realm: String?) {
        guard let hop = NextHop(dialog.nextHop) else { return nil }
        var dialog = dialog
        let bye = dialog.request(.bye)
        // Display names are long and only for people, so they are left out.
        request = SIPRequest(
            .bye, bye.uri, from: NameAddress(dialog.local.uri, tag: dialog.local.tag),
            to: NameAddress(dialog.remote.uri, tag: dialog.remote.tag), callID: dialog.id.callID,
            sequence: dialog.localSequence + Self.reserve
        )
        .routed(bye.headers.lines(.route))
        self.realm = realm
        self.hop = hop
    }

    /// Reads the output of `text`, and rejects anything else.
    init(_ text: String) throws(SIPParseError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.limit else { throw SIPParseError(.tooLong(limit: Self.limit), at: Self.limit) }
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let first = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ", maxSplits: 1)
        guard first.first.map(String.init) == Self.version else { throw SIPParseError(.version, at: 0) }
        realm = first.count > 1 ? String(first[1]) : nil
        let message = Array(bytes[end...].dropFirst())
        guard case .request(let bye) = try SIPMessage(message.span), bye.method == .bye, bye.uri.sip?.headers == nil
        else { throw SIPParseError(.startLine, at: end) }
        let (local, sequence) = (try bye.headers.from, try bye.headers.cSeq)
        guard local.tag != nil else { throw SIPParseError(.missing, at: 0, in: .from) }
        // Each challenge increments the CSeq, so there must be room above it.
        guard sequence.method == .bye, sequence.number <= CSeq.maximum / 2 else {
            throw SIPParseError(.methodMismatch, at: 0, in: .cSeq)
        }
        request = SIPRequest(
            .bye, bye.uri, from: local, to: try bye.headers.to, callID: try bye.headers.callID,
            sequence: sequence.number
        )
        .routed(try bye.headers.routes.map(\.text))
        guard let hop = NextHop(try request.nextHop) else { throw SIPParseError(.scheme, at: 0) }
        self.hop = hop
    }

    /// Nil if it is too long to be stored. The far end decides how long its addresses are.
    var text: String? {
        let text =
            ([Self.version] + (realm.map { [$0] } ?? [])).joined(separator: " ") + "\n"
            + String(decoding: request.bytes, as: UTF8.self)
        return text.utf8.count <= Self.limit && realm?.contains(where: \.isNewline) != true ? text : nil
    }
}

extension SIPRequest {
    fileprivate func routed(_ routes: [String]) -> SIPRequest {
        var request = self
        for route in routes { request.headers.append(.route, route) }
        return request
    }
}
