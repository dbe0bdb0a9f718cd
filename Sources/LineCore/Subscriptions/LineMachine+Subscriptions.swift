import Base
import SIPCore

/// Carries the reports of the account's server on numbers and messages to and from `Subscriptions` and
/// `MessageWaiting`.
extension LineMachine {
    mutating func handle(_ effects: [Subscriptions.Effect], at now: Instant) {
        for effect in effects {
            switch effect {
            case .locate(let target): send(.subscribe(target), to: configuration.account?.server, at: now)
            case .abandon(let target):
                abandon(.subscribe(target))
                routing.giveUp { $0.isSubscribe(target) }
            case .send(let request, let target, let flow): send(request, .subscribe(target), over: flow, at: now)
            case .sendInDialog(let request, let dialog, let target):
                send(request, in: dialog, .subscribe(target), at: now)
            case .watched(let number, let state):
                let watched = WatchedNumber(number, account: configuration.id)
                outputs.append(.event(.watched(watched, state)))
            case .messagesWaiting(let count):
                outputs.append(.event(.messagesWaiting(configuration.id, count)))
            }
        }
    }

    /// Begins the subscriptions when the line is registered, or when it need not register.
    mutating func subscribe(in state: RegistrationState, at now: Instant) {
        switch state {
        case .registered, .notNeeded:
            guard configuration.account != nil, !isShuttingDown else { return }
            handle(subscriptions.begin(in: &context), at: now)
        case .registering, .disconnected: break
        case .failed: handle(subscriptions.suspend(), at: now)
        }
    }

    /// Handles a NOTIFY in our subscription. It counts only from the server, because an unknown source could switch our
    /// lamp on.
    mutating func notified(
        _ dialog: Dialog.ID, _ request: SIPRequest, _ id: ServerTransactionID, over flow: Flow, at now: Instant
    ) {
        guard isOwnServer(flow) else { return answer(request, .forbidden, id, at: now) }
        do throws(RequestRefusal) {
            let effects = try subscriptions.notified(dialog, request, in: &context, at: now)
            answer(request, .ok, id, at: now)
            handle(effects, at: now)
        } catch {
            answer(request, error, id, at: now)
            handle(subscriptions.refused(dialog, in: &context), at: now)
        }
    }

    /// Handles a NOTIFY in an unknown dialog. It may report waiting messages, in a subscription that the server created
    /// for us. Any other one belongs to an earlier process, and 481 ends its subscription (RFC 6665 §4.1.3).
    mutating func notifiedElsewhere(
        _ request: SIPRequest, _ id: ServerTransactionID, over flow: Flow, at now: Instant
    ) {
        let package = (try? request.headers.first(.event, as: LooseValue.self))?.word
        guard isOwnServer(flow), package == MessageSummary.package else {
            return answer(request, .callDoesNotExist, id, at: now)
        }
        notified(request, id, over: flow, at: now)
    }

    /// Handles an unsolicited NOTIFY.
    mutating func notified(_ request: SIPRequest, _ id: ServerTransactionID, over flow: Flow, at now: Instant) {
        guard isOwnServer(flow) else { return answer(request, .forbidden, id, at: now) }
        do throws(RequestRefusal) {
            let count = try messageWaiting.receive(request)
            answer(request, .ok, id, at: now)
            if let count { outputs.append(.event(.messagesWaiting(configuration.id, count))) }
        } catch {
            answer(request, error, id, at: now)
        }
    }

    /// Picks up the call that rings at a watched number. Our INVITE asks its caller to talk to us instead (RFC 5359
    /// §2.14).
    mutating func pickUp(_ id: CallID, _ number: String, _ media: MediaEndpoint, at now: Instant) {
        var headers = SIPHeaders()
        let address: String
        switch subscriptions.ringing(at: number) {
        case .named(let replaces, let caller):
            headers.set(.replaces, replaces)
            headers.set(.require, tokens: ["replaces"])
            address = caller ?? number
        case .code(let code): address = code
        case .unnamed: return ended(id, .pickupUnnamed, at: now)
        case nil: return ended(id, .invalidTarget, at: now)
        }
        let invitation = configuration.address(of: address).map {
            Leg.Invitation(targets: TargetSet($0), media: media, headers: headers)
        }
        beginInvite(id, invitation, at: now)
    }
}
