import Base
import RTPCore

/// The effect of an RTCP datagram: every packet of the compound, and the receiver's state.
func fuzzRTCP(_ input: [UInt8]) {
    _ = MuxedPacket(classifying: input.span)
    var reader = RTCPReader()
    var (packets, end) = (0, reader)
    while let packet = try? reader.next(in: input.span) {
        precondition(reader != end, "a packet of no length")
        (packets, end) = (packets + 1, reader)
        look(at: packet, in: input)
    }
    precondition(packets <= input.count / 4, "more packets than fit")
}

private func look(at packet: RTCPPacket, in compound: [UInt8]) {
    switch packet {
    case .senderReport(let source, let information, let blocks):
        var statistics = ReceptionStatistics(source: source, clockRate: 48_000, firstSequence: 1)
        statistics.receive(information, at: .zero)
        _ = statistics.reportBlock(at: .zero + .seconds(5))
        rewrite(source: source, information, blocks, in: compound)
    case .receiverReport(let source, let blocks): rewrite(source: source, nil, blocks, in: compound)
    case .sourceDescription(_, let name): if let name { _ = compound[name] }
    case .goodbye(let sources, let reason):
        _ = compound[sources]
        if let reason { _ = compound[reason] }
    case .extendedReport(let source, let blocks): exchange(source: source, blocks, in: compound)
    case .other(_, let body): _ = compound[body]
    }
}

/// Every block, as the far end's report, and as our own.
private func exchange(source: UInt32, _ blocks: ExtendedBlocks, in compound: [UInt8]) {
    var exchange = ExtendedExchange()
    exchange.receive(blocks, from: source, about: 0xCAFE_F00D, in: compound.span, at: .zero + .seconds(1))
    var report = ExtendedReport()
    report.delay = exchange.answer(at: .zero + .seconds(2))
    report.voice = exchange.farMetrics
    var storage = [UInt8](repeating: 0, count: RTCPWriter.largestCompound)
    var writer = RTCPWriter()
    var span = storage.mutableSpan
    writer.appendExtendedReport(source: source, report, to: &span)
    let written = Array(storage.prefix(writer.count))
    guard !written.isEmpty else { return }
    var reader = RTCPReader()
    guard case .extendedReport(source, let back) = try? reader.next(in: written.span) else {
        preconditionFailure("written, and cannot be read")
    }
    var again = ExtendedExchange()
    again.receive(back, from: source, about: 0xCAFE_F00D, in: written.span, at: .zero)
    precondition(again.farMetrics == exchange.farMetrics, "other metrics than were written")
}

/// A report with its first block, written by us, round-trips.
private func rewrite(source: UInt32, _ information: SenderInformation?, _ blocks: ReportBlocks, in bytes: [UInt8]) {
    for index in 0..<blocks.count { _ = blocks.block(index, in: bytes.span) }
    let block = blocks.count > 0 ? blocks.block(0, in: bytes.span) : nil
    var storage = [UInt8](repeating: 0, count: RTCPWriter.largestCompound)
    var writer = RTCPWriter()
    var span = storage.mutableSpan
    if let information {
        writer.appendSenderReport(source: source, information, block: block, to: &span)
    } else {
        writer.appendReceiverReport(source: source, block: block, to: &span)
    }
    let written = Array(storage.prefix(writer.count))
    var reader = RTCPReader()
    switch try? reader.next(in: written.span) {
    case .senderReport(source, let again, let back):
        precondition(again == information && back.count == (block == nil ? 0 : 1), "another report than was written")
        if let block { precondition(back.block(0, in: written.span) == block, "another block than was written") }
    case .receiverReport(source, let back):
        precondition(information == nil && back.count == (block == nil ? 0 : 1), "another report than was written")
        if let block { precondition(back.block(0, in: written.span) == block, "another block than was written") }
    default: preconditionFailure("written, and cannot be read")
    }
}
