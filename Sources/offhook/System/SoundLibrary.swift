import Glibc

/// What has to be said to alsa-lib before the first thread is there: it reads the environment.
enum SoundLibrary {
    /// Without this it takes a lock in each call of a device that is not the kernel's own, lest two threads share it. Here one
    /// thread has each device, and the audio thread takes no locks.
    static func prepare() { unsafe setenv("LIBASOUND_THREAD_SAFE", "0", 0) }
}
