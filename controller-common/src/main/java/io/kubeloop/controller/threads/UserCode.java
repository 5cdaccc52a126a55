package io.kubeloop.controller.threads;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls code of the user that must not break its caller: metrics and callbacks. Stateless. */
public final class UserCode {

    private static final Logger LOG = LoggerFactory.getLogger(UserCode.class);

    private UserCode() {}

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
