import SIPCore

/// The parsed content of a NOTIFY in our subscription (RFC 6665 §4.1.3).
struct Notification: Sendable {
    enum Content: Sendable {
        case none
        case calls(DialogInformation)
        /// The number of new voice messages.
        case messages(Int)
    }

    let state: SubscriptionState
    /// Its CSeq.
    let sequence: UInt32
    let content: Content

    /// - Throws: The response for the server, if its package or document does not match the subscription.
    init(_ request: SIPRequest, about target: SubscriptionTarget) throws(RequestRefusal) {
        let event: SIPEvent
        do throws(SIPParseError) {
            event = try request.headers.required(.event)
            state = try request.headers.stateOfSubscription
            sequence = try request.headers.cSeq.number
        } catch {
            throw RequestRefusal(.badRequest)
        }
        guard event.package.lowercased() == target.package else { throw .badEvent(allowing: [target.package]) }
        content = try Self.content(of: request, about: target)
    }

    private static func content(
        of request: SIPRequest, about target: SubscriptionTarget
    ) throws(RequestRefusal) -> Content {
        guard !request.body.isEmpty else { return .none }
        switch target {
        case .number:
            // The content shows what a general type leaves open.
            let type = (try? request.headers.contentType)?.name ?? target.mediaType
            guard [target.mediaType, "application/xml", "text/xml"].contains(type) else {
                throw .unsupportedMediaType(accepting: [target.mediaType])
            }
            guard let information = DialogInformation(request.body) else { throw RequestRefusal(.badRequest) }
            return .calls(information)
        case .messages:
            return .messages(try MessageSummary(in: request).newVoiceMessages)
        }
    }
}

extension SIPHeaders {
    /// The state in a NOTIFY. Subscription-State is mandatory (RFC 6665 §4.1.3), but servers of older drafts omit it.
    /// Then the subscription is active, unless Expires is 0.
    var stateOfSubscription: SubscriptionState {
        get throws(SIPParseError) {
            if let state = try subscriptionState { return state }
            let seconds = try? expires
            return SubscriptionState(seconds == 0 ? .terminated : .active, expires: seconds)
        }
    }
}
