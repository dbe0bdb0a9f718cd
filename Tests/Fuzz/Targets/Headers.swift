import SIPCore

/// Reads every header by every type that reads it somewhere. A readable value round-trips.
func readEverything(_ message: SIPMessage) {
    let headers = message.headers
    let isValid = (try? message.validate()) != nil
    for name in [SIPHeaderName.from, .to, .contact, .route, .recordRoute, .pAssertedIdentity, .referTo] {
        readAgain(try? headers.list(name, of: NameAddress.self))
    }
    for name in [SIPHeaderName.wwwAuthenticate, .proxyAuthenticate, .authorization, .proxyAuthorization] {
        readAgain(try? headers.list(name, of: Authentication.self))
    }
    for name in [SIPHeaderName.alertInfo, .callInfo, .event, .answerMode] {
        _ = try? headers.list(name, of: LooseValue.self)
    }
    for name in [SIPHeaderName.maxForwards, .expires, .minExpires, .retryAfter] {
        readAgain(try? headers.list(name, of: SIPNumber.self))
    }
    for name in [SIPHeaderName.allow, .supported, .require, .unsupported, .allowEvents] {
        _ = try? headers.tokens(name)
    }
    readAgain(try? headers.vias)
    readAgain(try? headers.reasons)
    readAgain((try? headers.cSeq).map { [$0] })
    readAgain((try? headers.contentType).map { [$0] })
    _ = try? headers.callID
    if isValid {
        // Validation reads shapes only; the values must agree with it.
        precondition((try? headers.topVia) != nil && (try? headers.from) != nil && (try? headers.to) != nil)
        precondition((try? headers.cSeq) != nil && (try? headers.callID) != nil)
    }
    for field in headers.fields {
        precondition(headers.contains(field.name) && headers.lines(field.name).contains(field.value))
    }
    if case .request(let request) = message {
        precondition((try? URI(request.uri.text)) == request.uri, "the URI is another one when it is written")
    }
}
