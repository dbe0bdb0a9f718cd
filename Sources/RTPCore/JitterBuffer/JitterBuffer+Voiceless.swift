extension JitterBuffer {
    /// Records a packet of the stream without voice: a telephone event (RFC 4733) or comfort noise (RFC 3389). It uses
    /// a sequence number that would otherwise count as a missing voice packet. The time that it takes counts as the
    /// sender's silence.
    ///
    /// Pass every such packet, also repetitions, in order of arrival among the packets with voice. A packet of another
    /// source or far from the stream changes nothing. When a packet with voice has the same number, the voice is heard.
    /// Cost: O(1) usual, O(capacity) worst case, no allocation.
    public mutating func insertVoiceless(_ header: RTPHeader) {
        guard var stream, header.source == stream.source else { return }
        let sequence = ExtendedSequence.nearest(to: stream.highestSequence, wire: header.sequence)
        let ahead = sequence - stream.nextSequence
        // For a number further behind it is no longer known whether it was counted as lost.
        guard ahead >= -64, ahead < Self.longestDropout, !slots.contains(sequence), voiceless.insert(sequence) else {
            return
        }
        guard stream.hasPlayed else { return }
        if ahead < 0 {
            excuse(behind: -ahead, in: stream)
        } else if slots.count == 0, ahead > Self.overtaken, voiceless.contains(sequence - 1) {
            // A key is held for long. The position of the stream follows, except for the numbers that packets may have
            // overtaken. Two packets without voice in a row are needed, as for every far move of the stream.
            pass(&stream, to: sequence - Self.overtaken)
            self.stream = stream
        }
    }

    /// The number of packets with voice that are missing before `sequence`, as far as is known.
    func missing(_ stream: Stream, before sequence: Int64) -> Int64 {
        guard sequence > stream.nextSequence else { return 0 }
        return voiceless.unmarked(in: stream.nextSequence..<sequence)
    }

    /// Moves the stream to `sequence`. The numbers before it that are not known to be without voice count as lost.
    mutating func pass(_ stream: inout Stream, to sequence: Int64) {
        let missing = missing(stream, before: sequence)
        if missing < sequence - stream.nextSequence { stream.hasPaused = true }
        countLost(missing)
        advance(&stream, to: sequence, played: false)
        stream.highestSequence = max(stream.highestSequence, stream.nextSequence - 1)
    }

    /// Moves the stream over the next numbers, as long as they belong to packets without voice.
    mutating func passVoiceless(_ stream: inout Stream, before sequence: Int64) {
        while stream.nextSequence < sequence, voiceless.contains(stream.nextSequence) {
            stream.hasPaused = true
            advance(&stream, to: stream.nextSequence + 1, played: false)
        }
    }

    /// Takes back a loss. The packet without voice was overtaken by voice, and counted as lost when that voice was
    /// played.
    private mutating func excuse(behind: Int64, in stream: Stream) {
        guard stream.played >> UInt64(behind - 1) & 1 == 0 else { return }
        if counters.lost > 0 { counters.lost -= 1 }
        pattern.excuse()
        pace.excuseLoss()
    }
}
