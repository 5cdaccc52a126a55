/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.command;

import java.util.concurrent.ThreadFactory;

/** Creates the threads of this program; the callers name them. */
public final class DaemonThreads {

    private DaemonThreads() {}

    /** Returns a factory of daemon threads, which do not keep a process alive that shuts down. */
    public static ThreadFactory factory() {
        return task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        };
    }
}
