package io.kubeloop.app.manager;

import io.kubeloop.app.cli.DurationFlag;
import io.kubeloop.controller.namespace.NamespaceControllerConfig;
import io.kubeloop.controller.resourcequota.ResourceQuotaConfig;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine;

/** The flags of the controllers that delete objects or count them. The parser of the command line writes them; they do not change afterwards. */
final class DeletionFlags {

    @CommandLine.Option(
            names = "--enable-garbage-collector",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "true",
            paramLabel = "true|false",
            description = "Whether the garbage collector runs. Must equal the flag of the API server. "
                    + "Default: ${DEFAULT-VALUE}.")
    private boolean garbageCollector = true;

    @CommandLine.Option(
            names = "--concurrent-gc-syncs",
            paramLabel = "N",
            defaultValue = "20",
            description = "Objects that the garbage collector checks in parallel, each on its own thread: 1 to "
                    + ManagerFlags.MAX_SYNCS + ". Default: ${DEFAULT-VALUE}.")
    private int garbageCollectorSyncs = 20;

    @CommandLine.Option(
            names = "--concurrent-namespace-syncs",
            paramLabel = "N",
            defaultValue = "10",
            description = "Namespaces synced in parallel, each on its own thread: 1 to " + ManagerFlags.MAX_SYNCS
                    + ". Default: ${DEFAULT-VALUE}.")
    private int namespaceSyncs = 10;

    @CommandLine.Option(
            names = "--namespace-sync-period",
            paramLabel = "DURATION",
            defaultValue = "5m",
            converter = DurationFlag.class,
            description = "Time after which each terminating namespace is synced again. Default: ${DEFAULT-VALUE}.")
    private Duration namespaceSyncPeriod = Duration.ofMinutes(5);

    @CommandLine.Option(
            names = "--terminated-pod-gc-threshold",
            paramLabel = "N",
            defaultValue = "12500",
            description = "Finished pods that are kept; the oldest of more are deleted. 0 keeps all of them. "
                    + "Default: ${DEFAULT-VALUE}.")
    private int terminatedPodThreshold = 12500;

    @CommandLine.Option(
            names = "--concurrent-resource-quota-syncs",
            paramLabel = "N",
            defaultValue = "5",
            description =
                    "Resource quotas counted in parallel, each on its own thread, and as many quotas without usage: "
                            + "1 to " + ManagerFlags.MAX_SYNCS + ". Default: ${DEFAULT-VALUE}.")
    private int quotaSyncs = 5;

    @CommandLine.Option(
            names = "--resource-quota-sync-period",
            paramLabel = "DURATION",
            defaultValue = "5m",
            converter = DurationFlag.class,
            description = "Time after which every resource quota is counted again. 0 means never. "
                    + "Default: ${DEFAULT-VALUE}.")
    private Duration quotaSyncPeriod = Duration.ofMinutes(5);

    boolean garbageCollector() {
        return garbageCollector;
    }

    /** Returns the numbers of parallel syncs by the short names of the controllers. */
    Map<String, Integer> syncs() {
        return Map.of(
                "garbagecollector", garbageCollectorSyncs,
                "namespace", namespaceSyncs,
                "resourcequota", quotaSyncs);
    }

    NamespaceControllerConfig namespaces() {
        return NamespaceControllerConfig.DEFAULT.withResyncPeriod(namespaceSyncPeriod);
    }

    ResourceQuotaConfig quotas() {
        return new ResourceQuotaConfig(quotaSyncPeriod);
    }

    int terminatedPodThreshold() {
        return terminatedPodThreshold;
    }

    /** Checks the values; see {@link ManagerFlags#check}. */
    void check() {
        ManagerFlags.checkSyncs("--concurrent-gc-syncs", garbageCollectorSyncs);
        ManagerFlags.checkSyncs("--concurrent-namespace-syncs", namespaceSyncs);
        ManagerFlags.checkSyncs("--concurrent-resource-quota-syncs", quotaSyncs);
    }
}
