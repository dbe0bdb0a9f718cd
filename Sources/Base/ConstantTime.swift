/// Whether two secrets are equal, in a time that reveals neither where they differ nor whether their lengths differ.
///
/// - Parameter length: The maximum length of both, which is public. Every comparison takes this number of steps.
/// - Precondition: neither is longer.
public func equalsInConstantTime(_ secret: [UInt8], _ tried: [UInt8], length: Int) -> Bool {
    precondition(secret.count <= length && tried.count <= length, "the public length is that of the longest secret")
    var difference = secret.count ^ tried.count
    for index in 0..<length {
        // Past its end, a text is repeated from its start, so that every step reads and compares one byte of each.
        let left = secret.isEmpty ? 0 : secret[index % secret.count]
        let right = tried.isEmpty ? 0 : tried[index % tried.count]
        difference |= Int(left ^ right)
    }
    return difference == 0
}
