import SIPCore

/// The headers of SIP's extensions, and bodies inside of bodies.
func readExtensions(_ message: SIPMessage) {
    let headers = message.headers
    readAgain((try? headers.sessionExpires).map { [$0] })
    readAgain((try? headers.minSE).map { [$0] })
    readAgain((try? headers.rSeq).map { [$0] })
    readAgain((try? headers.rAck).map { [$0] })
    readAgain((try? headers.replaces).map { [$0] })
    readAgain((try? headers.targetDialog).map { [$0] })
    readAgain((try? headers.event).map { [$0] })
    readAgain((try? headers.retryAfter).map { [$0] })
    readAgain((try? headers.date).map { [$0] })
    readAgain((try? headers.referSub).map { [$0] })
    readAgain((try? headers.answerMode).map { [$0] })
    readAgain(try? headers.warnings)
    readAgain(try? headers.remoteParties)
    readAgain(try? headers.history)
    readAgain(try? headers.diversions)
    readAgain(try? headers.serviceRoutes)
    readAgain(try? headers.path)
    readAgain((try? headers.referredBy).map { [$0] })
    for type in [MediaType.sdp, .sipFragment] {
        switch message {
        case .request(let request): _ = try? request.body(of: type)
        case .response(let response): _ = try? response.body(of: type)
        }
    }
    if let type = try? headers.contentType { _ = try? MultipartBody(message.body, type) }
    _ = try? SIPFragment(message.body)
}

/// A readable value round-trips.
func readAgain<Value: SIPHeaderValue>(_ values: [Value]?) {
    for value in values ?? [] {
        var headers = SIPHeaders()
        headers.append(.contact, value.text)
        let back = (try? headers.first(.contact, as: Value.self)) ?? nil
        precondition(back != nil, "written, and cannot be read: \(Value.self) \(value.text)")
    }
}
