/// Writes an RTCP compound into a caller's buffer, packet after packet. No allocation.
///
/// A compound starts with a report (even an empty one) and carries a canonical name (RFC 3550 §6.1); the caller appends
/// in that order. A buffer of `largestCompound` bytes is large enough for what a call sends. A buffer that is too small
/// is a programming error.
public struct RTCPWriter: Equatable, Sendable {
    /// Enough for a sender report with one block, an extended report, a canonical name and a BYE.
    public static let largestCompound =
        4 + 4 + SenderInformation.size + ReportBlock.size + 8 + ExtendedReport.largestSize + 268 + 8

    /// Bytes written so far.
    public internal(set) var count = 0

    public init() {}

    public mutating func appendSenderReport(
        source: UInt32, _ information: SenderInformation, block: ReportBlock?, to compound: inout MutableSpan<UInt8>
    ) {
        appendHeader(
            type: RTCPPacket.Kind.senderReport, items: block == nil ? 0 : 1,
            bodySize: 4 + SenderInformation.size + (block == nil ? 0 : ReportBlock.size), to: &compound)
        append(source, to: &compound)
        append(information.time.rawValue, to: &compound)
        append(information.timestamp, to: &compound)
        append(information.packets, to: &compound)
        append(information.octets, to: &compound)
        append(block, to: &compound)
    }

    public mutating func appendReceiverReport(
        source: UInt32, block: ReportBlock?, to compound: inout MutableSpan<UInt8>
    ) {
        appendHeader(
            type: RTCPPacket.Kind.receiverReport, items: block == nil ? 0 : 1,
            bodySize: 4 + (block == nil ? 0 : ReportBlock.size), to: &compound)
        append(source, to: &compound)
        append(block, to: &compound)
    }

    /// `canonicalName` is at most 255 bytes and random per session, so that it does not identify the user (RFC 7022).
    @_lifetime(compound: copy compound)
    public mutating func appendSourceDescription(
        source: UInt32, canonicalName: Span<UInt8>, to compound: inout MutableSpan<UInt8>
    ) {
        precondition(canonicalName.count <= 255, "a source description item holds 255 bytes")
        let chunk = (4 + 2 + canonicalName.count + 1 + 3) / 4 * 4
        appendHeader(type: RTCPPacket.Kind.sourceDescription, items: 1, bodySize: chunk, to: &compound)
        let end = count + chunk
        append(source, to: &compound)
        append(RTCPReader.canonicalNameItem, to: &compound)
        append(UInt8(canonicalName.count), to: &compound)
        for index in canonicalName.indices { append(canonicalName[index], to: &compound) }
        while count < end { append(UInt8(0), to: &compound) }
    }

    public mutating func appendGoodbye(source: UInt32, to compound: inout MutableSpan<UInt8>) {
        appendHeader(type: RTCPPacket.Kind.goodbye, items: 1, bodySize: 4, to: &compound)
        append(source, to: &compound)
    }

    mutating func appendHeader(
        type: UInt8, items: UInt8, bodySize: Int, to compound: inout MutableSpan<UInt8>
    ) {
        precondition(compound.count - count >= 4 + bodySize, "no room for an RTCP packet")
        append(0x80 | items, to: &compound)
        append(type, to: &compound)
        append(UInt16(bodySize / 4), to: &compound)
    }

    private mutating func append(_ block: ReportBlock?, to compound: inout MutableSpan<UInt8>) {
        guard let block else { return }
        block.write(into: &compound, at: count)
        count += ReportBlock.size
    }

    mutating func append<Number: FixedWidthInteger & UnsignedInteger>(
        _ number: Number, to compound: inout MutableSpan<UInt8>
    ) {
        compound.store(bigEndian: number, at: count)
        count += Number.bitWidth / 8
    }
}

extension RTCPWriter {
    /// Appends an extended report. A report without blocks is not written.
    public mutating func appendExtendedReport(
        source: UInt32, _ report: ExtendedReport, to compound: inout MutableSpan<UInt8>
    ) {
        guard report.size > 0 else { return }
        appendHeader(type: RTCPPacket.Kind.extendedReport, items: 0, bodySize: 4 + report.size, to: &compound)
        append(source, to: &compound)
        if let time = report.referenceTime {
            appendBlockHeader(ExtendedBlock.Kind.referenceTime, size: ExtendedBlock.referenceTimeSize, to: &compound)
            append(time.rawValue, to: &compound)
        }
        if let delay = report.delay {
            appendBlockHeader(
                ExtendedBlock.Kind.delays, size: ExtendedBlock.headerSize + DLRRReport.size, to: &compound)
            delay.write(into: &compound, at: count)
            count += DLRRReport.size
        }
        if let summary = report.summary {
            summary.write(into: &compound, at: count)
            count += StatisticsSummary.size
        }
        if let voice = report.voice {
            voice.write(into: &compound, at: count)
            count += VoIPMetrics.size
        }
    }

    private mutating func appendBlockHeader(_ type: UInt8, size: Int, to compound: inout MutableSpan<UInt8>) {
        append(type, to: &compound)
        append(UInt8(0), to: &compound)
        append(UInt16(size / 4 - 1), to: &compound)
    }
}
