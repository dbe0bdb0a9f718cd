import Foundation
import Testing

/// The rules of the project that the compiler cannot check. `docs/dev/architecture.md` gives their reasons.
@Suite struct ProjectTests {
    private static let cores: Set = [
        "Telephony", "PhoneCore", "SIPCore", "SDPCore", "ICECore", "VertoCore", "BackendCore", "CallerInfoCore",
        "LineCore", "RTPCore", "SoundCore",
    ]
    private static let adapters: Set = [
        "Backend", "CallerInfo", "Control", "Lines", "Media", "Network", "Panel", "Programs", "Vault",
    ]

    /// Modules that may read the clock besides the adapters: the base of all modules, and the program.
    private static let clocked: Set = ["Platform", "Turns", "offhook"]

    /// Foreign modules that cores may import: none with a clock, a thread or a file.
    private static let allowedInCores: Set = ["Synchronization"]

    /// Files with `@unchecked Sendable`; each gives its reason beside it.
    private static let unchecked: Set = [
        "Sources/Base/SPSCRing.swift",
        "Sources/Base/SecretBytes.swift",
        "Sources/Cryptography/DTLS/DTLSContext.swift",
        "Sources/Cryptography/TLSContext.swift",
        "Sources/Media/Threads/ThreadQueue.swift",
        "Sources/Media/CallMedia.swift",
        "Sources/Media/Network/Keys.swift",
        "Sources/Media/Paging/PageMedia.swift",
        "Sources/Media/Receive/PacketRing.swift",
        "Sources/Media/Recording/Recording.swift",
        "Sources/Media/Devices/SoundStream.swift",
        "Sources/Vault/Database/Database.swift",
        "Sources/Vault/VaultWorker.swift",
    ]

    @Test func everyModuleIsKnown() throws {
        let imports = try Manifest.imports()
        #expect(imports["offhook"]?.contains("Media") == true && imports["LineCore"]?.contains("SIPCore") == true)
        for file in try Project.files(under: ["Sources"]) {
            #expect(imports[file.module] != nil, "\(file): Package.swift has no such module")
        }
    }

    @Test func modulesImportOnlyWhatTheManifestLists() throws {
        let imports = try Manifest.imports()
        let ours = Set(imports.keys).union(imports.values.joined())
        for file in try Project.files(under: ["Sources"]) {
            let allowed = imports[file.module] ?? []
            for module in file.imports where ours.contains(module) {
                #expect(allowed.contains(module), "\(file): \(file.module) must not import \(module)")
            }
            for module in file.imports where Self.cores.contains(file.module) && !ours.contains(module) {
                #expect(Self.allowedInCores.contains(module), "\(file): a core must not import \(module)")
            }
        }
    }

    @Test func shippedModulesDoNotImportFoundation() throws {
        for file in try Project.files(under: ["Sources"]) {
            for module in ["Foundation", "FoundationEssentials"] {
                #expect(!file.imports.contains(module), "\(file): use Base, JSON or Glibc; \(module) is 5 MB or more")
            }
        }
    }

    /// `Package.swift` switches off the import that every file would have (`shipped`).
    @Test func shippedModulesDoNotImportRegularExpressions() throws {
        for file in try Project.files(under: ["Sources"]) {
            for module in ["_StringProcessing", "RegexBuilder"] {
                #expect(!file.imports.contains(module), "\(file): use Base/Search.swift; \(module) is a megabyte")
            }
        }
    }

    @Test func filesAndFunctionsAreShort() throws {
        for file in try Project.files() {
            #expect(file.lines.count <= 500, "\(file): \(file.lines.count) lines; split it by idea")
            for function in FunctionLength.all(in: file) where function.lines > 60 {
                Issue.record("\(file):\(function.line): \(function.name) has \(function.lines) lines; 60 is the limit")
            }
        }
    }

