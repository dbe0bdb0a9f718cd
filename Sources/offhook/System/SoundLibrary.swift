import Glibc

/// Settings of alsa-lib, which reads them from the environment. They must be made before the first thread exists.
enum SoundLibrary {
    /// Without this, alsa-lib takes a lock in each call of a device that is not the kernel's own, in case several
    /// threads share it. In this program one thread has each device, and the audio thread takes no locks.
    static func prepare() { unsafe setenv("LIBASOUND_THREAD_SAFE", "0", 0) }
}
