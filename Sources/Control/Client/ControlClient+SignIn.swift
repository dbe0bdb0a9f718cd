import Base
import JSON
import Platform

extension ControlClient {
    /// How a sign-in ended.
    public enum SignInEnd: Equatable, Sendable {
        /// Who signed in, for people.
        case signedIn(String)
        /// Why not, for people.
        case failed(String)
    }

    /// The phone waits so long for its backend.
    private static let longestAsking = Duration.seconds(40)
    /// A code lasts so long at most.
    private static let longestWait = Duration.seconds(3_660)

    /// Begins a sign-in, or joins the one that waits, and waits for its end.
    /// - Parameters:
    ///   - show: Gets the code, and each later code that replaces it.
    ///   - wait: Gets the reason if the phone can ask for a code only later.
    public func signIn(show: (JSONValue) throws -> Void, wait: (String) throws -> Void) throws -> SignInEnd {
        try subscribe()
        var code: JSONValue?
        do throws(ControlClientError) {
            code = try call("signIn", timeout: Self.longestAsking)
        } catch {
            guard case .refused("signInFailed", let message, let data) = error, data["reason"] == Self.waitsForTime
            else { throw error }
            try wait(message)
        }
        if let code { try show(code) }
        var shown = code?["code"]
        let end = MonotonicClock.now() + Self.longestWait
        while let event = try nextEvent(timeout: max(.zero, end - MonotonicClock.now())) {
            switch event.name {
            case "signInCode" where event.fields["code"] != shown:
                shown = event.fields["code"]
                try show(.object(event.fields))
            case "signedIn": return .signedIn(Self.user(event.fields))
            case "signInFailed" where event.fields["reason"] == Self.waitsForTime: continue
            case "signInFailed": return .failed(event.fields["message"]?.string ?? "the sign-in failed")
            default: continue
            }
        }
        return .failed("the phone has not reported the end of the sign-in")
    }

    private static let waitsForTime: JSONValue = "clockNotSet"

    private static func user(_ fields: [String: JSONValue]) -> String {
        let (name, email) = (fields["userName"]?.string, fields["email"]?.string)
        guard let name, let email else { return name ?? email ?? fields["subject"]?.string ?? "?" }
        return "\(name) <\(email)>"
    }

    /// Signs out. The phone waits for its backend, but not for ever.
    public func signOut() throws(ControlClientError) { _ = try call("signOut", timeout: Self.longestAsking) }

    /// The user's organisations, as the backend lists them.
    public func organizations() throws(ControlClientError) -> JSONValue {
        try call("getOrganizations", timeout: Self.longestAsking)
    }
}