    @Test func noGlobalStateOrForcedTry() throws {
        let banned = [
            "static var ": "state belongs to a value that somebody owns",
            ".shared": "pass the thing itself",
            "try!": "handle the error or let it be thrown",
            "as!": "match the type",
            "nonisolated(unsafe)": "share through a lock, an atomic or a ring",
        ]
        for file in try Project.files(under: ["Sources"]) {
            for (number, line) in file.code.enumerated() {
                for (word, advice) in banned where line.contains(word) && !Self.isComputed(line) {
                    Issue.record("\(file):\(number + 1): \(word): \(advice)")
                }
            }
        }
    }

    @Test func onlyAdaptersAndProgramReadClocksOrSleep() throws {
        let banned = [
            "Date()", "ContinuousClock", "SuspendingClock", "clock_gettime", "Task.sleep", "usleep", "Thread.sleep",
        ]
        for file in try Project.files(under: ["Sources"]) where !Self.adapters.union(Self.clocked).contains(file.module)
        {
            for (number, line) in file.code.enumerated() {
                for word in banned where line.contains(word) {
                    Issue.record("\(file):\(number + 1): \(word) outside an adapter; time is an argument")
                }
            }
        }
    }

    @Test func coresHaveNoClassesActorsOrAsync() throws {
        for file in try Project.files(under: ["Sources"]) where Self.cores.contains(file.module) {
            for (number, line) in file.code.enumerated() {
                // A name in backticks is a name.
                let words = line.split(whereSeparator: { !$0.isLetter && $0 != "`" }).map(String.init)
                for word in ["class", "actor", "async", "await"] where words.contains(word) {
                    Issue.record("\(file):\(number + 1): \(word) in a core; a core is a value")
                }
            }
        }
    }

    @Test func uncheckedSendableIsListed() throws {
        for file in try Project.files(under: ["Sources"]) where !Self.unchecked.contains(file.path) {
            #expect(
                !file.code.contains { $0.contains("@unchecked") },
                "\(file): @unchecked Sendable needs a place in the list")
        }
    }

    @Test func threadsHaveRoles() throws {
        // The pool in which `Lines` queries DNS has a separate row in `ThreadRole.table`.
        for file in try Project.files(under: ["Sources"]) where file.path != "Sources/Lines/DNSClient.swift" {
            #expect(!file.code.contains { $0.contains("NIOThreadPool") }, "\(file): use NamedThread and a ThreadRole")
        }
    }

    @Test func everyTargetHasTests() throws {
        let tested = Set(try Project.files(under: ["Tests"]).map(\.module))
        let shared: Set = [
            "Base", "Platform", "Commands", "Cryptography", "HTTPClient", "JSON", "SecureTransport", "Turns", "YAML",
        ]
        for module in Self.cores.union(Self.adapters).union(shared) {
            #expect(tested.contains(module + "Tests"), "\(module) has no tests beside it")
        }
    }

    /// A time limit counts from the start of a test. The concurrent tests all start at once, and each waits for
    /// minutes until a thread is free. The listed modules and files are run separately (`Scripts/test`), or have a
    /// limit of an hour.
    @Test func concurrentTestsHaveNoTimeLimit() throws {
        let apart: Set = [
            "CallerInfoTests", "InteropTests", "LinesTests", "MediaTests", "ProgramTests", "HostStalls",
            "HostStallsTests",
        ]
        let files = ["/KernelTests.swift", "/FailingOperationTests.swift", "/PanelTests.swift", "/ProjectTests.swift"]
        for file in try Project.files(under: ["Tests"]) where !apart.contains(file.module) {
            guard !files.contains(where: file.path.hasSuffix) else { continue }
            for limit in ["imeLimit(", ".limit(minutes"] {
                #expect(!file.code.contains { $0.contains(limit) }, "\(file): this limit would count other tests")
            }
        }
    }

    /// A `static var` with a body on its own line is a computed property, not state.
    private static func isComputed(_ line: String) -> Bool {
        line.contains("static var ") && line.contains("{") && !line.contains("=")
    }
}
