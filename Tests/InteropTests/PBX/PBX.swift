import Bench
import Foundation
import Rig
import Testing

/// A private branch exchange of another make. `Scripts/interop` gets its place.
enum PBX: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case asterisk
    case freeswitch

    static var given: [PBX] { allCases.filter { $0.installation != nil } }
    static var isGiven: Bool { HostPair.isPossible && TestAuthority.isPossible && !given.isEmpty }
    static let need: Comment = "needs root and a PBX (Scripts/interop asterisk|freeswitch PATH)"

    var testDescription: String { rawValue }
    /// The protections that it supports for its users. FreeSWITCH offers DTLS with ICE only.
    var protections: [PBXProtection] {
        switch self {
        case .asterisk: PBXProtection.allCases
        case .freeswitch: [.clear, .sdes, .webrtc]
        }
    }
    /// Whether it sends the name of the far end after a transfer, too. FreeSWITCH sends only its number.
    var tellsNamesAfterTransfer: Bool { self == .asterisk }

    /// Its installation folder. Nil: none was given.
    var installation: String? {
        ProcessInfo.processInfo.environment["OFFHOOK_PBX_\(rawValue.uppercased())"]
    }

    /// Starts it on a host, in an empty folder.
    func start(_ setup: PBXSetup) throws -> any PBXServer {
        guard let installation else { throw PBXFailure(description: "no folder of \(self) was named") }
        return switch self {
        case .asterisk: try Asterisk(installation, setup)
        case .freeswitch: try FreeSWITCH(installation, setup)
        }
    }
}

struct PBXFailure: Error, CustomStringConvertible {
    let description: String
}

/// The protection of the voice of the server's users.
enum PBXProtection: String, CaseIterable, Sendable {
    case clear
    case sdes
    /// DTLS-SRTP at the address of the description, without ICE.
    case dtls
    /// DTLS-SRTP on a path that ICE found.
    case webrtc
    /// The same with a separate port for reports. The phone then works without ICE, and sends an offer without it.
    case twoPorts
}

/// A server's surroundings, and its settings for the users 101, 102 and 103.
struct PBXSetup {
    var folder: String
    /// Network namespace and address.
    var host: HostPair.Host
    var protection = PBXProtection.clear
    var authority: TestAuthority
    /// A WAV file of a voice message.
    var sound: String

    static let users = ["101", "102", "103"]
    static func password(of user: String) -> String { "word-of-\(user)" }
    static func name(of user: String) -> String { "User \(user)" }
    /// An echo.
    static let echo = "600"
    /// Parks a call; the caller comes back from the first orbit.
    static let parking = "700"
    static let firstOrbit = "701"
    /// The prefix of a ringing telephone's number for pick-up.
    static let pickup = "*8"
}

/// A running server.
protocol PBXServer: AnyObject {
    var version: String { get }
    /// Its log.
    var said: String { get }
    /// Runs a console command.
    @discardableResult func command(_ line: String) throws -> String
    /// Leaves a message in the box of a user.
    func leaveMessage(for user: String) throws
    /// Ends it like a power cut.
    func kill()
    /// Starts it again with its stored data.
    func startAgain() throws
    func stop()
}
