/// The program's version: `--version`, the control interface and event logs show it. `Scripts/release` sets it.
public enum ProgramVersion {
    public static let text = "0.2.0"
    /// The date of this version, in seconds since 1970 (UTC): 2026-11-28. `offhook doctor` reports an earlier clock as wrong.
    public static let written: Int64 = 1_795_824_000
}
