/// The version of the program, which it prints, tells other programs, and writes into event logs.
public enum ProgramVersion {
    public static let text = "0.1.0"
}
