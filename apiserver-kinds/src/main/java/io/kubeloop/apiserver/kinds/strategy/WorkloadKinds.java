package io.kubeloop.apiserver.kinds.strategy;

import java.util.Map;

/** The kinds of the groups apps, batch, autoscaling and policy (upstream: {@code pkg/registry/apps} and its neighbors). */
final class WorkloadKinds {

    static final Map<String, KindStrategy.Entry> TABLE = Map.of(
            "jobs.batch", KindStrategy.of("batch.v1.Job").status().generation().orphansByDefault());

    private WorkloadKinds() {}
}
