package io.kubeloop.app.manager;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.app.cli.DurationFlag;
import io.kubeloop.app.cli.ListenAddress;
import io.kubeloop.app.cli.UsageException;
import io.kubeloop.controller.leaderelection.LeaseDurations;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine;

/**
 * The flags of {@code controller-manager}, by the names of kube-controller-manager. Written by the command line's parser,
 * read-only afterwards.
 */
@SuppressWarnings("FieldMayBeFinal") // picocli writes them
final class ManagerFlags {

    /**
     * Upstream has no bound: its workers cost next to nothing. Here each is a thread, of which a container has commonly a few
     * thousand, and what the API server takes from one client keeps far fewer busy.
     */
    private static final int MAX_SYNCS = 1000;

    @CommandLine.Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            defaultValue = "",
            description =
                    "How to reach the API server. Default: the pod's service account; outside of a pod KUBECONFIG, or "
                            + "~/.kube/config.")
    private String kubeconfig = "";

    @CommandLine.Option(
            names = "--master",
            paramLabel = "URL",
            defaultValue = "",
            description = "The API server's URL; overrides the one of the kubeconfig.")
    private String master = "";

    @CommandLine.Option(
            names = "--controllers",
            split = ",",
            defaultValue = "*",
            paramLabel = "NAMES",
            description = "Which controllers run: '*' all, 'foo' that one, '-foo' all but that one. "
                    + "Known: endpoint, replicaset, replicationcontroller. Default: ${DEFAULT-VALUE}.")
    private List<String> controllers = List.of("*");

    @CommandLine.Option(
            names = "--concurrent-endpoint-syncs",
            paramLabel = "N",
            defaultValue = "5",
            description = "Services worked on side by side, each on a thread of its own: 1 to " + MAX_SYNCS
                    + ". Default: ${DEFAULT-VALUE}.")
    private int endpointSyncs;

    @CommandLine.Option(
            names = "--endpoint-updates-batch-period",
            paramLabel = "DURATION",
            defaultValue = "0",
            converter = DurationFlag.class,
            description = "How long changes of pods are gathered before Endpoints are written. Default: 0s, at once.")
    private Duration endpointUpdatesBatchPeriod = Duration.ZERO;

    @CommandLine.Option(
            names = "--concurrent-replicaset-syncs",
            paramLabel = "N",
            defaultValue = "5",
            description = "ReplicaSets worked on side by side, each on a thread of its own: 1 to " + MAX_SYNCS
                    + ". Default: ${DEFAULT-VALUE}.")
    private int replicaSetSyncs;

    @CommandLine.Option(
            names = "--concurrent-rc-syncs",
            paramLabel = "N",
            defaultValue = "5",
            description = "ReplicationControllers worked on side by side, each on a thread of its own: 1 to "
                    + MAX_SYNCS + ". Default: ${DEFAULT-VALUE}.")
    private int replicationControllerSyncs;

    @CommandLine.Option(
            names = "--rules",
            paramLabel = "RELEASE",
            defaultValue = "current",
            converter = ProfileConverter.class,
            description = "The release of Kubernetes whose objects the controllers write: current, or v1_20 for API "
                    + "servers and clients of Kubernetes 1.20. Default: ${DEFAULT-VALUE}.")
    private CompatibilityProfile rules = CompatibilityProfile.CURRENT;

    @CommandLine.Option(
            names = "--kube-api-qps",
            paramLabel = "N",
            defaultValue = "20",
            description =
                    "Requests per second that each controller may send. Default: ${DEFAULT-VALUE}; 0 sets no limit.")
    private double qps;

    @CommandLine.Option(
            names = "--kube-api-burst",
            paramLabel = "N",
            defaultValue = "30",
            description = "Requests that each controller may send at once. Default: ${DEFAULT-VALUE}.")
    private int burst;

    @CommandLine.Option(
            names = "--kube-api-content-type",
            paramLabel = "TYPE",
            defaultValue = ApiRequest.PROTOBUF,
            description = "How to speak with the API server: " + ApiRequest.PROTOBUF
                    + ", which costs it less, or application/json. Default: ${DEFAULT-VALUE}.")
    private String contentType = ApiRequest.PROTOBUF;

    @CommandLine.Option(
            names = "--min-resync-period",
            paramLabel = "DURATION",
            defaultValue = "12h",
            converter = DurationFlag.class,
            description = "How often everything in the caches is looked at again, at the least; "
                    + "the period is between this and twice this. Default: ${DEFAULT-VALUE}.")
    private Duration minResyncPeriod = Duration.ofHours(12);

    @CommandLine.Option(
            names = "--leader-elect",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "true",
            paramLabel = "true|false",
            description = "Whether a lease decides which of several managers acts. Default: ${DEFAULT-VALUE}.")
    private boolean leaderElect;

    @CommandLine.Option(
            names = "--leader-elect-lease-duration",
            paramLabel = "DURATION",
            defaultValue = "15s",
            converter = DurationFlag.class,
            description = "How long others wait after the leader's last sign of life. Default: ${DEFAULT-VALUE}.")
    private Duration leaseDuration = Duration.ofSeconds(15);

    @CommandLine.Option(
            names = "--leader-elect-renew-deadline",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = DurationFlag.class,
            description = "How long the leader tries to renew before it gives up. Default: ${DEFAULT-VALUE}.")
    private Duration renewDeadline = Duration.ofSeconds(10);

    @CommandLine.Option(
            names = "--leader-elect-retry-period",
            paramLabel = "DURATION",
            defaultValue = "2s",
            converter = DurationFlag.class,
            description = "How long to wait between tries. Default: ${DEFAULT-VALUE}.")
    private Duration retryPeriod = Duration.ofSeconds(2);

    @CommandLine.Option(
            names = "--leader-elect-resource-lock",
            paramLabel = "KIND",
            defaultValue = "leases",
            description = "What the lock is kept in; only leases. Default: ${DEFAULT-VALUE}.")
    private String resourceLock = "leases";

    @CommandLine.Option(
            names = "--leader-elect-resource-name",
            paramLabel = "NAME",
            defaultValue = "kube-controller-manager",
            description = "The lease's name. Default: ${DEFAULT-VALUE}.")
    private String resourceName = "";

    @CommandLine.Option(
            names = "--leader-elect-resource-namespace",
            paramLabel = "NAMESPACE",
            defaultValue = "kube-system",
            description = "The lease's namespace. Default: ${DEFAULT-VALUE}.")
    private String resourceNamespace = "";

    @CommandLine.Option(
            names = "--use-service-account-credentials",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            paramLabel = "true|false",
            description = "Whether each controller acts as a service account of its own. Default: ${DEFAULT-VALUE}.")
    private boolean serviceAccountCredentials;

    @CommandLine.Option(
            names = "--bind-address",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Where health and metrics are served. Default: ${DEFAULT-VALUE}.")
    private String bindAddress = "";

    @CommandLine.Option(
            names = "--http-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description =
                    "Port of /healthz, /livez, /readyz, /metrics, /configz and the pipeline page. Default: 0, off.")
    private int httpPort;

    String kubeconfig() {
        return kubeconfig;
    }

    String master() {
        return master;
    }

    ControllerSelection selection() {
        return new ControllerSelection(controllers);
    }

    ControllerOptions controllerOptions() {
        return new ControllerOptions(
                endpointSyncs, endpointUpdatesBatchPeriod, replicaSetSyncs, replicationControllerSyncs, rules);
    }

    double qps() {
        return qps;
    }

    int burst() {
        return burst;
    }

    boolean protobuf() {
        return contentType.equals(ApiRequest.PROTOBUF);
    }

    Duration minResyncPeriod() {
        return minResyncPeriod;
    }

    boolean leaderElect() {
        return leaderElect;
    }

    Duration leaseDuration() {
        return leaseDuration;
    }

    Duration renewDeadline() {
        return renewDeadline;
    }

    Duration retryPeriod() {
        return retryPeriod;
    }

    String resourceName() {
        return resourceName;
    }

    String resourceNamespace() {
        return resourceNamespace;
    }

    boolean serviceAccountCredentials() {
        return serviceAccountCredentials;
    }

    String bindAddress() {
        return bindAddress;
    }

    int httpPort() {
        return httpPort;
    }

    /**
     * Checks what no single flag can say.
     *
     * @throws UsageException if the flags contradict each other
     */
    void check() {
        checkSyncs("--concurrent-endpoint-syncs", endpointSyncs);
        checkSyncs("--concurrent-replicaset-syncs", replicaSetSyncs);
        checkSyncs("--concurrent-rc-syncs", replicationControllerSyncs);
        if (qps < 0 || !Double.isFinite(qps) || (qps > 0 && burst < 1)) {
            throw new UsageException(
                    "--kube-api-qps must be a number and not negative, and needs --kube-api-burst of 1 or more; got "
                            + qps + " and " + burst);
        }
        if (!contentType.equals(ApiRequest.PROTOBUF) && !contentType.equals(ApiRequest.JSON)) {
            throw new UsageException("--kube-api-content-type must be " + ApiRequest.PROTOBUF + " or " + ApiRequest.JSON
                    + ", got " + contentType);
        }
        ListenAddress.checkPort("--http-port", httpPort);
        ListenAddress.checkAddress("--bind-address", bindAddress);
        if (!resourceLock.equals("leases")) {
            throw new UsageException("--leader-elect-resource-lock must be leases, got " + resourceLock
                    + " (Kubernetes dropped the other kinds in 1.24)");
        }
        if (leaderElect && (resourceName.isEmpty() || resourceNamespace.isEmpty())) {
            throw new UsageException(
                    "--leader-elect needs --leader-elect-resource-name and --leader-elect-resource-namespace, got \""
                            + resourceName + "\" and \"" + resourceNamespace + "\"");
        }
        if (leaderElect) {
            checkLeaseDurations();
        }
        if (minResyncPeriod.isZero()) {
            throw new UsageException("--min-resync-period must be more than 0");
        }
    }

    private void checkLeaseDurations() {
        try {
            new LeaseDurations(leaseDuration(), renewDeadline(), retryPeriod());
        } catch (IllegalArgumentException e) {
            throw new UsageException("the durations of --leader-elect-... do not fit: " + e.getMessage());
        }
    }

    private static void checkSyncs(String flag, int value) {
        if (value < 1 || value > MAX_SYNCS) {
            throw new UsageException(flag + " must be 1 to " + MAX_SYNCS + ", got " + value);
        }
    }

    /** Converts the value of {@code --rules}. */
    static final class ProfileConverter implements CommandLine.ITypeConverter<CompatibilityProfile> {

        @Override
        public CompatibilityProfile convert(String text) {
            try {
                return CompatibilityProfile.parse(text);
            } catch (IllegalArgumentException e) {
                throw new CommandLine.TypeConversionException(e.getMessage());
            }
        }
    }
}
