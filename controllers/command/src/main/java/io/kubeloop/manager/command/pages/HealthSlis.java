/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.pages;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The page {@code /metrics/slis}: the last result of each health check, and the number of its results (upstream: {@code
 * component-base/metrics/prometheus/slis}). A check appears with its first result. Thread-safe.
 */
public final class HealthSlis {

    private final Map<String, Results> results = new ConcurrentSkipListMap<>();
    private final String type;

    private static final class Results {

        private final AtomicLong good = new AtomicLong();
        private final AtomicLong bad = new AtomicLong();
        private volatile boolean isWell;
    }

    /**
     * Creates an empty page.
     *
     * @param type the value of the label {@code type}, such as {@code healthz}
     */
    public HealthSlis(String type) {
        this.type = type;
    }

    /** Returns a check that also counts its results. */
    public HealthPage.Check counting(HealthPage.Check check) {
        return new HealthPage.Check(
                check.name(),
                () -> {
                    String problem = check.problem().get();
                    Results ofCheck = results.computeIfAbsent(check.name(), unused -> new Results());
                    ofCheck.isWell = problem.isEmpty();
                    (problem.isEmpty() ? ofCheck.good : ofCheck.bad).incrementAndGet();
                    return problem;
                },
                check.remark());
    }

    /** Returns the page, in the text format of Prometheus. */
    public byte[] text() {
        StringBuilder gauges = new StringBuilder("# HELP kubernetes_healthcheck [STABLE] Last result of a health check,"
                + " 1 for success\n# TYPE kubernetes_healthcheck gauge\n");
        StringBuilder counters = new StringBuilder("# HELP kubernetes_healthchecks_total [STABLE] Results of a health"
                + " check\n# TYPE kubernetes_healthchecks_total counter\n");
        results.forEach((name, ofCheck) -> {
            gauges.append("kubernetes_healthcheck{name=\"" + name + "\",type=\"" + type + "\"} ")
                    .append(ofCheck.isWell ? 1 : 0)
                    .append('\n');
            count(counters, name, "error", ofCheck.bad.get());
            count(counters, name, "success", ofCheck.good.get());
        });
        String page = results.isEmpty() ? "" : gauges.append(counters).toString();
        return page.getBytes(StandardCharsets.UTF_8);
    }

    private void count(StringBuilder page, String name, String status, long number) {
        if (number > 0) {
            page.append("kubernetes_healthchecks_total{name=\"" + name + "\",status=\"" + status + "\",type=\"" + type
                            + "\"} ")
                    .append(number)
                    .append('\n');
        }
    }
}
