extension SIPRequest {
    /// The ACK of a failure. It belongs to the INVITE's transaction and has its branch and route (RFC 3261 §17.1.1.3).
    public func acknowledgement(of response: SIPResponse) -> SIPRequest {
        var ack = sameHop(.ack)
        ack.headers[.to] = response.headers[.to] ?? headers[.to]
        return ack
    }

    /// The CANCEL of this request, which must have its Via (RFC 3261 §9.1).
    public func cancellation(because reason: Reason? = nil) -> SIPRequest {
        var cancel = sameHop(.cancel)
        if let reason { cancel.headers.append(.reason, reason) }
        return cancel
    }

    private func sameHop(_ method: SIPMethod) -> SIPRequest {
        var request = SIPRequest(method, uri)
        request.headers[.via] = headers[.via]
        for name in [SIPHeaderName.maxForwards, .route, .from, .to, .callID] {
            request.headers.copy(name, from: headers)
        }
        let sequence = headers[.cSeq]?.prefix { $0 != " " } ?? "0"
        request.headers[.cSeq] = "\(sequence) \(method)"
        return request
    }
}
