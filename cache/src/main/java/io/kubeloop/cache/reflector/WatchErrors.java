/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import io.kubeloop.cache.ReflectorState;
import io.kubeloop.cache.WatchErrorHandler;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.UserCallbacks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives a reflector's errors, and passes them to the user's handler if there is one, otherwise to the log. Any
 * thread sets the handler before the reflector starts. The reflector thread reports errors and holds no lock.
 */
public final class WatchErrors {

    private static final Logger LOG = LoggerFactory.getLogger(WatchErrors.class);

    private final String informer;
    private final ErrorHint errorHint;
    private final UserCallbacks guard;
    private volatile @Nullable WatchErrorHandler handler;

    public WatchErrors(String informer, Scheduler scheduler, ErrorHint errorHint) {
        this.informer = informer;
        this.errorHint = errorHint;
        this.guard = new UserCallbacks(scheduler);
    }

    public void handleWith(WatchErrorHandler user) {
        handler = user;
    }

    void report(Throwable error, ReflectorState during) {
        WatchErrorHandler user = handler;
        if (user == null) {
            UserCallbacks.run(() -> logError(error, errorHint.of(error, during)));
            return;
        }
        guard.run(
                () -> user.onWatchError(informer, error),
                failure -> LOG.warn("{}: the watch error handler failed on {}", informer, error.toString(), failure));
    }

    private void logError(Throwable error, String cure) {
        LOG.warn(
                "{}: list or watch failed, trying again: {}{}",
                informer,
                error.toString(),
                cure.isEmpty() ? "" : "; " + cure);
    }
}
