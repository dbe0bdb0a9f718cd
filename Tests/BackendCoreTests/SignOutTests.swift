import BackendCore
import Base
import JSON
import Testing

/// Sign-out: deleted at the backend within seconds, and here in any case.
@Suite struct SignOutTests {
    private static let path = Phone.devices + "/dt-3"

    /// Expects that everything is gone, and that the person knows it.
    private func expectSignedOut(_ phone: Phone, isDeleted: Bool) {
        #expect(phone.notices.last == .signedOut(isDeleted: isDeleted))
        #expect(phone.effects.contains(.wipe))
        #expect(phone.kept == BackendState(deviceID: "urn:uuid:phone"), "only the phone's own name is left")
        #expect(phone.machine.deadline == nil && phone.open.isEmpty)
    }

    @Test func phoneIsDeletedAtTheBackend() throws {
        var phone = try Phone.signedIn()
        phone.post(.signOut)
        #expect(phone.kept?.registration?.isEnding == true && !phone.effects.contains(.wipe))
        let request = try phone.request(Self.path)
        #expect(request.method == .delete && request.bearer?.reveal() == Phone.access)
        try phone.answer(Self.path, 204)
        expectSignedOut(phone, isDeleted: true)
    }

    @Test func silentBackendDoesNotKeepTheSecrets() throws {
        var phone = try Phone.signedIn()
        phone.post(.signOut)
        phone.run(for: .milliseconds(4_999))
        #expect(!phone.effects.contains(.wipe))
        phone.run(for: .milliseconds(1))
        expectSignedOut(phone, isDeleted: false)
    }

    @Test func unreachableBackendDoesNotKeepTheSecrets() throws {
        var phone = try Phone.signedIn()
        phone.now = phone.now + .seconds(1_000)
        phone.post(.signOut)
        try phone.fail(Phone.accessPath)
        expectSignedOut(phone, isDeleted: false)
    }

    @Test(arguments: [(404, true), (500, false), (403, false)]) func anyAnswerEndsIt(
        _ status: Int, _ isDeleted: Bool
    ) throws {
        var phone = try Phone.signedIn()
        phone.post(.signOut)
        try phone.answer(Self.path, status)
        expectSignedOut(phone, isDeleted: isDeleted)
    }

    /// The backend has ended the device token already.
    @Test func revokedPhoneSignsOut() throws {
        var phone = try Phone.signedIn()
        phone.post(.signOut)
        try phone.answer(Self.path, 401)
        try phone.answer(Phone.accessPath, 401)
        expectSignedOut(phone, isDeleted: true)
        #expect(!phone.notices.contains(.signInNeeded(.deviceTokenRefused)))
    }

    /// A power cut in between must not leave the phone signed in.
    @Test func interruptedSignOutGoesOnAfterARestart() throws {
        var phone = try Phone.signedIn()
        phone.post(.signOut)
        let state = phone.kept
        phone = try Phone.restored(state, seed: 4)
        try phone.answer(Phone.accessPath, 200, Phone.grant())
        try phone.answer(Self.path, 204)
        expectSignedOut(phone, isDeleted: true)
    }

    @Test func everythingUnderWayEnds() throws {
        var phone = try Phone.signedIn()
        phone.post(.listOrganisations)
        phone.post(.switchOrganisation("42"))
        phone.post(.signIn)
        phone.clear()
        phone.post(.signOut)
        #expect(
            phone.notices == [
                .signInFailed(.cancelled), .organisationsFailed(.abandoned),
                .switchFailed(.abandoned, target: "42"),
            ])
        #expect(phone.open.map { Phone.path($0.request) } == [Self.path])
        phone.post(.switchOrganisation("42"))
        #expect(phone.notices.last == .switchFailed(.signInNeeded, target: "42"))
        phone.post(.signIn)
        #expect(phone.notices.last == .signInFailed(.cancelled))
        phone.post(.signOut)
        #expect(phone.asked[Self.path] == 1)
    }

    @Test func signedOutPhoneWipesToo() throws {
        var phone = try Phone.restored()
        phone.post(.signOut)
        #expect(phone.notices == [.signedOut(isDeleted: false)] && phone.effects.contains(.wipe))
    }
}
