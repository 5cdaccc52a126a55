package io.kubeloop.controller.threads;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls code of the user that must not break its caller: metrics and callbacks. Stateless. */
public final class GuardedCallback {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedCallback.class);

    private GuardedCallback() {}

    /**
     * Runs a callback on the calling thread and logs whatever it throws.
     *
     * @param what names the callback in the log, such as {@code onNewLeader of candidate ns/lock/a}
     */
    public static void run(String what, Runnable callback) {
        try {
            callback.run();
        } catch (Throwable e) {
            LOG.error("Callback failed, its caller continues: {}", what, e);
        }
    }
}
