package io.kubeloop.app.cli;

import java.util.concurrent.ThreadFactory;

/** The threads of this program; their users name them. */
public final class DaemonThreads {

    private DaemonThreads() {}

    /** Returns a factory of daemon threads: none of them keeps a process alive that is told to end. */
    public static ThreadFactory factory() {
        return task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        };
    }
}
