/// The server's own proof, which it sends after it accepted an answer (RFC 7616 §3.5, RFC 7615 for proxies).
extension DigestAuthenticator {
    public enum ServerProof: Equatable, Sendable {
        /// The server sent nothing that can be checked.
        case none
        /// The server proved that it knows the password.
        case given
        /// The proof is wrong. Either the server does not know the password, or it computes the proof differently from
        /// the RFC, as some servers do. Nothing in such a header is used.
        case wrong
    }

    /// Reads Authentication-Info and Proxy-Authentication-Info, and adopts the next nonces that they name.
    ///
    /// A wrong proof is no reason to stop: an attacker without the password would rather leave the proof out.
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

        /// Nil when the header is absent or cannot be read.
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
            // With several realms, a header without a proof could belong to any of them.
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

    /// The answers in a request to challenges that are still in use, each with the index of its session.
    private func answers(in request: SIPRequest, isProxy: Bool) -> [(session: Int, use: DigestUse)] {
        let name: SIPHeaderName = isProxy ? .proxyAuthorization : .authorization
        let written: [Authentication]
        do throws(SIPParseError) { written = try request.headers.wholeList(name) } catch { return [] }
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
