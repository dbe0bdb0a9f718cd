import Control
import ControlReference
import Foundation
import PhoneCore
import Testing

/// What the documentation says of the interface is what the interface does.
@Suite struct ReferenceTests {
    private static func document(_ name: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("docs/\(name)"), encoding: .utf8)
    }

    @Test("swift run -c release offhook-reference writes docs/control.md's tables and docs/openrpc.json")
    func theDocumentsAreUpToDate() throws {
        let page = try Self.document("control.md")
        #expect(ControlReference.page(page) == page)
        #expect(try Self.document("openrpc.json") == ControlReference.openRPC)
    }

    @Test func everyMethodIsThereAndTakesNothingElse() throws {
        try TestPhone.run(manner: .shows(TextTests.snapshot)) { phone in
            let client = try phone.client()
            for method in MethodName.allCases {
                #expect("\(method)") { try client.call(method.rawValue, ["noSuchParameter": 1]) } throws: {
                    RefusalTests.code(of: $0) == "invalidParams"
                }
                guard !method.reference.parameters.contains(where: \.isRequired), method != .transfer else { continue }
                _ = try client.call(method.rawValue)
            }
        }
    }

    @Test func aRequiredParameterIsRequired() throws {
        try TestPhone.run { phone in
            let client = try phone.client()
            for method in MethodName.allCases where method.reference.parameters.contains(where: \.isRequired) {
                #expect("\(method)") { try client.call(method.rawValue) } throws: {
                    RefusalTests.code(of: $0) == "invalidParams"
                }
            }
        }
    }

    @Test func anEventHasTheFieldsThatItsReferenceSays() throws {
        let told = try EventTests.events(NoticeTests.rows.map(\.notice))
        #expect(told.count > 40)
        for event in told {
            let reference = try #require(EventName(rawValue: event.name)?.reference, "\(event.name)")
            let fields = Set(event.fields.keys)
            #expect(fields.isSuperset(of: reference.fields), "\(event)")
            #expect(fields.isSubset(of: reference.fields + reference.more), "\(event)")
        }
    }

    @Test func theInterfaceDescribesItself() throws {
        try TestPhone.run { phone in
            let document = try phone.client().call("rpc.discover")
            #expect(document["openrpc"] == "1.3.2" && document["info"]?["version"] == "1.2.3")
            let names = document["methods"]?.array?.compactMap { $0["name"]?.string }
            #expect(names == MethodName.allCases.map(\.rawValue))
        }
    }

    @Test func thePhoneHasAName() throws {
        try TestPhone.run { phone in
            let client = try phone.client()
            let (name, token) = (try client.call("getDeviceId"), try client.call("getPushToken"))
            #expect(name == ["deviceId": "urn:uuid:1"] && token == ["pushToken": "none"])
        }
    }

    @Test func thePhoneIsConnectedWhileAnAccountIs() throws {
        let (one, two) = (AccountID(1), AccountID(2))
        let told = try EventTests.events([
            .registrationChanged(one, .registering), .registrationChanged(one, .registered),
            .registrationChanged(two, .registered), .registrationChanged(one, .failed("no")),
            .registrationChanged(two, .registering), .registrationChanged(two, .registered),
        ])
        let names = told.map(\.name).filter { $0 != "registrationChanged" }
        #expect(names == ["connected", "disconnected", "connected"])
        #expect(told[2].name == "connected", "behind the registration")
    }
}
