import Base
import Glibc
import Platform

/// Reads the state of the machine's network from the kernel.
struct Surveyor: Sendable {
    /// The kernel writes lists in parts of at most this length.
    private static let bufferBytes = 32_768
    /// The most parts of one answer.
    private static let mostParts = 1_024

    private let socket: NetlinkSocket
    private var sequence: UInt32 = 0

    init() throws(SystemFailure) { socket = try NetlinkSocket(groups: NetlinkSocket.Groups.none) }

    mutating func look() throws(SystemFailure) -> NetworkSurvey {
        // The buffer is not kept: 32 kB would lie idle while the network does not change.
        var buffer = [UInt8](repeating: 0, count: Self.bufferBytes)
        var survey = NetworkSurvey()
        try ask(.links, with: &buffer, into: &survey)
        try ask(.addresses, with: &buffer, into: &survey)
        for destination in NetworkSurvey.questions { try ask(.route(to: destination), with: &buffer, into: &survey) }
        for index in survey.links.indices { survey.links[index].device = Self.device(survey.links[index].name) }
        return survey
    }

    private mutating func ask(
        _ request: NetlinkRequest, with buffer: inout [UInt8], into survey: inout NetworkSurvey
    ) throws(SystemFailure) {
        sequence &+= 1
        try socket.send(request.bytes(sequence: sequence))
        for _ in 0..<Self.mostParts {
            switch try socket.receive(into: &buffer, waits: true) {
            case .nothing: continue
            case .overflow, .empty: throw SystemFailure("the kernel does not answer about the network", ETIMEDOUT)
            case .bytes(let count):
                if survey.take(buffer.span.extracting(0..<count), answering: sequence, isList: request.isList) {
                    return
                }
            }
        }
    }

    /// The device type from sysfs (DEVTYPE). Nil without one, or if the device belongs to another network namespace.
    private static func device(_ name: String) -> String? {
        guard !name.isEmpty, !name.contains("/"), name != ".." else { return nil }
        var bytes = [UInt8](repeating: 0, count: 512)
        do throws(SystemFailure) {
            let file = try FileDescriptor("/sys/class/net/\(name)/uevent", O_RDONLY) { code in
                SystemFailure("sysfs has no \(name)", code)
            }
            let count = unsafe read(file.number, &bytes, bytes.count)
            let lines = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
            return lines.first { $0.hasPrefix("DEVTYPE=") }.map { String($0.dropFirst(8)) }
        } catch {
            return nil
        }
    }
}

extension NetworkSurvey {
    /// Takes the result of one read.
    /// - Returns: Whether the answer is complete.
    package mutating func take(_ bytes: Span<UInt8>, answering sequence: UInt32, isList: Bool) -> Bool {
        var isComplete = false
        for frame in NetlinkFrame.all(in: bytes) where frame.sequence == sequence {
            let message = NetlinkMessage(frame, in: bytes)
            take(message)
            switch message {
            case .done, .refused: isComplete = true
            case .link, .address, .route, .other: isComplete = isComplete || !isList
            }
        }
        return isComplete
    }
}

/// The kernel's report about the machine's network at one moment.
package struct NetworkSurvey: Equatable, Sendable {
    package var links: [NetworkLink] = []
    package var addresses: [NetworkAddress] = []
    /// The answers to `questions`: how the kernel would send to far destinations. Destinations without a route are
    /// absent.
    package var routes: [NetworkRoute] = []

    /// Destinations that stand for the rest of the world. Nothing is ever sent there. They are of the ranges for
    /// documentation (RFC 5737 §3, RFC 3849) and of the unique local addresses (RFC 4193). For the latter the kernel
    /// may choose another source than for global ones (RFC 6724 §5).
    package static let questions = ["192.0.2.1", "2001:db8::1", "fd00::1"].compactMap { IPAddress($0) }

    /// More than any machine has. The rest is ignored.
    private static let limit = 4_096

    package init() {}

    package mutating func take(_ message: NetlinkMessage) {
        switch message {
        case .link(let link): if links.count < Self.limit { links.append(link) }
        case .address(let address): if addresses.count < Self.limit { addresses.append(address) }
        case .route(let route): if routes.count < Self.limit { routes.append(route) }
        case .done, .refused, .other: break
        }
    }
}
