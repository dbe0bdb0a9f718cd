import Base
import Glibc
import Platform

/// Asks the kernel for the state of the machine's network.
struct Surveyor: Sendable {
    /// The kernel writes no longer parts of a list.
    private static let bufferBytes = 32_768
    /// Parts of one answer; more would be no answer.
    private static let mostParts = 1_024

    private let socket: NetlinkSocket
    private var sequence: UInt32 = 0

    init() throws(SystemFailure) { socket = try NetlinkSocket(groups: NetlinkSocket.Groups.none) }

    mutating func look() throws(SystemFailure) -> NetworkSurvey {
        // Not kept: while the network rests, which it mostly does, it would be 32 kB for nothing.
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

    /// What sysfs says of a device (DEVTYPE); nil where it says nothing, or belongs to another network namespace.
    private static func device(_ name: String) -> String? {
        guard !name.isEmpty, !name.contains("/"), name != ".." else { return nil }
        var bytes = [UInt8](repeating: 0, count: 512)
        do throws(SystemFailure) {
            let file = try FileDescriptor("/sys/class/net/\(name)/uevent", O_RDONLY) { code in
                SystemFailure("sysfs does not know \(name)", code)
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
    /// Takes what one read gave.
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
