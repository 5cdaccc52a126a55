package io.kubeloop.app.manager;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.app.cli.DurationFlag;
import io.kubeloop.app.cli.ListenAddress;
import io.kubeloop.app.cli.UsageException;
import io.kubeloop.controller.certificates.SigningConfig;
import io.kubeloop.controller.endpoint.EndpointControllerConfig;
import io.kubeloop.controller.leaderelection.LeaseDurations;
import io.kubeloop.manager.ControllerOptions;
import io.kubeloop.manager.ControllerOptionsBuilder;
import io.kubeloop.manager.ControllerSelection;
import io.kubeloop.manager.ServiceAccountOptions;
import io.kubeloop.transport.http.TlsConfig;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * The flags of {@code controller-manager}, with the names of kube-controller-manager. The parser of the command line
 * writes them; they do not change afterwards.
 */
@SuppressWarnings("FieldMayBeFinal") // picocli writes them
final class ManagerFlags {

    /**
     * Upstream has no limit, because goroutines are cheap. Here each worker is a thread; containers often limit the
     * number of threads to a few thousand. The rate limit of the client keeps far fewer workers busy.
     */
    static final int MAX_SYNCS = 1000;

    @CommandLine.Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            defaultValue = "",
            description =
                    "Kubeconfig of the API server. Default: the service account of the pod; outside of a pod the files of "
                            + "KUBECONFIG, or ~/.kube/config.")
    private String kubeconfig = "";

    @CommandLine.Option(
            names = "--master",
            paramLabel = "URL",
            defaultValue = "",
            description = "URL of the API server; overrides the one of the kubeconfig.")
    private String master = "";

    @CommandLine.Option(
            names = "--controllers",
            split = ",",
            defaultValue = "*",
            paramLabel = "NAMES",
            completionCandidates = ControllerNames.class,
            description = "The controllers to run: '*' enables those that are on by default, 'foo' enables foo, '-foo' "
                    + "disables foo. Names: ${COMPLETION-CANDIDATES}. Off by default: bootstrap-signer-controller, "
                    + "token-cleaner-controller. Default: ${DEFAULT-VALUE}.")
    private List<String> controllers = List.of("*");

    @CommandLine.Mixin
    private ConcurrencyFlags concurrency = new ConcurrencyFlags();

    @CommandLine.Option(
            names = "--endpoint-updates-batch-period",
            paramLabel = "DURATION",
            defaultValue = "0",
            converter = DurationFlag.class,
            description =
                    "Delay between a change of a pod and the sync of its Services, so that one sync covers several changes. "
                            + "Default: 0s.")
    private Duration endpointUpdatesBatchPeriod = Duration.ZERO;

    @CommandLine.Mixin
    private SliceFlags slices = new SliceFlags();

    @CommandLine.Mixin
    private DeletionFlags deletion = new DeletionFlags();

    @CommandLine.Mixin
    private AutoscalingFlags autoscaling = new AutoscalingFlags();

    @CommandLine.Mixin
    private ServiceAccountFlags serviceAccounts = new ServiceAccountFlags();

    @CommandLine.Mixin
    private CertificateFlags certificates = new CertificateFlags();

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
            description = "Content type of requests and responses: " + ApiRequest.PROTOBUF
                    + ", which costs the server less CPU, or application/json. Default: ${DEFAULT-VALUE}.")
    private String contentType = ApiRequest.PROTOBUF;

    @CommandLine.Option(
            names = "--min-resync-period",
            paramLabel = "DURATION",
            defaultValue = "12h",
            converter = DurationFlag.class,
            description =
                    "Shortest resync period of the informers. The period is random, between this value and twice this value. "
                            + "Default: ${DEFAULT-VALUE}.")
    private Duration minResyncPeriod = Duration.ofHours(12);

    @CommandLine.Option(
            names = "--leader-elect",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "true",
            paramLabel = "true|false",
            description =
                    "Whether managers elect a leader, which alone runs its controllers. Default: ${DEFAULT-VALUE}.")
    private boolean leaderElect;

    @CommandLine.Option(
            names = "--leader-elect-lease-duration",
            paramLabel = "DURATION",
            defaultValue = "15s",
            converter = DurationFlag.class,
            description =
                    "Time after the last observed renewal when another candidate may take the lease. Default: ${DEFAULT-VALUE}.")
    private Duration leaseDuration = Duration.ofSeconds(15);

    @CommandLine.Option(
            names = "--leader-elect-renew-deadline",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = DurationFlag.class,
            description =
                    "Time that the leader tries to renew the lease before it stops leading. Default: ${DEFAULT-VALUE}.")
    private Duration renewDeadline = Duration.ofSeconds(10);

    @CommandLine.Option(
            names = "--leader-elect-retry-period",
            paramLabel = "DURATION",
            defaultValue = "2s",
            converter = DurationFlag.class,
            description = "Time between two attempts to acquire or renew the lease. Default: ${DEFAULT-VALUE}.")
    private Duration retryPeriod = Duration.ofSeconds(2);

    @CommandLine.Option(
            names = "--leader-elect-resource-lock",
            paramLabel = "KIND",
            defaultValue = "leases",
            description = "Kind of the lock object; leases is the only value. Default: ${DEFAULT-VALUE}.")
    private String resourceLock = "leases";

    @CommandLine.Option(
            names = "--leader-elect-resource-name",
            paramLabel = "NAME",
            defaultValue = "kube-controller-manager",
            description = "Name of the lease. Default: ${DEFAULT-VALUE}.")
    private String resourceName = "";

    @CommandLine.Option(
            names = "--leader-elect-resource-namespace",
            paramLabel = "NAMESPACE",
            defaultValue = "kube-system",
            description = "Namespace of the lease. Default: ${DEFAULT-VALUE}.")
    private String resourceNamespace = "";

    @CommandLine.Option(
            names = "--use-service-account-credentials",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            paramLabel = "true|false",
            description =
                    "Whether each controller authenticates as its own service account. Default: ${DEFAULT-VALUE}.")
    private boolean serviceAccountCredentials;

    @CommandLine.Option(
            names = "--bind-address",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Address of the HTTP pages. Default: ${DEFAULT-VALUE}.")
    private String bindAddress = "";

    @CommandLine.Option(
            names = "--http-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description =
                    "Port of /healthz, /livez, /readyz, /metrics, /configz and the live page. Default: 0, no pages.")
    private int httpPort;

    @CommandLine.Option(
            names = "--live-page",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description =
                    "Whether --http-port serves the live page, which shows names of objects. Default: true if --bind-address is a loopback "
                            + "address.")
    private @Nullable Boolean livePage;

    String kubeconfig() {
        return kubeconfig;
    }

    String master() {
        return master;
    }

    /** Returns the entries of {@code --controllers}. */
    List<String> controllers() {
        return controllers;
    }

    /** Returns the controllers that run: as upstream, {@code --enable-garbage-collector=false} overrules the names. */
    ControllerSelection selection() {
        List<String> entries = new ArrayList<>(controllers);
        if (!deletion.garbageCollector()) {
            entries.add(0, "-garbage-collector-controller");
        }
        return new ControllerSelection(entries);
    }

    /** Returns whether the garbage collector may run. */
    boolean garbageCollector() {
        return deletion.garbageCollector();
    }

    /** Returns the options without those that are read from files. */
    ControllerOptions controllerOptions() {
        return controllerOptions(ServiceAccountOptions.DEFAULT, ControllerOptions.DEFAULT.signing());
    }

    /**
     * Returns the options, and reads the files that flags name.
     *
     * @param connection the connection to the API server
     * @throws UsageException if a file cannot be read
     */
    ControllerOptions controllerOptions(TlsConfig connection) {
        return controllerOptions(serviceAccounts.read(connection), certificates.read());
    }

    private ControllerOptions controllerOptions(ServiceAccountOptions accountOptions, SigningConfig signing) {
        Map<String, Integer> syncs = new HashMap<>(concurrency.byController());
        syncs.putAll(slices.syncs());
        syncs.putAll(deletion.syncs());
        syncs.put("horizontalpodautoscaling", autoscaling.syncs());
        syncs.put("serviceaccount-token", serviceAccounts.tokenSyncs());
        return ControllerOptionsBuilder.builder(ControllerOptions.DEFAULT.withSyncsOf(syncs))
                .endpoints(new EndpointControllerConfig(endpointUpdatesBatchPeriod))
                .slices(slices.config())
                .mirroring(slices.mirroring())
                .autoscaling(autoscaling.config())
                .namespaces(deletion.namespaces())
                .quotas(deletion.quotas())
                .terminatedPodThreshold(deletion.terminatedPodThreshold())
                .serviceAccounts(accountOptions)
                .signing(signing)
                .build();
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

    /** Returns whether the address of the HTTP pages is one of this machine only. */
    boolean isBoundToLoopback() {
        try {
            return InetAddress.getByName(bindAddress).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false; // the attempt to listen reports it
        }
    }

    boolean livePage() {
        return livePage == null ? isBoundToLoopback() : livePage;
    }

    int httpPort() {
        return httpPort;
    }

    /**
     * Checks the values of all flags.
     *
     * @throws UsageException if a value is out of range or flags contradict each other
     */
    void check() {
        concurrency.check();
        slices.check();
        deletion.check();
        autoscaling.check();
        serviceAccounts.check();
        certificates.check();
        if (qps < 0 || !Double.isFinite(qps) || (qps > 0 && burst < 1)) {
            throw new UsageException(
                    "--kube-api-qps must be a number and not negative, and requires --kube-api-burst of 1 or more; got "
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
                    "--leader-elect requires --leader-elect-resource-name and --leader-elect-resource-namespace, got \""
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
            throw new UsageException("the durations of --leader-elect-... contradict each other: " + e.getMessage());
        }
    }

    static void checkSyncs(String flag, int value) {
        if (value < 1 || value > MAX_SYNCS) {
            throw new UsageException(flag + " must be 1 to " + MAX_SYNCS + ", got " + value);
        }
    }
}
