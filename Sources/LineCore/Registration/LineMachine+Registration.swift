import Base
import SIPCore

/// Carries inputs and effects to and from `Registration`.
extension LineMachine {
    mutating func handle(_ effects: [Registration.Effect], at now: Instant) {
        for effect in effects {
            switch effect {
            case .locate(let number):
                // A request of this flow that still waits for its hop will use the flow that is found.
                guard !routing.waits({ $0.registers(number) }) else { continue }
                send(.register(number), to: configuration.account?.server, at: now)
            case .abandon(let number): abandon(.register(number))
            case .abandonLeaving(let number): abandon(.unregister(number))
            case .register(let request, let number, let flow): send(request, .register(number), over: flow, at: now)
            case .unregister(let request, let number, let flow):
                send(request, .unregister(number), over: flow, at: now)
            case .keepAlive(let bytes, let flow): outputs.append(.send(bytes, flow))
            case .options(let request, let number, let flow): send(request, .options(number), over: flow, at: now)
            case .died(let flow):
                routing.failed(flow, at: now)
                outputs.append(.abandon(flow))
                handle(layer.transportFailed(flow, at: now), at: now)
            case .moved(let flow):
                if !registration.living.isEmpty { handle(subscriptions.move(from: flow, in: &context), at: now) }
            case .forgetRoutes: routing.forget()
            case .state(let state):
                outputs.append(.event(.registration(configuration.id, state)))
                subscribe(in: state, at: now)
            case .left(let successor): become(successor, at: now)
            }
        }
    }

    /// - Parameter why: Nil: the server's address was not found.
    mutating func registrationFailed(_ number: RegisteredFlow.Number, otherwise why: String?, at now: Instant) {
        let sentence = fault ?? why ?? "the server's address was not found"
        handle(registration.unreachable(number, sentence, isFound: why != nil, in: &context, at: now), at: now)
    }

    /// Switches to the new credentials, because the server has removed our bindings. Calls that are up keep their
    /// identity.
    private mutating func become(_ successor: AccountCredentials?, at now: Instant) {
        if let successor {
            context.take(successor)
            authentication.change(to: configuration, exceptIn: legs.keys)
        }
        handle(registration.become(context.makeRegistrant(), in: &context), at: now)
    }
}

extension Registration {
    /// What the line must do for its registration.
    package enum Effect: Sendable {
        /// Locate the account's server, unless that is under way. `register(_:by:)` follows.
        case locate(RegisteredFlow.Number)
        /// Give up the outstanding requests of this flow.
        case abandon(RegisteredFlow.Number)
        case abandonLeaving(RegisteredFlow.Number)
        case register(SIPRequest, RegisteredFlow.Number, over: Flow)
        case unregister(SIPRequest, RegisteredFlow.Number, over: Flow)
        case keepAlive([UInt8], over: Flow)
        /// Ask the server for a sign of life (RFC 3261 §11).
        case options(SIPRequest, RegisteredFlow.Number, over: Flow)
        /// The flow is dead: what we send over it does not arrive, and no error reports that.
        case died(Flow)
        /// The server no longer reaches us over this flow.
        case moved(from: Flow)
        /// Forget known flows, because another network has other flows.
        case forgetRoutes
        case state(RegistrationState)
        /// The server has removed our bindings. The line takes these credentials, if any, and starts again.
        case left(AccountCredentials?)
    }
}
