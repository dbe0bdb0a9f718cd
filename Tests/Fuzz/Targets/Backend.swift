import BackendCore
import Base
import Cryptography
import JSON

/// A phone and its backend, with up to 300 inputs, one in each line. The first letter says what happens; the rest is
/// the body of an answer, an ID token, or an argument.
func fuzzBackend(_ input: [UInt8]) {
    guard let base = try? BackendURL("https://backend.example") else { preconditionFailure("a valid address") }
    var life = FuzzedBackend(BackendSettings(base: base))
    for line in input.split(separator: UInt8(ascii: "\n")).prefix(300) { life.take(line) }
    life.end()
}

private struct FuzzedBackend {
    private static let statuses = [200, 201, 204, 304, 400, 401, 403, 404, 429, 500]

    private var machine: BackendMachine
    private var now = Instant.zero
    private var time: Int64 = 1_800_000_000
    private var open: [BackendRequestID] = []
    private var kept: BackendState?

    init(_ settings: BackendSettings) {
        machine = BackendMachine(settings, seed: 3)
        post(.restore(nil, fresh: "urn:uuid:fuzzed"))
    }

    mutating func take(_ line: ArraySlice<UInt8>) {
        guard let letter = line.first else { return }
        let rest = Array(line.dropFirst())
        let text = String(decoding: rest, as: UTF8.self)
        switch letter {
        case UInt8(ascii: "a"): answer(200, rest)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): answer(Self.statuses[Int(letter - UInt8(ascii: "0"))], rest)
        case UInt8(ascii: "f"): if !open.isEmpty { post(.failed(open.removeFirst(), .network(text))) }
        case UInt8(ascii: "z"): if !open.isEmpty { open.append(open.removeFirst()) }
        case UInt8(ascii: "t"): token(text)
        case UInt8(ascii: "i"): token(Self.encoded(rest))
        case UInt8(ascii: "s"): post(.signIn)
        case UInt8(ascii: "c"): post(.cancelSignIn)
        case UInt8(ascii: "o"): post(.signOut)
        case UInt8(ascii: "l"): post(.listOrganisations)
        case UInt8(ascii: "w"): post(.switchOrganisation(text))
        case UInt8(ascii: "b"): post(.rolledBack(to: text))
        case UInt8(ascii: "r"): post(.renewCredentials)
        case UInt8(ascii: "p"): post(.pushRefused(text))
        case UInt8(ascii: "n"): post(.networkStirred)
        case UInt8(ascii: "d"): pass(to: machine.deadline ?? now)
        case UInt8(ascii: "k"): time = 1_800_000_000 + (Int64(text.prefix(12)) ?? -2_000_000_000)
        default: pass(to: now + .seconds(Int(letter)))
        }
    }

    mutating func end() {
        for _ in 0..<50 { if let due = machine.deadline { pass(to: due) } }
        post(.signOut)
        for _ in 0..<50 { if let due = machine.deadline { pass(to: due) } }
        precondition(machine.deadline == nil && machine.state?.registration == nil, "a sign-out without an end")
    }

    // MARK: The backend

    private mutating func answer(_ status: Int, _ body: [UInt8]) {
        guard !open.isEmpty else { return }
        post(.answered(open.removeFirst(), BackendResponse(status: status, body: body, etag: "\"e\"")))
    }

    /// Header, claims and signature, as a token has them. They are separated by `|`.
    private static func encoded(_ parts: [UInt8]) -> String {
        parts.split(separator: UInt8(ascii: "|"), maxSplits: 2, omittingEmptySubsequences: false)
            .map { Base64URL.encode($0) }.joined(separator: ".")
    }

    private mutating func token(_ token: String) {
        let tokens: JSONValue = [
            "access_token": "a", "refresh_token": "r", "token_type": "bearer", "id_token": .string(token),
        ]
        answer(200, tokens.utf8)
    }

    // MARK: Running

    private mutating func pass(to due: Instant) {
        time += (due - now).nanoseconds / 1_000_000_000
        now = max(now, due)
        post(.deadline)
    }

    private mutating func post(_ event: BackendMachine.Event) {
        let effects = machine.handle(event, at: now, time: time)
        precondition(effects.count <= 40, "\(effects.count) effects at once")
        if let deadline = machine.deadline { precondition(deadline > now, "a deadline that has passed") }
        for effect in effects {
            switch effect {
            case .send(let id, let request):
                precondition(request.timeout > .zero, "a request without time")
                precondition(request.url.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a header in an address")
                open.append(id)
            case .cancel(let id): open.removeAll { $0 == id }
            case .keep(let state): judge(state)
            case .tell(let notice): judge(notice)
            case .verify(let id, let signature): post(.verified(id, Self.isGenuine(signature)))
            case .wipe: break
            }
        }
        precondition(open.count <= 10, "\(open.count) requests at once")
    }

    /// The same key and signature also reach OpenSSL.
    private static func isGenuine(_ signature: BackendSignature) -> Bool {
        switch signature.key {
        case .rsa(let modulus, let exponent):
            _ = SignatureKey.rsa(modulus: modulus, exponent: exponent).verifies(
                signature.signature, of: signature.signed)
        case .p256(let x, let y):
            _ = SignatureKey.p256(x: x, y: y).verifies(signature.signature, of: signature.signed)
        }
        // Otherwise nothing after the signature is ever reached.
        return signature.signature.count != 1
    }

    private mutating func judge(_ state: BackendState) {
        let read = try? BackendState(secretText: state.secretText)
        precondition(read == state, "kept, and not read")
        kept = state
    }

    private func judge(_ notice: BackendNotice) {
        switch notice {
        case .signInFailed(let failure): precondition(failure.sentence.utf8.count < 2_048, "a sentence without an end")
        case .switchFailed(let failure, _), .organisationsFailed(let failure), .credentialsNotRenewed(let failure),
            .pushNotRegistered(let failure), .credentialsExpiring(_, let failure):
            precondition(failure.sentence.utf8.count < 2_048 + 65_536, "a sentence without an end")
        case .signInCode(let code):
            precondition(code.address.lowercased().hasPrefix("http"), "an address for a person")
        case .organisations(let list, _): precondition(list.count <= BackendLimits.organisations)
        case .signInWaitsForTime, .signedIn, .signInNeeded, .signedOut, .switched, .credentialsRenewed,
            .pushRegistration:
            break
        }
    }
}
