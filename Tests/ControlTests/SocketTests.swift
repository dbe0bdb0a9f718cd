import Control
import Glibc
import JSON
import PhoneCore
import Testing

@Suite struct SocketTests {
    private static func phone(_ path: String) -> TestPhone { TestPhone(ControlSettings(path: path)) }

    @Test func socketIsPrivateAndRemovedByItsOwner() throws {
        let place = Workplace()
        let phone = Self.phone(place.socket)
        try phone.start()
        let status = try #require(Workplace.status(of: place.socket))
        #expect(status.st_mode & S_IFMT == S_IFSOCK)
        #expect(status.st_mode & 0o777 == 0o600)
        let client = try phone.client()
        #expect(try client.call("ping")["version"] == "1.2.3")
        try phone.close()
        #expect(Workplace.status(of: place.socket) == nil)
        #expect(throws: ControlClientError.closed) { try client.call("ping") }
        #expect(throws: ControlClientError.self) { try phone.client() }
        try phone.end()
    }

    @Test func staleSocketIsReplaced() throws {
        let place = Workplace()
        _ = close(RawSocket.listener(path: place.socket))
        #expect(Workplace.status(of: place.socket) != nil)
        for _ in 0..<2 {
            let phone = Self.phone(place.socket)
            try phone.start()
            #expect(try phone.client().call("ping")["version"] == "1.2.3")
            // Ended without closing, as in a crash: the file stays.
            try phone.end()
            #expect(Workplace.status(of: place.socket) != nil)
        }
    }

    @Test func livePhoneIsNotReplaced() throws {
        let place = Workplace()
        let (first, second) = (Self.phone(place.socket), Self.phone(place.socket))
        try first.start()
        try second.start()
        #expect(second.reports.take() == .notOpen(.socket, .inUse(place.socket)))
        #expect(try first.client().call("ping")["version"] == "1.2.3")
        try first.close()
        // It retries automatically.
        #expect(second.reports.take() == .opened(.socket))
        #expect(try second.client().call("ping")["version"] == "1.2.3")
        try second.close()
        for phone in [first, second] { try phone.end() }
    }

    @Test func otherFileIsKept() throws {
        let place = Workplace()
        _ = unsafe close(creat(place.socket, 0o600))
        let phone = Self.phone(place.socket)
        try phone.start()
        #expect(phone.reports.take() == .notOpen(.socket, .notASocket(place.socket)))
        #expect(Workplace.status(of: place.socket) != nil)
        try phone.close()
        try phone.end()
    }

    @Test func foreignSocketIsNotRemoved() throws {
        let place = Workplace()
        let phone = Self.phone(place.socket)
        try phone.start()
        _ = unsafe rename(place.socket, "\(place.path)/other")
        let listener = RawSocket.listener(path: place.socket)
        try phone.close()
        #expect(Workplace.status(of: place.socket) != nil)
        _ = close(listener)
        try phone.end()
    }

    @Test func impossiblePathsAreNamed() throws {
        let long = "/tmp/" + String(repeating: "x", count: 103)
        let tooLong = Self.phone(long)
        try tooLong.start()
        #expect(tooLong.reports.take() == .notOpen(.socket, .pathTooLong(long, limit: 107)))
        let nowhere = Self.phone("/tmp/no-such-folder/phone")
        try nowhere.start()
        let missing = ControlError.system(call: "bind", path: "/tmp/no-such-folder/phone", errno: ENOENT)
        #expect(nowhere.reports.take() == .notOpen(.socket, missing))
        for phone in [tooLong, nowhere] {
            try phone.close()
            try phone.end()
        }
        let message = ControlError.system(call: "bind", path: "/p", errno: ENOENT).description
        #expect(message == "control socket /p: bind: No such file or directory")
    }

    @Test func socketCanBeReopened() throws {
        let place = Workplace()
        let phone = Self.phone(place.socket)
        for _ in 0..<3 {
            try phone.start()
            #expect(try phone.client().call("ping")["version"] == "1.2.3")
            try phone.close()
        }
        try phone.close()
        try phone.end()
    }
}
