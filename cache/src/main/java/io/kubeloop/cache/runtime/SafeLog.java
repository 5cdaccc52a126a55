package io.kubeloop.cache.runtime;

/** Logging that never throws, for threads that must not end. */
public final class SafeLog {

    private SafeLog() {}

    /**
     * Writes a log line. Writing may fail: a user's exception may throw while it is printed, and memory may be short.
     * The failure goes to the thread's handler of uncaught exceptions, and the caller goes on.
     */
    public static void log(Runnable line) {
        try {
            line.run();
        } catch (Throwable unprintable) {
            tryToPrint(unprintable);
        }
    }

    private static void tryToPrint(Throwable unprintable) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, unprintable);
        } catch (Throwable e) {
            // The JVM also ignores what the handler throws when a thread dies.
        }
    }
}
