// swift-tools-version: 6.2
import PackageDescription

/// The flags of every Swift target of ours: Swift 6, strict memory safety, no warning left standing.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // Swift 6.2 wants to be told, by `@_lifetime`, that what is written into a span leaves it the same span. From 6.3 on it
    // knows.
    .enableExperimentalFeature("Lifetimes"),
]

/// The same for tests of whole programs, which are full of system calls and prove nothing about memory.
let relaxed: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

/// How the program is linked: what is not reached is dropped, equal code is kept once, nothing is exported (that alone
/// keeps two megabytes out), and relocations are packed, which Debian 12's C library understands.
let lean = [
    "-use-ld=lld", "-Xlinker", "--gc-sections", "-Xlinker", "--icf=safe", "-Xlinker", "--no-export-dynamic", "-Xlinker",
    "-z", "-Xlinker", "pack-relative-relocs",
]

/// Only these modules of tests are built: `Scripts/test --filter` names those that its filter names, separated by commas.
let chosenTests = Context.environment["OFFHOOK_TESTS"]?.split(separator: ",").map(String.init)

/// Where tests are chosen, only those files are compiled that changed or use what changed. All files together take longer
/// that way, and are optimised less.
let byFile: [SwiftSetting] =
    chosenTests == nil
    ? [] : [.unsafeFlags(["-no-whole-module-optimization", "-enable-batch-mode", "-incremental"])]

/// In these the compiler proves functions free of locks (`@_noLocks`), or tests count allocations, for which it has to see the
/// whole module.
let compiledWhole: Set = ["Base", "RTPCore", "SoundCore", "Media"]

/// A module and what it may import. `docs/dev/architecture.md` draws them; `ProjectTests` checks the rest.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, swiftSettings: strict + (compiledWhole.contains(name) ? [] : byFile))
}

/// For tests, which are much code and little work: optimising them takes the compiler longer than they run. Where it says
/// that an instruction "does not dominate all uses" (6.3), a span is made within an expectation: a function of its own helps.
let unoptimised = [SwiftSetting.unsafeFlags(["-Onone", "-gnone"].flatMap { ["-Xfrontend", $0] })] + byFile

/// - Parameter isOptimised: for tests that calculate, or count the allocations of generic code, which is specialised for them.
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

/// The modules of the page in the browser, which `CFrontPanel` embeds.
let frontPanelScripts = [
    "panel", "words", "setup-words", "link", "page", "bell", "phone", "keys", "ladder", "views", "cards", "setup",
    "setup-files",
]

