import Control
import ControlReference
import Foundation
import JSON
import PhoneCore
import Testing

/// The documentation of the interface matches its behaviour.
@Suite struct ReferenceTests {
    private static func document(_ name: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("docs/\(name)"), encoding: .utf8)
    }

    @Test("swift run -c release offhook-reference writes docs/control.md's tables and docs/openrpc.json")
    func referencesAreUpToDate() throws {
        let page = try Self.document("control.md")
        #expect(ControlReference.page(page) == page)
        #expect(try Self.document("openrpc.json") == ControlReference.openRPC)
    }

    @Test func everyMethodIsDocumentedAndStrict() throws {
        try TestPhone.run(manner: .shows(TextTests.snapshot)) { phone in
            let client = try phone.client()
            for method in MethodName.allCases {
                #expect("\(method)") { try client.call(method.rawValue, ["noSuchParameter": 1]) } throws: {
                    RefusalTests.code(of: $0) == "invalidParams"
                }
                // Each of these two needs one of two parameters.
                guard !method.reference.parameters.contains(where: \.isRequired),
                    ![.transfer, .addAccount].contains(method)
                else { continue }
                _ = try client.call(method.rawValue)
            }
        }
    }

    @Test func requiredParameterIsRequired() throws {
        try TestPhone.run { phone in
            let client = try phone.client()
            for method in MethodName.allCases where method.reference.parameters.contains(where: \.isRequired) {
                #expect("\(method)") { try client.call(method.rawValue) } throws: {
                    RefusalTests.code(of: $0) == "invalidParams"
                }
            }
        }
    }

    /// Each refusal is among those that the method's reference names.
    @Test func refusalsAreDocumented() throws {
        // Here the phone refuses that, too; otherwise it never does.
        let beginWithASnapshot: [MethodName] = [.getSetup, .planSetup, .restart, .reload]
        for (failure, code) in RefusalTests.failures {
            try TestPhone.run(hasPanel: false, manner: .fails(failure), vaultAnswer: nil) { phone in
                let client = try phone.client()
                for method in MethodName.allCases
                where !method.reference.parameters.contains(where: \.isRequired) && !beginWithASnapshot.contains(method)
                {
                    let words = (MethodName.commonErrors + method.errors).map(\.rawValue)
                    do {
                        _ = try client.call(method.rawValue)
                    } catch {
                        let told = try #require(RefusalTests.code(of: error), "\(method): \(error)")
                        #expect(words.contains(told), "\(method): \(told), expected \(code) at most")
                    }
                }
            }
        }
    }

    /// Programs that were written for an earlier version rely on the numbers.
    @Test func everyErrorWordHasNumberAndMeaning() throws {
        let page = try Self.document("control.md")
        for word in ErrorWord.allCases {
            #expect(!word.explanation.isEmpty)
            #expect(page.contains("| \(word.number.rawValue) | `\(word.rawValue)` | "), "\(word)")
            let isOfJSONRPC = word.number.rawValue < -32_099
            #expect(isOfJSONRPC == [.parseError, .invalidRequest, .methodNotFound, .invalidParams].contains(word))
        }
        let document = OpenRPC.document(version: "1")
        let described = document["components"]?["errors"]?.object ?? [:]
        #expect(Set(described.keys) == Set(ErrorWord.allCases.map(\.rawValue)))
        let named = (document["methods"]?.array ?? []).flatMap { $0["errors"]?.array ?? [] }
        let prefix = "#/components/errors/"
        for reference in named.compactMap({ $0["$ref"]?.string }) {
            #expect(reference.hasPrefix(prefix) && described[String(reference.dropFirst(prefix.count))] != nil)
        }
        #expect(named.count > 300)
    }

    @Test func eventHasDocumentedFields() throws {
        let told = try EventTests.events(NoticeTests.rows.map(\.notice))
        #expect(told.count > 40)
        for event in told {
            let reference = try #require(EventName(rawValue: event.name)?.reference, "\(event.name)")
            let fields = Set(event.fields.keys)
            #expect(fields.isSuperset(of: reference.fields), "\(event)")
            #expect(fields.isSubset(of: reference.fields + reference.more), "\(event)")
        }
    }

    @Test func interfaceDescribesItself() throws {
        try TestPhone.run { phone in
            let document = try phone.client().call("rpc.discover")
            #expect(document["openrpc"] == "1.3.2" && document["info"]?["version"] == "1.2.3")
            let names = document["methods"]?.array?.compactMap { $0["name"]?.string }
            #expect(names == MethodName.allCases.map(\.rawValue))
        }
    }

    @Test func phoneHasName() throws {
        try TestPhone.run { phone in
            let client = try phone.client()
            let (name, token) = (try client.call("getDeviceId"), try client.call("getPushToken"))
            #expect(name == ["deviceId": "urn:uuid:1"] && token == ["pushToken": "none"])
        }
    }

    @Test func phoneIsConnectedWhileAnAccountIs() throws {
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
