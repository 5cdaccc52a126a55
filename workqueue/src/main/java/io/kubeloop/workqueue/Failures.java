package io.kubeloop.workqueue;

/** Where errors go that nobody can catch: the thread lives on. */
final class Failures {

    private Failures() {}

    /** Hands the error to the current thread's handler of uncaught exceptions; the default one prints it. */
    static void report(Throwable error) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
        } catch (Throwable e) {
            // As the JVM does with a thread that dies: what its handler throws is ignored.
        }
    }
}
