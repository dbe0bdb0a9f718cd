import Control
import JSON
import Rig
import Testing

/// Every method of the interface has a command, or a reason for having none.
@Suite struct MethodCommandTests {
    private enum Way {
        case command(String)
        /// `ctl call` calls it.
        case none(String)
    }

    private static func way(_ method: MethodName) -> Way {
        switch method {
        case .dial, .answer, .hangup, .hold, .resume, .transfer: .command("ctl \(method)")
        case .call, .consult: .none("other names of dial")
        case .decline: .none("another name of hangup")
        case .toggleHold: .command("ctl toggle-hold")
        case .setHold: .none("hold and resume")
        case .acceptTransfer: .command("ctl accept-transfer")
        case .declineTransfer: .command("ctl decline-transfer")
        case .park: .command("ctl park")
        case .pickup: .command("ctl pickup")
        case .conference: .command("ctl conference")
        case .compareWords: .command("ctl words")
        case .sendDTMF: .command("ctl dtmf")
        case .setMute, .toggleMute: .command("ctl mute")
        case .setRoute: .command("ctl route")
        case .setSpeaker, .toggleSpeaker: .command("ctl speaker")
        case .setVolume: .command("ctl volume")
        case .silenceRinger: .command("ctl silence")
        case .startRecording, .stopRecording: .command("ctl record")
        case .startPlayback, .stopPlayback: .command("ctl play")
        case .startPage, .stopPage: .command(method == .startPage ? "ctl page start" : "ctl page stop")
        case .testSound: .command("ctl test-sound")
        case .setDoNotDisturb: .command("ctl dnd")
        case .clearMissedCalls: .command("ctl missed clear")
        case .relay: .command("ctl relay")
        case .switchOrganization: .command("ctl organization switch")
        case .connect, .disconnect, .reconnect, .reset: .command("ctl \(method)")
        case .getSnapshot: .command("ctl status")
        case .getMissedCalls: .command("ctl missed list")
        case .getNetworkStatus, .getPendingIncomingCall: .none("status prints it")
        case .getConnectionState: .command("ctl connection")
        case .getDisplay: .command("ctl display")
        case .getDeviceID, .getPushToken: .none("for the programs of a backend")
        case .signIn, .cancelSignIn, .signOut: .command(method == .signOut ? "ctl sign-out" : "ctl sign-in")
        case .getOrganizations: .command("ctl organization list")
        case .getBootTimeline: .command("boot")
        case .getLog: .command("log")
        case .getPanel: .none("for pages that draw it")
        case .getSignals: .command("trace")
        case .getStatistics: .command("ctl statistics")
        case .getMetrics: .command("ctl metrics")
        case .getHistory: .command("ctl history")
        case .getContacts, .addContact, .changeContact, .removeContact: .command("ctl contacts \(verb(method))")
        case .importContacts: .command("ctl contacts import")
        case .exportContacts: .command("ctl contacts export")
        case .getTokens, .addToken, .removeToken: .command("ctl token \(verb(method))")
        case .getSetup, .addAccount, .changeAccount, .removeAccount: .command("ctl account \(verb(method))")
        case .tryDevice, .tryAccount, .planSetup, .writeSetup: .none("offhook setup")
        case .restart, .reload: .command("ctl \(method)")
        case .subscribe: .command("ctl events")
        case .cancel: .none("a command has one request, which ends with it")
        case .ping: .command("ctl ping")
        case .discover: .none("for generators of clients")
        case .liftHook, .replaceHook: .command(method == .liftHook ? "ctl lift" : "ctl replace")
        case .pressKey, .setLine: .command(method == .pressKey ? "ctl press" : "ctl line")
        }
    }

    /// `addToken` → `add`, `getTokens` → `list`.
    private static func verb(_ method: MethodName) -> String {
        let verb = method.rawValue.prefix { $0.isLowercase }
        return verb == "get" ? "list" : String(verb)
    }

    @Test func everyMethodHasACommandWithHelp() throws {
        let table = try ProgramHelp.table()
        for method in MethodName.allCases {
            guard case .command(let words) = Self.way(method) else { continue }
            let command = ProgramHelp.command(words.split(separator: " ").map(String.init), in: table)
            #expect(command?["purpose"]?.string?.isEmpty == false, "\(method): offhook \(words)")
        }
    }

    @Test func everyCommandOfCtlPrintsJSON() throws {
        let ctl = ProgramHelp.all(in: try ProgramHelp.table()).filter { $0.words.first == "ctl" }
        for (words, command) in ctl {
            let names = (command["parameters"]?.array ?? []).map { $0["name"] }
            #expect(names.contains("json"), "\(words)")
        }
        #expect(ctl.count > 45)
    }

    @Test func everyParameterHasHelpAndItsOwnName() throws {
        var seen = 0
        for (words, command) in ProgramHelp.all(in: try ProgramHelp.table()) {
            let parameters = command["parameters"]?.array ?? []
            seen += parameters.count
            for parameter in parameters {
                #expect(parameter["help"]?.string?.isEmpty == false, "\(words): \(parameter)")
            }
            #expect(Set(parameters.map { $0["name"]?.string ?? "" }).count == parameters.count, "\(words)")
        }
        #expect(seen > 100)
    }

    /// The help of each command names all its parameters.
    @Test func helpNamesEveryParameter() throws {
        let workplace = try Workplace()
        for (words, command) in ProgramHelp.all(in: try ProgramHelp.table()) {
            let help = try Command(words + ["--help"], in: workplace)
            #expect(help.exit == .status(0), "\(words): \(help)")
            for parameter in command["parameters"]?.array ?? [] {
                let names = parameter["spellings"]?.array?.compactMap(\.string) ?? []
                let value = parameter["value"]?.string ?? ""
                for name in names.isEmpty ? ["<\(value)>"] : names {
                    #expect(help.output.contains(name), "\(words): \(name)")
                }
            }
        }
    }
}
