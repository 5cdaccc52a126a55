package io.kubeloop.app.manager;

import java.util.Map;
import picocli.CommandLine;

/**
 * The flags {@code --concurrent-*-syncs} of {@code controller-manager}: how many objects each controller syncs in parallel.
 * The parser of the command line writes them; they do not change afterwards.
 */
@SuppressWarnings("FieldMayBeFinal") // picocli writes them
final class ConcurrencyFlags {

    private static final String REST = " synced in parallel, each on its own thread: 1 to " + ManagerFlags.MAX_SYNCS
            + ". Default: ${DEFAULT-VALUE}.";

    @CommandLine.Option(
            names = "--concurrent-endpoint-syncs",
            paramLabel = "N",
            defaultValue = "5",
            description = "Services" + REST)
    private int endpoints = 5;

    @CommandLine.Option(
            names = "--concurrent-deployment-syncs",
            paramLabel = "N",
            defaultValue = "5",
            description = "Deployments" + REST)
    private int deployments = 5;

    @CommandLine.Option(
            names = "--concurrent-replicaset-syncs",
            paramLabel = "N",
            defaultValue = "5",
            description = "ReplicaSets" + REST)
    private int replicaSets = 5;

    @CommandLine.Option(
            names = "--concurrent-rc-syncs",
            paramLabel = "N",
            defaultValue = "5",
            description = "ReplicationControllers" + REST)
    private int replicationControllers = 5;

    @CommandLine.Option(
            names = "--concurrent-statefulset-syncs",
            paramLabel = "N",
            defaultValue = "5",
            description = "StatefulSets" + REST)
    private int statefulSets = 5;

    @CommandLine.Option(
            names = "--concurrent-job-syncs",
            paramLabel = "N",
            defaultValue = "5",
            description = "Jobs" + REST)
    private int jobs = 5;

    @CommandLine.Option(
            names = "--concurrent-cron-job-syncs",
            paramLabel = "N",
            defaultValue = "5",
            description = "CronJobs" + REST)
    private int cronJobs = 5;

    @CommandLine.Option(
            names = "--concurrent-ttl-after-finished-syncs",
            paramLabel = "N",
            defaultValue = "5",
            description = "Finished Jobs with a time to live" + REST)
    private int finishedJobs = 5;

    @CommandLine.Option(
            names = "--concurrent-daemonset-syncs",
            paramLabel = "N",
            defaultValue = "2",
            description = "DaemonSets" + REST)
    private int daemonSets = 2;

    /** Returns the numbers by the short names of the controllers. */
    Map<String, Integer> byController() {
        return Map.ofEntries(
                Map.entry("endpoint", endpoints),
                Map.entry("deployment", deployments),
                Map.entry("replicaset", replicaSets),
                Map.entry("replicationcontroller", replicationControllers),
                Map.entry("statefulset", statefulSets),
                Map.entry("daemonset", daemonSets),
                Map.entry("job", jobs),
                Map.entry("cronjob", cronJobs),
                Map.entry("ttl-after-finished", finishedJobs));
    }

    /** Checks the values; see {@link ManagerFlags#check}. */
    void check() {
        ManagerFlags.checkSyncs("--concurrent-endpoint-syncs", endpoints);
        ManagerFlags.checkSyncs("--concurrent-deployment-syncs", deployments);
        ManagerFlags.checkSyncs("--concurrent-replicaset-syncs", replicaSets);
        ManagerFlags.checkSyncs("--concurrent-rc-syncs", replicationControllers);
        ManagerFlags.checkSyncs("--concurrent-statefulset-syncs", statefulSets);
        ManagerFlags.checkSyncs("--concurrent-job-syncs", jobs);
        ManagerFlags.checkSyncs("--concurrent-cron-job-syncs", cronJobs);
        ManagerFlags.checkSyncs("--concurrent-ttl-after-finished-syncs", finishedJobs);
        ManagerFlags.checkSyncs("--concurrent-daemonset-syncs", daemonSets);
    }
}
