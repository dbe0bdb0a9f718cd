import Base
import JSON

/// An ID token, read but not yet believed (OpenID Connect Core 1.0 §2, RFC 7515 §3.1).
struct IDToken: Equatable, Sendable {
    let algorithm: IDTokenAlgorithm
    let keyID: String?
    let signed: [UInt8]
    let signature: [UInt8]
    let claims: Claims

    struct Claims: Equatable, Sendable {
        let issuer: String
        let audiences: [String]
        let authorisedParty: String?
        let subject: String
        let issuedAt: Int64
        let expiresAt: Int64
        let name: String?
        let email: String?
    }

    init(_ text: String) throws(IDTokenFault) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= BackendLimits.idTokenBytes else { throw .malformed(.init("id_token", .tooLong)) }
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw .malformed(.init("id_token", .characters)) }
        (algorithm, keyID) = try Self.readHeader(header)
        claims = try Self.readClaims(payload)
        signed = Array((parts[0] + "." + parts[1]).utf8)
        self.signature = signature
    }

    private static func readHeader(_ bytes: [UInt8]) throws(IDTokenFault) -> (IDTokenAlgorithm, String?) {
        let (name, isCritical, keyID): (String, Bool, String?)
        do throws(BackendParseFault) {
            let reader = try AnswerReader(bytes)
            name = reader.value("alg")?.string ?? ""
            isCritical = reader.value("crit") != nil
            keyID = try reader.visibleIfAny("kid", bytes: BackendLimits.fieldBytes)
        } catch {
            throw .malformed(error.inside("id_token.header"))
        }
        guard let algorithm = IDTokenAlgorithm(rawValue: name) else { throw .algorithm(name.shown(bytes: 16)) }
        guard !isCritical else { throw .criticalHeader }
        return (algorithm, keyID)
    }

    private static func readClaims(_ bytes: [UInt8]) throws(IDTokenFault) -> Claims {
        do throws(BackendParseFault) {
            let reader = try AnswerReader(bytes)
            return Claims(
                issuer: try reader.visible("iss", bytes: BackendURL.longest), audiences: try readAudiences(reader),
                authorisedParty: try reader.visibleIfAny("azp", bytes: BackendLimits.fieldBytes),
                subject: try reader.visible("sub", bytes: BackendLimits.subjectBytes),
                issuedAt: try reader.numericDate("iat"), expiresAt: try reader.numericDate("exp"),
                name: try reader.shownIfAny("name"),
                email: try reader.shownIfAny("email", bytes: BackendLimits.emailBytes))
        } catch {
            throw .malformed(error.inside("id_token"))
        }
    }

    /// `aud` is a text or an array of texts (RFC 7519 §4.1.3).
    private static func readAudiences(_ reader: AnswerReader) throws(BackendParseFault) -> [String] {
        switch reader.value("aud") {
        case nil: throw reader.fault("aud", .missing)
        case .string(let one): return [one]
        case .array(let elements):
            guard elements.count <= 16 else { throw reader.fault("aud", .tooMany) }
            let audiences = elements.compactMap(\.string)
            guard audiences.count == elements.count else { throw reader.fault("aud", .wrongType) }
            return audiences
        case .null, .bool, .integer, .number, .object: throw reader.fault("aud", .wrongType)
        }
    }
}

extension IDToken.Claims {
    /// Judges the claims (OpenID Connect Core 1.0 §3.1.3.7). The signature is judged apart.
    ///
    /// A device grant sends no nonce, so a nonce proves nothing here. The token comes from the provider over TLS.
    /// - Parameters:
    ///   - issuer: As the discovery document names it.
    ///   - time: This machine's time, in seconds since 1970.
    func judge(issuer expected: String, clientID: String, time: Int64) throws(IDTokenFault) {
        guard issuer == expected else { throw .issuer(issuer) }
        guard audiences.contains(clientID), authorisedParty ?? clientID == clientID,
            audiences.count == 1 || authorisedParty != nil
        else { throw .audience }
        guard issuedAt <= time + BackendLimits.clockSkew else { throw .notYetValid(seconds: issuedAt - time) }
        guard time < expiresAt + BackendLimits.clockSkew else { throw .expired(seconds: time - expiresAt) }
        guard expiresAt > issuedAt else { throw .malformed(BackendParseFault("id_token.exp", .outOfRange)) }
    }

    var person: BackendPerson { BackendPerson(subject: subject, name: name, email: email) }
}

extension BackendParseFault {
    /// The same fault of a value that is part of another one.
    func inside(_ place: String) -> BackendParseFault {
        BackendParseFault(key.isEmpty ? place : place + "." + key, problem)
    }
}