let package = Package(
    name: "offhook",
    products: [
        .executable(name: "offhook", targets: ["offhook"]),
        // An ALSA device made of a shared file, for machines without a sound card. ALSA expects this very name.
        .library(name: "asound_module_pcm_wire", type: .dynamic, targets: ["Wire"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log.git", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2"),
        // No target uses these. swift-nio does, and would take any newer version of them.
        .package(url: "https://github.com/apple/swift-atomics.git", exact: "1.3.0"),
        .package(url: "https://github.com/apple/swift-collections.git", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-system.git", exact: "1.8.1"),
    ],
    targets: [
        module("Base"),
        // What all adapters need of Linux: clock, wake-ups, threads, words for errors.
        module("Platform", ["Base", "CProcess"]),

        // The one library of ciphers and TLS: OpenSSL of the distribution, by types.
        module("Cryptography", ["Base", "Platform", "ICECore", "COpenSSL"]),

        // What adapters that speak TLS share: its place in a pipeline, and the files of a certificate.
        module(
            "SecureTransport",
            ["Base", "Platform", "Cryptography", .product(name: "NIOCore", package: "swift-nio")]),

        // What one adapter may do in one turn of the control loop.
        module("Turns", ["Base", "Platform"] + nio),

        // JSON texts as values, for the control interface and for lines that speak it.
        module("JSON", ["Base"]),

        // What the phone and its lines call by the same words.
        module("Telephony"),

        // Cores: they think.
        module("PhoneCore", ["Base", "Telephony"]),
        module("SIPCore", ["Base"]),
        module("ICECore", ["Base"]),
        module("SDPCore", ["Base", "ICECore"]),
        module("VertoCore", ["Base", "JSON", "Telephony"]),
        module("LineCore", ["Base", "Telephony", "ICECore", "SIPCore", "SDPCore", "VertoCore"]),
        module("RTPCore", ["Base", "Telephony"]),
        module("SoundCore", ["Base"]),

        // Adapters: they act.
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
                "Base", "Platform", "PhoneCore", "LineCore", "LineMapping", "ICECore", "SIPCore", "SDPCore",
                "VertoCore",
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
        // The kernel's word of links, addresses and routes.
        module("Network", ["Base", "Platform", "PhoneCore"]),
        module("Panel", ["Base", "Platform", "PhoneCore", "YAML", "CGPIO", "CI2C"]),
        // Programs of the machine that are told what happens.
        module("Programs", ["Base", "Platform", "CProcess"]),
        module("Vault", ["Base", "Platform", "PhoneCore", "CSQLite", "Cryptography"]),

        // A line's words in the phone's words: for the adapter that has sockets, and for the Simulator, which has none.
        module("LineMapping", ["Base", "PhoneCore", "LineCore", "ICECore", "SDPCore"]),

        // Not an adapter: event logs, written and replayed.
        module("EventLog", ["Base", "PhoneCore"]),
        // Nor this: what the phone does, in figures for Prometheus and in words for systemd.
        module("Monitoring", ["Base", "PhoneCore"]),
        // Nor this: what lines sent and received, as a ladder and as a capture file.
        module("Trace", ["Base", "ICECore", "SIPCore"]),
        // Nor this: the one language of our configuration files.
        module("YAML", ["Platform", "CYAML"]),
        // C: module maps and the thinnest shims.
        library("CCares", pkgConfig: "libcares", apt: "libc-ares-dev"),
        library("CALSA", pkgConfig: "alsa", apt: "libasound2-dev"),
        library("COpus", pkgConfig: "opus", apt: "libopus-dev"),
        library("CSpeexDSP", pkgConfig: "speexdsp", apt: "libspeexdsp-dev"),
        library("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
        library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        library("CYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev"),
        .target(name: "CI2C"),
        .target(name: "CGPIO", linkerSettings: [.linkedLibrary("gpiod")]),
        .target(name: "CProcess"),
        .target(name: "CDatagram"),
        // The front panel's page, embedded as bytes.
        .target(
            name: "CFrontPanel", exclude: ["panel.html", "panel.css"] + frontPanelScripts.map { $0 + ".js" },
            cSettings: [.unsafeFlags(["-std=c23"])]),
        // Not so thin: libsrtp's ciphers, computed by OpenSSL (docs/dev/decisions/0010).
        .target(name: "CSRTP", linkerSettings: [.linkedLibrary("srtp2"), .linkedLibrary("crypto")]),

        .executableTarget(
            name: "offhook",
            dependencies: [
                "Base", "Platform", "Cryptography", "JSON", "PhoneCore", "ICECore", "SIPCore", "SDPCore", "VertoCore",
                "LineCore",
                "SoundCore",
                "Control", "Lines", "Media", "Network", "Panel", "SecureTransport", "Vault", "YAML", "EventLog",
                "Monitoring",
                "Programs",
                "Trace", "Turns", "CProcess",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ] + nio,
            swiftSettings: strict,
            linkerSettings: [.unsafeFlags(lean)]),

        tests("Base"),
        tests("Cryptography", ["Base", "COpenSSL", "Rig"], settings: relaxed),
        tests(
            "SecureTransport",
            [
                "Base", "Cryptography", "Rig", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ]),
        tests("Turns", ["Base", "Platform", .product(name: "NIOEmbedded", package: "swift-nio")] + nio),
        tests("JSON", ["Base"]),
        tests("Telephony"),
        .testTarget(name: "PlatformTests", dependencies: ["Base", "Platform"], swiftSettings: relaxed),
        tests("PhoneCore", ["Base", "PhoneJudges"]),
        tests("SIPCore", ["Base", "Cryptography"]),
        tests("SDPCore", ["Base", "ICECore"]),
        tests("ICECore", ["Base", "Cryptography"], isOptimised: true),
        tests("VertoCore", ["Base", "JSON", "Telephony"]),
        tests("LineCore", ["Base", "ICECore", "JSON", "SIPCore", "SDPCore", "VertoCore"]),
        tests("LineMapping", ["Base", "PhoneCore", "LineCore", "SDPCore", "SIPCore"]),
        tests("RTPCore", ["Base", "Comparison"]),
        tests("SoundCore", ["Base", "Comparison"], isOptimised: true),
        tests(
            "Control",
            ["Base", "ControlReference", "Cryptography", "JSON", "PhoneCore", "Rig", "SecureTransport"] + nio),
        tests(
            "Lines",
            [
                "Base", "PhoneCore", "LineCore", "SIPCore", "SDPCore", "SecureTransport", "Trace", "Turns", "Rig",
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
        tests("Panel", ["Base", "BoardReference", "HostStalls", "PhoneCore", "Platform", "YAML"]),
        tests("Vault", ["Base", "Bench", "Cryptography", "PhoneCore", "CSQLite", "VaultWriter"]),
        tests("YAML"),
        .testTarget(
            name: "EventLogTests", dependencies: ["EventLog", "Base", "PhoneCore"], exclude: ["Fixtures"],
            swiftSettings: strict),
        tests("Monitoring", ["Base", "ControlReference", "PhoneCore"]),
        tests("Programs", ["Base"], settings: relaxed),
        tests("Trace", ["Base"]),
        tests("Bench", ["Base", "Control"]),

        // What rehearses calls and measures what was heard: the phone's workbench, which does not ship.
        .target(
            name: "Bench", dependencies: ["Base", "Platform", "Control", "JSON", "Trace"], path: "Tests/Bench",
            swiftSettings: strict),
        .executableTarget(
            name: "offhook-bench",
            dependencies: [
                "Base", "Bench", "Control", "JSON", "Platform", "SoundCore",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/offhook-bench", swiftSettings: strict),

        // The rules of a phone that hold whatever happens, judged from outside.
        .target(
            name: "PhoneJudges", dependencies: ["Base", "PhoneCore"], path: "Tests/PhoneJudges", swiftSettings: strict),

        // Whole phones in simulated time, and the table of states: development tools and their libraries.
        .target(
            name: "Simulator",
            dependencies: [
                "Base", "PhoneCore", "PhoneJudges", "SIPCore", "LineCore", "LineMapping", "Panel", "YAML",
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
        .executableTarget(
            name: "offhook-reference",
            dependencies: ["BoardReference", "Control", "ControlReference", "JSON", "Panel"],
            path: "Tests/offhook-reference", swiftSettings: relaxed),

        // What tests stand on.
        .target(name: "Wire", path: "Tests/Wire", linkerSettings: [.linkedLibrary("asound")]),
        .target(name: "AllocationWatch", path: "Tests/AllocationWatch"),
        .target(name: "ReferenceWatch", dependencies: ["AllocationWatch"], path: "Tests/ReferenceWatch"),
        // What `Scripts/bench sip` runs.
        .executableTarget(
            name: "offhook-sipbench", dependencies: ["AllocationWatch", "Base", "LineCore", "SIPCore"],
            path: "Tests/offhook-sipbench", swiftSettings: relaxed),
        .executableTarget(
            name: "VaultWriter", dependencies: ["Base", "PhoneCore", "Vault"], path: "Tests/VaultWriter",
            swiftSettings: strict),
        .target(name: "Pinning", path: "Tests/Pinning"),
        // What `Scripts/fuzz` feeds with hostile bytes, and a test with its corpora.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "Base", "COpenSSL", "Control", "Cryptography", "ICECore", "EventLog", "JSON", "LineCore", "Lines",
                "Media",
                "Network", "Panel", "PhoneCore", "RTPCore",
                "SDPCore",
                "SIPCore", "Telephony", "Vault", "VertoCore", "YAML", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ], path: "Tests/Fuzz/Targets", swiftSettings: relaxed),
        .testTarget(name: "FuzzTests", dependencies: ["Base", "EventLog", "FuzzTargets"], swiftSettings: relaxed),
        .target(name: "Comparison", path: "Tests/Comparison", swiftSettings: strict),
        // What tells a phone that fails from a machine that stands still.
        .target(
            name: "HostStalls", dependencies: ["Base", "Bench", "Pinning"], path: "Tests/HostStalls",
            swiftSettings: relaxed),
        .testTarget(name: "HostStallsTests", dependencies: ["Base", "Bench", "HostStalls"], swiftSettings: relaxed),
        .target(name: "Rig", dependencies: ["Base", "Bench", "SIPCore"], path: "Tests/Rig", swiftSettings: relaxed),

        // The whole program, and the project itself.
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "Base", "Bench", "Comparison", "Control", "Cryptography", "FuzzTargets", "JSON", "Media", "Monitoring",
                "Panel", "PhoneCore",
                "SDPCore", "SIPCore", "SoundCore", "Rig", "HostStalls", "offhook", "offhook-bench", "Wire", "YAML",
            ],
            swiftSettings: relaxed + unoptimised),
        .testTarget(
            name: "InteropTests",
            dependencies: [
                "Base", "Bench", "Control", "JSON", "Rig", "HostStalls", "offhook", "offhook-bench", "Wire",
            ],
            swiftSettings: relaxed + unoptimised),
        // What the words of the command line promise, apart from calls.
        .testTarget(
            name: "CommandLineTests",
            dependencies: ["Base", "Bench", "Control", "ControlReference", "JSON", "Rig", "offhook"],
            swiftSettings: relaxed + unoptimised),
        .testTarget(name: "ProjectTests", swiftSettings: relaxed),
    ]
)

// It links with libFuzzer only: it is there when `Scripts/fuzz` asks for it.
if Context.environment["OFFHOOK_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Run",
            swiftSettings: relaxed + [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-use-ld=lld"])]))
}

if let chosenTests { package.targets.removeAll { $0.type == .test && !chosenTests.contains($0.name) } }
