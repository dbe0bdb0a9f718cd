import Network
import PhoneCore

/// The kernel's answers, and the resulting path.
func fuzzNetlink(_ input: [UInt8]) {
    let frames = NetlinkFrame.all(in: input.span)
    var end = 0
    for frame in frames {
        precondition(frame.content.lowerBound >= end + 16 && frame.content.upperBound <= input.count, "read elsewhere")
        end = frame.content.upperBound
    }
    var survey = NetworkSurvey()
    for sequence in Set(frames.map(\.sequence)).prefix(4) {
        _ = survey.take(input.span, answering: sequence, isList: true)
    }
    for listening in [["0.0.0.0"], ["0.0.0.0", "::"], ["192.0.2.7"], ["127.0.0.1", "::"]] {
        let path = PathChoice(listening: listening).path(in: survey)
        precondition(path.isUp == !path.addresses.isEmpty, "a path without an address")
        precondition(Set(path.addresses).count == path.addresses.count, "the same address twice")
    }
}
