/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.runner;

import io.kubeloop.cache.InformerHealth;
import io.kubeloop.controller.leaderelection.LeaderElector;
import java.util.ArrayList;
import java.util.List;

/**
 * The health of a {@link ControllerRunner} at one moment, for the probes of a pod. Immutable.
 *
 * <p>{@link #liveness} answers whether a restart of the process helps, and {@link #readiness} whether it can do its
 * work. Workers need no check of their own: their threads end only with the runner.
 *
 * @param ended whether the runner was closed, has lost its lease, or failed to start
 * @param leading whether the controllers may write; true without an election, false in a standby
 * @param isLeaseStuck whether this process counts as holder of the lease although it is overdue by more than {@link
 *     LeaderElector#TOLERANCE} (upstream: {@code leaderelection/healthzadaptor.go})
 * @param informers the state of each informer
 */
public record RunnerHealth(boolean ended, boolean leading, boolean isLeaseStuck, List<InformerHealth> informers) {

    /** Copies the list. */
    public RunnerHealth {
        informers = List.copyOf(informers);
    }

    /** Returns the reasons to restart the process; empty if it is alive. */
    public List<String> liveness() {
        List<String> problems = new ArrayList<>();
        if (ended) {
            problems.add("the runner has ended");
        }
        if (isLeaseStuck) {
            problems.add("the lease is held and has not been renewed");
        }
        return problems;
    }

    /**
     * Returns the reasons why the process cannot work yet; empty if it is ready. A standby is ready: its informers
     * start with its leadership.
     */
    public List<String> readiness() {
        List<String> problems = new ArrayList<>(liveness());
        if (leading) {
            for (InformerHealth informer : informers) {
                if (!informer.synced()) {
                    problems.add("the cache of " + informer.name() + " is not filled" + cause(informer));
                }
            }
        }
        return problems;
    }

    private static String cause(InformerHealth informer) {
        Throwable error = informer.lastError();
        String hint = informer.errorHint();
        return error == null ? "" : ": " + error.getMessage() + (hint.isEmpty() ? "" : "; " + hint);
    }
}
