import Base
import LineCore
import NIOCore
import NIOPosix
import Platform
import SIPCore

/// Finds the targets of hops. `HopSearch` decides on the questions, a separate thread asks them, and the answers are
/// kept for as long as they allow. Confined to its loop.
final class Resolver {
    /// The most hops that are resolved at once. A line never needs so many.
    private static let limit = 16
    /// The most answers that are kept.
    private static let kept = 128

    private struct Kept {
        let answer: DNSAnswer
        let until: Instant
    }

    private let client: DNSClient
    private let loop: any EventLoop
    /// Created with the first name, because most lines have only numeric addresses.
    private var pool: NIOThreadPool?
    private var pending = 0
    private var answers: [DNSQuestion: Kept] = [:]

    init(_ client: DNSClient, loop: any EventLoop) { (self.client, self.loop) = (client, loop) }

    /// - Parameter found: Called on the loop with the targets, best first. Called at once if no query is needed.
    func resolve(_ hop: NextHop, _ transports: Set<Flow.Transport>, found: @escaping ([HopSearch.Target]) -> Void) {
        let search = HopSearch(hop, transports: transports, using: SystemRandomNumberGenerator())
        guard search.question != nil else { return found(search.targets) }
        guard pending < Self.limit else { return found([]) }
        pending += 1
        go(on: search) { [self] targets in
            pending -= 1
            found(targets)
        }
    }

    /// Drops the kept answers, because the answers of one network may be wrong in another.
    func forget() { answers = [:] }

    func close() {
        pool?.shutdownGracefully { _ in }
        pool = nil
    }

    private func go(on search: HopSearch, found: @escaping ([HopSearch.Target]) -> Void) {
        var search = search
        while let question = search.question {
            guard let kept = answers[question], kept.until > MonotonicClock.now() else {
                return ask(question) { [self] answer in
                    search.receive(answer)
                    go(on: search, found: found)
                }
            }
            search.receive(kept.answer)
        }
        found(search.targets)
    }

    private func ask(_ question: DNSQuestion, answered: @escaping (DNSAnswer) -> Void) {
        let done = NIOLoopBound((self, answered), eventLoop: loop)
        let client = client
        threads().runIfActive(eventLoop: loop) { client.ask(question) }.whenComplete { result in
            let (resolver, answered) = done.value
            let reply = (try? result.get()) ?? .silence
            resolver.keep(reply, for: question)
            answered(reply.answer)
        }
    }

    private func keep(_ reply: DNSClient.Reply, for question: DNSQuestion) {
        guard reply.timeToLive > 0 else { return }
        let now = MonotonicClock.now()
        if answers.count >= Self.kept { answers = answers.filter { $0.value.until > now } }
        guard answers.count < Self.kept else { return }
        answers[question] = Kept(answer: reply.answer, until: now + .seconds(Int64(reply.timeToLive)))
    }

    private func threads() -> NIOThreadPool {
        if let pool { return pool }
        let fresh = NIOThreadPool(numberOfThreads: 1)
        fresh.start()
        pool = fresh
        return fresh
    }
}
