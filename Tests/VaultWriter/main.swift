import Base
import Glibc
import PhoneCore
import Vault

// A process for the tests of Vault to kill, starve and lock out. Not part of the product.
//
//     VaultWriter loop|hold|starve VAULT KEYFILE
//
// Each line is written at once, so a line read from the pipe had happened.

func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    let written = unsafe write(STDOUT_FILENO, bytes, bytes.count)
    precondition(written == bytes.count, "the test reads as long as this process lives")
}

/// One change that touches three tables and overwrites two rows, numbered so the test can identify it.
func change(_ number: Int) -> [VaultEffect] {
    let now = Instant.zero
    return [
        .persist(
            PersistedCall(
                call: "out-\(number)", direction: .outgoing, number: "\(number)", name: nil, account: .direct,
                started: now, answered: now)),
        .addHistory(
            HistoryEntry(
                direction: .outgoing, number: "\(number)", name: nil, account: .direct, started: now, answered: now,
                ended: now, reason: .hungUpHere, missed: nil, quality: nil)),
        .keepContext(
            OrganisationContext(
                account: .direct, organisation: Organisation(id: OrganisationID("\(number)"), name: ""),
                credentials: AccountCredentials(user: "alice", password: Redacted("\(number)"))), ticket: 1),
    ]
}

/// Changes the vault until killed, and prints each number once the change is confirmed to be on the disk.
func loop(_ file: inout VaultFile, from first: Int) throws(VaultError) {
    var number = first
    while true {
        try file.apply(change(number))
        say("\(number)")
        number += 1
    }
}

/// Tries to write on a disk that takes one more kilobyte of any file, then prints the state in memory.
func starve(_ file: inout VaultFile) throws(VaultError) {
    var limit = rlimit(rlim_cur: 1_024, rlim_max: 1_024)
    signal(SIGXFSZ, SIG_IGN)
    let limited = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    precondition(limited == 0, "a limit can always be lowered")
    do {
        try file.apply(change(1))
        say("kept")
    } catch {
        say("\(error)")
    }
    say("\(try file.history().count)")
}

func main() throws(VaultError) {
    let arguments = CommandLine.arguments
    precondition(arguments.count == 4, "VaultWriter loop|hold|starve VAULT KEYFILE")
    let key = try VaultKey.find(keyFile: arguments[3], credentialsDirectory: nil)
    var file = try VaultFile.open(arguments[2], key: key)
    let newest = try file.history(limit: 1).first.flatMap { Int($0.number) } ?? 0
    say("open")
    switch arguments[1] {
    case "loop": try loop(&file, from: newest + 1)
    case "starve": try starve(&file)
    default: while readLine() != nil {}
    }
}

do {
    try main()
} catch {
    say("\(error)")
    exit(1)
}
