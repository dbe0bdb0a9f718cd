/// The version of the program, which it prints, sends to other programs, and writes into event logs.
public enum ProgramVersion {
    public static let text = "0.1.0"
    /// When this version was written, in seconds since 1970 (UTC): 2026-11-01. A clock before it is wrong.
    public static let written: Int64 = 1_793_491_200
}
