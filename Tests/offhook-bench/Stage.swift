import Base
import Bench
import Glibc
import Platform

/// Two phones on one machine, each with a separate folder, that know each other as servers.
final class Stage {
    static let bobsNumber = "102"

    let alice: RigPhone
    let bob: RigPhone

    /// - Parameter program: The phone's.
    init(program: String, folder: String, board: String, wire: String, packetMilliseconds: Int) throws {
        let place = try Self.place(folder, program: program, board: board, wire: wire)
        // Far from the ports of real phones, and from each other.
        let ports: (alice: UInt16, bob: UInt16) = (25_060, 25_070)
        func make(_ name: String, port: UInt16, far: UInt16, country: String, user: String) throws -> PhoneFolder {
            var settings = PhoneFolder.Settings(port: port, firstMediaPort: port + 100)
            settings.country = country
            settings.packetMilliseconds = packetMilliseconds
            let phone = try place.phoneFolder(name, settings)
            try phone.addAccount(
                program: place.program, label: "desk", user: user, server: "127.0.0.1:\(far)",
                more: ["--no-register", "--no-password", "--display-name", name])
            return phone
        }
        let first = try make("alice", port: ports.alice, far: ports.bob, country: "US", user: "101")
        let second = try make("bob", port: ports.bob, far: ports.alice, country: "GB", user: Self.bobsNumber)
        bob = try RigPhone(name: "bob", folder: second, program: place.program)
        alice = try RigPhone(name: "alice", folder: first, program: place.program)
    }

    /// Ends both programs, and reports whether they stopped properly and in time.
    func stop() -> CheckList { Self.stop([alice, bob]) }

    static func stop(_ phones: [RigPhone]) -> CheckList {
        var checks = CheckList()
        for phone in phones {
            let end = phone.process.stop()
            let politely = end.exit == .status(0) && end.took < .seconds(2)
            checks.expect(
                "\(phone.name) stops on SIGTERM", politely,
                "\(end.exit.map { "\($0)" } ?? "killed") after \(Int(end.took.milliseconds)) ms")
        }
        return checks
    }

    /// The folder of a rehearsal's phones.
    /// - Parameter program: The phone's.
    static func place(_ folder: String, program: String, board: String, wire: String) throws -> PhonePlace {
        try TextFile.makeFolder(folder)
        return try PhonePlace(
            path: absolute(folder), program: absolute(program), board: absolute(board), wire: absolute(wire))
    }

    /// A program in the folder of this one.
    static func beside(_ name: String) throws -> String {
        let own = try absolute("/proc/self/exe")
        return own[...(own.lastIndex(of: "/") ?? own.startIndex)] + name
    }

    static func absolute(_ path: String) throws -> String {
        guard let resolved = unsafe realpath(path, nil) else {
            throw SystemFailure(path, errno)
        }
        defer { unsafe free(UnsafeMutableRawPointer(resolved)) }
        return unsafe String(cString: resolved)
    }
}
