package io.kubeloop.app;

import java.util.concurrent.ThreadFactory;

/** The threads of this program; their users name them. */
final class Threads {

    private Threads() {}

    /** Returns a factory of daemon threads: none of them keeps a process alive that is told to end. */
    static ThreadFactory daemons() {
        return task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        };
    }
}
