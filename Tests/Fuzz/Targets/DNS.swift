import Base
import LineCore
import SIPCore

/// A name server's answers: parsing them, and a search that gets them for every question.
func fuzzDNS(_ input: [UInt8]) {
    guard let response = try? DNSResponse(input.span) else { return }
    precondition(response.timeToLive <= DNSResponse.longest, "an answer is remembered for longer than a day")
    switch response.answer {
    case .srv(let records): precondition(records.allSatisfy { isName($0.target) }, "a target that is no name")
    case .naptr(let records): precondition(records.allSatisfy { isName($0.replacement) }, "a service that is no name")
    case .addresses, .nothing: break
    }
    for transport in [nil, Flow.Transport.udp, .tls] {
        var search = HopSearch(
            NextHop(host: "example.org", transport: transport), transports: [.udp, .tcp, .tls])
        var generator = SeededGenerator(seed: 1)
        var questions = 0
        while let question = search.question {
            questions += 1
            precondition(questions <= 64, "a search that does not end")
            precondition(isName(question.name), "a question for \(question.name)")
            if case .addresses = question {
                search.receive(.addresses(["192.0.2.1", "2001:db8::1"]), using: &generator)
            } else {
                search.receive(response.answer, using: &generator)
            }
        }
        precondition(search.targets.count <= HopSearch.limit + 1, "more targets than there may be")
    }
}

/// Whether a text has the length and characters of a name.
private func isName(_ name: String) -> Bool {
    name.utf8.count <= 300 && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
}
