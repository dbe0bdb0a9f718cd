// swift-tools-version: 6.2
import PackageDescription

/// The flags of all our Swift targets: Swift 6, strict memory safety, warnings as errors.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // Swift 6.2 needs `@_lifetime` to know that writing into a span leaves it the same span. Swift 6.3 knows.
    .enableExperimentalFeature("Lifetimes"),
]

/// The same for tests of whole programs, which consist of system calls and prove nothing about memory.
let relaxed: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

/// The flags of the modules that ship.
let shipped: [SwiftSetting] =
    strict + [
        // `_StringProcessing` would bring the interpreter of regular expressions into the program: more than a megabyte.
        // `Base` has the searches that it would be used for (`Search.swift`).
        .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]),
        // A section for each function, which the linker can drop or merge (docs/dev/decisions/0020).
        .unsafeFlags(["-Xfrontend", "-function-sections"]),
    ]

/// Linker flags: drop unreachable code, merge functions of equal code (docs/dev/decisions/0020), export nothing (which
/// alone saves two megabytes), and pack relocations, which Debian 12's C library supports.
let lean = [
    "-use-ld=lld", "-Xlinker", "--gc-sections", "-Xlinker", "--icf=all", "-Xlinker", "--no-export-dynamic", "-Xlinker",
    "-z", "-Xlinker", "pack-relative-relocs",
]

/// The test modules to build, separated by commas; nil: all. `Scripts/test --filter` sets them from its filter.
let chosenTests = Context.environment["OFFHOOK_TESTS"]?.split(separator: ",").map(String.init)

/// With chosen tests, only changed files and their users are compiled. Compiling all files that way takes longer and
/// optimises less.
let byFile: [SwiftSetting] =
    chosenTests == nil
    ? [] : [.unsafeFlags(["-no-whole-module-optimization", "-enable-batch-mode", "-incremental"])]

/// In these modules the compiler proves functions free of locks (`@_noLocks`), or tests count allocations. Both need
/// the whole module.
let compiledWhole: Set = ["Base", "RTPCore", "SoundCore", "Media"]

/// The modules whose code runs for each packet or each quantum of sound are compiled for speed. All others are compiled
/// for size (docs/dev/decisions/0019).
let compiledForSpeed = compiledWhole.union(["Platform", "Telephony"])
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// A module and its allowed imports. `docs/dev/architecture.md` draws them. `ProjectTests` checks what the compiler
/// cannot.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: dependencies,
        swiftSettings: shipped + (compiledForSpeed.contains(name) ? [] : small)
            + (compiledWhole.contains(name) ? [] : byFile))
}

/// For tests, which are much code and little work: optimising them takes longer than running them. If the compiler
/// (6.3) reports that an instruction "does not dominate all uses", a span is made within an expectation; make it in a
/// separate function.
let unoptimised = [SwiftSetting.unsafeFlags(["-Onone", "-gnone"].flatMap { ["-Xfrontend", $0] })] + byFile

/// - Parameter isOptimised: for tests that calculate, or that count the allocations of specialised generic code.
func tests(
    _ module: String, _ more: [Target.Dependency] = [], settings: [SwiftSetting] = strict, isOptimised: Bool = false
) -> Target {
    .testTarget(
        name: module + "Tests", dependencies: [.byName(name: module)] + more,
        swiftSettings: settings + (isOptimised ? [] : unoptimised))
}

func library(_ name: String, pkgConfig: String, apt package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
]

/// The page's modules, which `CFrontPanel` embeds.
let frontPanelScripts = [
    "panel", "words", "setup-words", "link", "page", "bell", "phone", "keys", "ladder", "views", "cards", "setup",
    "setup-files", "setup-accounts", "backend", "fault-words", "health", "touch",
]

