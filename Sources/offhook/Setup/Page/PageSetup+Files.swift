import Base
import Control
import Glibc
import JSON
import Lines
import NIOCore
import PhoneCore
import Synchronization
import Vault

/// Plans and writes the files for a page.
extension PageSetup {
    /// Makes a plan of these choices, and keeps it until it is written, replaced or expired.
    func plan(_ choices: SetupChoices, for action: ActionID) throws(RPCError) {
        let file = means.settings.file
        let labels = labels()
        try begin(action, .files) { [self] _ in
            do {
                let found = try SetupInspection.findingsWithoutVault(file)
                let plan = try SetupPlan(SetupInterview(found, given: choices.answers(found, labels)))
                return .success(remember(plan))
            } catch let refusal as SetupRefusal {
                return .failure(RPCError(.invalidParams, refusal.description))
            } catch {
                return .failure(RPCError(.notPlanned, "\(error)"))
            }
        }
    }

    private func remember(_ plan: SetupPlan) -> JSONValue {
        let number = state.withLock { state in
            state.plans += 1
            let number = state.plans
            state.plan = NumberedPlan(number: number, plan: plan)
            // After `close`, no loop can remove the plan.
            if !state.isClosed {
                means.loop.scheduleTask(in: Self.memory) { self.state.withLock { $0.forgetPlan(number) } }
            }
            return number
        }
        return [
            "plan": .integer(number), "diff": .string(Self.bounded(plan.description)),
            "files": .array(plan.files.map { .string($0.path) }),
            "writable": .bool(plan.files.allSatisfy { unsafe access($0.path.openedFolder, W_OK) == 0 }),
        ]
    }

    /// Truncates the diff to whole lines that fit into an answer.
    private static func bounded(_ diff: String) -> String {
        let longest = 32_768
        guard diff.utf8.count > longest else { return diff }
        let head = String(decoding: diff.utf8.prefix(longest), as: UTF8.self)
        return head.split(separator: "\n").dropLast().joined(separator: "\n") + "\n…"
    }

    /// Writes the files of the last plan, and puts into effect what can change while the phone runs.
    func write(_ number: Int64, for action: ActionID) throws(RPCError) {
        guard let kept = state.withLock({ $0.plan }), kept.number == number else {
            throw RPCError(.noSuchPlan, "there is no plan with this number any more; plan again")
        }
        try begin(action, .files) { [self] _ in
            do {
                let lines = try kept.plan.writeFiles()
                let needsRestart = !lines.isEmpty && means.reload().needsRestart
                state.withLock { state in
                    state.hasWritten = state.hasWritten || needsRestart
                    state.forgetPlan(number)
                }
                return .success(["restart": .bool(needsRestart), "files": .array(lines.map { .string($0) })])
            } catch {
                return .failure(RPCError(.notWritten, "\(error)"))
            }
        }
    }
}

extension PageSetup.State {
    fileprivate mutating func forgetPlan(_ number: Int64) { if plan?.number == number { plan = nil } }
}

extension SetupChoices {
    /// The answers that a person with these choices would give to `offhook setup`. Only offered answers are allowed. A
    /// page must not make the phone open any file, because some ALSA devices write files or run programs. A board
    /// without its chips would leave the phone without hook and keys.
    ///
    /// - Parameter labels: The accounts whose servers may be pinned.
    fileprivate func answers(
        _ found: SetupFindings, _ labels: [String]
    ) throws(SetupRefusal) -> [SetupKey: String] {
        let interview = SetupInterview(found, given: [.sound: "yes"])
        var answers = try trust(beside: found.path, labels)
        for key in SetupKey.devices {
            guard let choice = SetupChoices.Name(rawValue: key.name).flatMap({ self[$0] }),
                let question = interview.question(key)?.question
            else { continue }
            guard question.offers(choice) || [found.devices[key], "none"].contains(choice) else {
                throw SetupRefusal("\(key.rawValue): \"\(choice.shown(bytes: 64))\" is no sound card of this machine")
            }
            answers[key] = choice
        }
        // At least one of handset and speaker must remain.
        let speaks = [SetupKey.handset, .speaker].contains { (answers[$0] ?? found.devices[$0] ?? "none") != "none" }
        guard speaks else { throw SetupRefusal("a phone needs at least a handset or a speaker") }
        if let country = self[.country] { answers[.country] = try interview.question(.country)?.check(country) }
        if SetupKey.below("sound").contains(where: { answers[$0] != nil }) { answers[.sound] = "yes" }
        guard let board = self[.board] else { return answers }
        guard found.boards.contains(where: { $0.name == board && $0.fits }) else {
            throw SetupRefusal("board: \"\(board.shown(bytes: 64))\" is no board file that fits this machine's chips")
        }
        (answers[.panel], answers[.board]) = ("yes", board)
        return answers
    }

    private func trust(
        beside configuration: String, _ labels: [String]
    ) throws(SetupRefusal) -> [SetupKey: String] {
        let trust = try ServerTrust(pin: self[.pin], authorities: self[.authorities], beside: configuration)
        var answers: [SetupKey: String] = [:]
        answers[.authorities] = trust.authorities
        guard let pin = trust.pin, let label = self[.label] else { return answers }
        guard labels.contains(label) else {
            throw SetupRefusal("label: there is no account \"\(label.shown(bytes: 64))\"")
        }
        (answers[.account], answers[.label], answers[.pin]) = ("yes", label, pin.text)
        return answers
    }
}
