/// What a server says behind an answer that it took (RFC 7616 §3.5, RFC 7615 for proxies).
extension DigestAuthenticator {
    public enum ServerProof: Equatable, Sendable {
        /// It says nothing that can be checked.
        case none
        /// It knows the password too.
        case given
        /// It does not; or it computes otherwise than the RFC says, as some do. Nothing that it says is used.
        case wrong
    }

    /// Reads Authentication-Info and Proxy-Authentication-Info, and turns to the nonces that they name next.
    ///
    /// A wrong proof is no reason to leave: whoever has no password would rather leave the proof out.
    /// - Parameter request: The request that was answered, as it was sent.
    @discardableResult
    public mutating func receive(_ response: SIPResponse, to request: SIPRequest) -> ServerProof {
        let proofs = [false, true].map { isProxy in
            Info(response, isProxy: isProxy).map { take($0, response, to: request) } ?? .none
        }
        return proofs.contains(.wrong) ? .wrong : proofs.contains(.given) ? .given : .none
    }

    private struct Info {
        let value: AuthenticationInfo
        let isProxy: Bool

        /// Nil when there is none, or none that can be read: then nothing is said.
        init?(_ response: SIPResponse, isProxy: Bool) {
            do throws(SIPParseError) {
                let headers = response.headers
                guard let value = try isProxy ? headers.proxyAuthenticationInfo : headers.authenticationInfo
                else { return nil }
                (self.value, self.isProxy) = (value, isProxy)
            } catch {
                return nil
            }
        }
    }

    private mutating func take(_ info: Info, _ response: SIPResponse, to request: SIPRequest) -> ServerProof {
        let answers = answers(in: request, isProxy: info.isProxy)
        let believed: Int
        if let proof = info.value.responseDigest {
            let match = answers.first { answer in
                var use = answer.use
                (use.method, use.body) = ("", response.body)
                return credentials.proof(use, of: sessions[answer.session].challenge, hashes).equalsIgnoringCase(proof)
            }
            guard let match else { return .wrong }
            believed = match.session
        } else {
            // Of several realms, one that says nothing of itself could be any.
            guard let only = answers.first, answers.count == 1 else { return .none }
            believed = only.session
        }
        if let next = DigestChallenge.Echo("nextnonce", of: info.value.parameters) {
            sessions[believed].nonce = next
            sessions[believed].uses = 0
            sessions[believed].isTrusted = true
        }
        return info.value.responseDigest == nil ? .none : .given
    }

    /// The answers that a request carries to challenges which still count, by the place of their session.
    private func answers(in request: SIPRequest, isProxy: Bool) -> [(session: Int, use: DigestUse)] {
        let name: SIPHeaderName = isProxy ? .proxyAuthorization : .authorization
        let written: [Authentication]
        do throws(SIPParseError) { written = try request.headers.list(name) } catch { return [] }
        return sessions.indices.compactMap { index in
            let session = sessions[index]
            let answer = written.first { $0.answers(session) }
            guard session.challenge.isProxy == isProxy, let answer else { return nil }
            let use = DigestUse(
                method: request.method.name, uri: answer.parameters["uri"] ?? "", nonce: session.nonce.value,
                count: UInt32(answer.parameters["nc"] ?? "0", radix: 16) ?? 0, clientNonce: session.clientNonce)
            return (index, use)
        }
    }
}

extension Authentication {
    fileprivate func answers(_ session: DigestAuthenticator.Session) -> Bool {
        parameters["realm"] == session.challenge.realm && parameters["nonce"] == session.nonce.value
    }
}