let package = Package(
    name: "offhook",
    products: [
        .executable(name: "offhook", targets: ["offhook"]),
        // An ALSA device made of a shared file, for machines without a sound card. ALSA requires this name.
        .library(name: "asound_module_pcm_wire", type: .dynamic, targets: ["Wire"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log.git", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2"),
        // No target uses these. swift-nio does, and would take any newer version of them.
        .package(url: "https://github.com/apple/swift-atomics.git", exact: "1.3.0"),
        .package(url: "https://github.com/apple/swift-collections.git", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-system.git", exact: "1.8.1"),
    ],
    targets: [
        module("Base"),
        // The parts of Linux that all adapters need: clock, wake-ups, threads, error texts.
        module("Platform", ["Base", "CProcess"]),

        // The only module with ciphers and TLS: the distribution's OpenSSL, as Swift types.
        module("Cryptography", ["Base", "Platform", "ICECore", "COpenSSL"]),

        // Shared by adapters that use TLS: its handler in a pipeline, and certificate files.
        module(
            "SecureTransport",
            [
                "Base", "Platform", "Cryptography", "SIPCore",
                .product(name: "NIOCore", package: "swift-nio"),
            ]),

        // Shared by adapters that ask web servers: libcurl on its own thread, loaded by the first request.
        module("HTTPClient", ["Base", "Platform", "Cryptography", "SecureTransport", "CCurl"]),

        // Shared by all that show a code to a camera: libqrencode, loaded by the first code.
        module("QRCode", ["CQRencode"]),

        // Limits the work of an adapter in one turn of the control loop.
        module("Turns", ["Base", "Platform"] + nio),

        // JSON texts as values, for the control interface and for lines that use JSON.
        module("JSON", ["Base"]),

        // The language of the phone, its lines and its media.
        module("Telephony", ["Base"]),

        // Cores: decisions without I/O.
        module("PhoneCore", ["Base", "Telephony"]),
        module("SIPCore", ["Base"]),
        module("ICECore", ["Base", "Telephony"]),
        module("SDPCore", ["Base", "Telephony", "ICECore"]),
        module("VertoCore", ["Base", "JSON", "Telephony"]),
        module("CallerInfoCore", ["Base", "JSON"]),
        module("BackendCore", ["Base", "JSON", "Telephony"]),
        module("LineCore", ["Base", "Telephony", "ICECore", "SIPCore", "SDPCore", "VertoCore"]),
        module("RTPCore", ["Base", "Telephony"]),
        module("SoundCore", ["Base"]),

        // Adapters: I/O.
        // Requests to the backend around `BackendCore`.
        module(
            "Backend",
            [
                "BackendCore", "Base", "Cryptography", "HTTPClient", "Platform",
                .product(name: "NIOCore", package: "swift-nio"),
            ]),
        module(
            "Control",
            [
                "Base", "Platform", "JSON", "PhoneCore", "Cryptography", "SecureTransport", "Turns", "CFrontPanel",
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ] + nio
        ),
        module(
            "Lines",
            [
                "Base", "Platform", "Telephony", "LineCore", "ICECore", "SIPCore", "SDPCore", "VertoCore",
                "CCares",
                "Cryptography", "SecureTransport", "Turns", .product(name: "NIOWebSocket", package: "swift-nio"),
            ] + nio
        ),
        module(
            "Media",
            [
                "Base", "Platform", "Telephony", "PhoneCore", "ICECore", "RTPCore", "SoundCore", "Cryptography",
                "CALSA",
                "CDatagram", "COpus", "CSRTP", "CSpeexDSP",
            ]),
        // The broker's messages about callers.
        module(
            "CallerInfo",
            [
                "Base", "Platform", "PhoneCore", "CallerInfoCore", "Cryptography", "SecureTransport", "CMosquitto",
                "CProcess",
            ]),
        // Links, addresses and routes from the kernel.
        module("Network", ["Base", "Platform", "PhoneCore"]),
        module("Panel", ["Base", "Platform", "PhoneCore", "QRCode", "YAML", "CGPIO", "CI2C"]),
        // Starts programs of the machine when events happen.
        module("Programs", ["Base", "Platform", "CProcess"]),
        module("Vault", ["Base", "Platform", "PhoneCore", "CSQLite", "Cryptography"]),

        // Not an adapter: writes and replays event logs.
        module("EventLog", ["Base", "JSON", "PhoneCore"]),
        // Not an adapter: the phone's metrics for Prometheus and its status text for systemd.
        module("Monitoring", ["Base", "PhoneCore"]),
        // Not an adapter: messages sent and received by lines, as a ladder and as a capture file.
        module("Trace", ["Base", "SIPCore"]),
        // Not an adapter: the language of our configuration files.
        module("YAML", ["Base", "Platform", "CYAML"]),
        // Not an adapter: the command line as a table.
        module("Commands", ["Base", "JSON"]),
        // C: module maps and thin shims.
        library("CCares", pkgConfig: "libcares", apt: "libc-ares-dev"),
        library("CALSA", pkgConfig: "alsa", apt: "libasound2-dev"),
        library("COpus", pkgConfig: "opus", apt: "libopus-dev"),
        library("CSpeexDSP", pkgConfig: "speexdsp", apt: "libspeexdsp-dev"),
        library("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
        library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        library("CYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev"),
        // Only declarations: the library is loaded when it is first used, by `Sources/CLoading/loading.h`.
        .systemLibrary(name: "CMosquitto"),
        .systemLibrary(name: "CCurl"),
        .systemLibrary(name: "CQRencode"),
        .target(name: "CI2C"),
        .target(name: "CGPIO", linkerSettings: [.linkedLibrary("gpiod")]),
        .target(name: "CProcess"),
        .target(name: "CDatagram"),
        // The front panel's page, embedded as bytes.
        .target(
            name: "CFrontPanel",
            exclude: ["panel.html", "panel.css", "manifest.webmanifest", "icon.png"]
                + frontPanelScripts.map { $0 + ".js" },
            cSettings: [.unsafeFlags(["-std=c23"])]),
        // More than a shim: libsrtp's ciphers, computed by OpenSSL (docs/dev/decisions/0010).
        .target(name: "CSRTP", linkerSettings: [.linkedLibrary("srtp2"), .linkedLibrary("crypto")]),

        .executableTarget(
            name: "offhook",
            dependencies: [
                "Base", "Platform", "CallerInfo", "CallerInfoCore", "Commands", "Cryptography", "JSON", "PhoneCore",
                "SIPCore", "SDPCore", "VertoCore", "LineCore", "SoundCore", "Backend",
                "BackendCore", "HTTPClient",
                "Control", "Lines", "Media", "Network", "Panel", "SecureTransport", "Vault", "YAML", "EventLog",
                "Monitoring",
                "Programs", "QRCode",
                "Trace", "Turns", "CProcess",
                .product(name: "Logging", package: "swift-log"),
            ] + nio,
            swiftSettings: shipped + small,
            linkerSettings: [.unsafeFlags(lean)]),

        tests("Base"),
        tests("Cryptography", ["Base", "COpenSSL", "Rig"], settings: relaxed),
        tests(
            "SecureTransport",
            [
                "Base", "Cryptography", "Rig", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ]),
        tests("HTTPClient", ["Base", "Bench", "HostStalls", "JSON", "Rig"], settings: relaxed),
        tests("Turns", ["Base", "Platform", .product(name: "NIOEmbedded", package: "swift-nio")] + nio),
        tests("JSON", ["Base"]),
        tests("QRCode", ["Base", "Bench", "Rig"]),
        tests("Telephony"),
        .testTarget(name: "PlatformTests", dependencies: ["Base", "Platform"], swiftSettings: relaxed),
        tests("PhoneCore", ["Base", "PhoneJudges"]),
        tests("SIPCore", ["Base", "Cryptography"]),
        tests("SDPCore", ["Base", "ICECore"]),
        tests("ICECore", ["Base", "Cryptography"], isOptimised: true),
        tests("VertoCore", ["Base", "JSON", "Telephony"]),
        tests("CallerInfoCore", ["Base", "JSON"]),
        tests(
            "CallerInfo",
            ["Base", "Bench", "CallerInfoCore", "HostStalls", "PhoneCore", "Rig", "SecureTransport"],
            settings: relaxed),
        tests("BackendCore", ["Base", "JSON", "Telephony"]),
        tests(
            "Backend", ["BackendCore", "Base", "Bench", "HTTPClient", "HostStalls", "JSON", "Platform", "Rig"] + nio,
            settings: relaxed),
        tests("LineCore", ["Base", "ICECore", "JSON", "SIPCore", "SDPCore", "VertoCore"]),
        tests("RTPCore", ["Base", "Comparison"]),
        tests("SoundCore", ["Base", "Comparison"], isOptimised: true),
        tests(
            "Control",
            [
                "Base", "Bench", "ControlReference", "Cryptography", "JSON", "PhoneCore", "QRCode", "Rig",
                "SecureTransport",
            ] + nio),
        tests(
            "Lines",
            [
                "Base", "Bench", "LineCore", "SIPCore", "SDPCore", "SecureTransport", "Telephony", "Trace", "Turns",
                "Rig",
                "Cryptography", "Network", .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOWebSocket", package: "swift-nio"),
            ] + nio),
        tests(
            "Media",
            [
                "Base", "Bench", "PhoneCore", "RTPCore", "SoundCore", "AllocationWatch", "Comparison", "COpus",
                "ReferenceWatch", "HostStalls",
                "COpenSSL", "Cryptography", "Rig",
            ],
            isOptimised: true),
        tests("Network", ["Base", "PhoneCore", "Rig"], settings: relaxed),
        tests("Panel", ["Base", "BoardReference", "HostStalls", "PhoneCore", "Platform", "QRCode", "YAML"]),
        tests("Vault", ["Base", "Bench", "Cryptography", "PhoneCore", "CSQLite", "VaultWriter"]),
        tests("YAML"),
        tests("Commands", ["Base", "JSON"]),
        .testTarget(
            name: "EventLogTests", dependencies: ["EventLog", "Base", "PhoneCore"], exclude: ["Fixtures"],
            swiftSettings: strict),
        tests("Monitoring", ["Base", "ControlReference", "PhoneCore"]),
        tests("Programs", ["Base"], settings: relaxed),
        tests("Trace", ["Base"]),
        tests("Bench", ["Base", "Control"]),

        // Rehearses calls and measures their sound: the phone's workbench, which does not ship.
        .target(
            name: "Bench", dependencies: ["Base", "Platform", "Control", "JSON", "Trace"], path: "Tests/Bench",
            swiftSettings: strict),
        .executableTarget(
            name: "offhook-bench",
            dependencies: ["Base", "Bench", "Commands", "Control", "JSON", "Platform", "SoundCore"],
            path: "Tests/offhook-bench", swiftSettings: strict),

        // Invariants of a phone, checked from outside.
        .target(
            name: "PhoneJudges", dependencies: ["Base", "PhoneCore"], path: "Tests/PhoneJudges", swiftSettings: strict),

        // Whole phones in simulated time, and the table of states: development tools and their libraries.
        .target(
            name: "Simulator",
            dependencies: [
                "Base", "CallerInfo", "CallerInfoCore", "JSON", "PhoneCore", "PhoneJudges", "SIPCore", "LineCore",
                "Panel", "YAML",
            ],
            path: "Tests/Simulator", swiftSettings: strict),
        .executableTarget(
            name: "offhook-sim", dependencies: ["Base", "Simulator"], path: "Tests/offhook-sim", swiftSettings: strict),
        .testTarget(
            name: "SimulationTests", dependencies: ["Base", "PhoneCore", "PhoneJudges", "Simulator"],
            swiftSettings: strict),
        .target(
            name: "StateAtlas", dependencies: ["Base", "PhoneCore"], path: "Tests/StateAtlas", swiftSettings: strict),
        .executableTarget(
            name: "offhook-states", dependencies: ["StateAtlas"], path: "Tests/offhook-states", swiftSettings: strict),
        tests("StateAtlas", ["Base", "PhoneCore"]),
        .target(
            name: "ControlReference", dependencies: ["Base", "Control", "JSON", "Monitoring", "PhoneCore"],
            path: "Tests/ControlReference", swiftSettings: strict),
        .target(
            name: "BoardReference", dependencies: ["Panel", "PhoneCore"], path: "Tests/BoardReference",
            swiftSettings: strict),
        // The reference of the configuration, from which docs/user/configuration is written.
        .target(
            name: "ConfigurationReference", dependencies: ["JSON"], path: "Tests/ConfigurationReference",
            swiftSettings: strict),
        .executableTarget(
            name: "offhook-reference",
            dependencies: ["BoardReference", "ConfigurationReference", "Control", "ControlReference", "JSON", "Panel"],
            path: "Tests/offhook-reference", swiftSettings: relaxed),

        // The base of the tests.
        .target(name: "Wire", path: "Tests/Wire", linkerSettings: [.linkedLibrary("asound")]),
        .target(name: "AllocationWatch", path: "Tests/AllocationWatch"),
        .target(name: "ReferenceWatch", dependencies: ["AllocationWatch"], path: "Tests/ReferenceWatch"),
        // The program of `Scripts/bench sip`.
        .executableTarget(
            name: "offhook-sipbench", dependencies: ["AllocationWatch", "Base", "LineCore", "SIPCore"],
            path: "Tests/offhook-sipbench", swiftSettings: relaxed),
        .executableTarget(
            name: "VaultWriter", dependencies: ["Base", "PhoneCore", "Vault"], path: "Tests/VaultWriter",
            swiftSettings: strict),
        .target(name: "Pinning", path: "Tests/Pinning"),
        // The targets of `Scripts/fuzz`, which a test also runs with the corpora.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "BackendCore", "Base", "COpenSSL", "CallerInfoCore", "Control", "Cryptography", "ICECore", "EventLog",
                "HTTPClient", "JSON",
                "LineCore", "Lines",
                "Media",
                "Network", "Panel", "PhoneCore", "RTPCore",
                "SDPCore",
                "SIPCore", "Telephony", "Vault", "VertoCore", "YAML", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ], path: "Tests/Fuzz/Targets", swiftSettings: relaxed),
        .testTarget(name: "FuzzTests", dependencies: ["Base", "EventLog", "FuzzTargets"], swiftSettings: relaxed),
        .target(name: "Comparison", path: "Tests/Comparison", swiftSettings: strict),
        // Distinguishes a failing phone from a stalled machine.
        .target(
            name: "HostStalls", dependencies: ["Base", "Bench", "Pinning"], path: "Tests/HostStalls",
            swiftSettings: relaxed),
        .testTarget(name: "HostStallsTests", dependencies: ["Base", "Bench", "HostStalls"], swiftSettings: relaxed),
        .target(
            name: "Rig", dependencies: ["Base", "Bench", "JSON", "SIPCore"], path: "Tests/Rig", swiftSettings: relaxed),

        // Tests of the whole program, and of the project itself.
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "Base", "Bench", "Comparison", "ConfigurationReference", "Control", "Cryptography", "FuzzTargets",
                "JSON", "Media", "Monitoring",
                "Panel", "PhoneCore",
                "SDPCore", "SIPCore", "SoundCore", "Rig", "HostStalls", "Vault", "offhook", "offhook-bench", "Wire",
                "YAML",
            ],
            swiftSettings: relaxed + unoptimised),
        .testTarget(
            name: "InteropTests",
            dependencies: [
                "Base", "Bench", "Control", "JSON", "Rig", "HostStalls", "SIPCore", "offhook", "offhook-bench",
                "Wire",
            ],
            swiftSettings: relaxed + unoptimised),
        // Tests of the command line, except calls.
        .testTarget(
            name: "CommandLineTests",
            dependencies: ["Base", "Bench", "Control", "ControlReference", "JSON", "Rig", "offhook"],
            swiftSettings: relaxed + unoptimised),
        .testTarget(name: "ProjectTests", swiftSettings: relaxed),
    ]
)

// It links only with libFuzzer, so it exists only for `Scripts/fuzz`.
if Context.environment["OFFHOOK_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Run",
            swiftSettings: relaxed + [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-use-ld=lld"])]))
}

if let chosenTests { package.targets.removeAll { $0.type == .test && !chosenTests.contains($0.name) } }
