package io.kubeloop.cache.runtime;

/** What a thread does where nobody is left who could catch anything. */
public final class SafeLog {

    private SafeLog() {}

    /**
     * Writes about a failure to the log. That may fail as well: an exception of a user's may throw while it is printed, and
     * memory that is short for one thing is short for the next. The thread that wanted to write goes on all the same.
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
            // As the JVM does with a thread that dies: what its handler throws is ignored.
        }
    }
}
