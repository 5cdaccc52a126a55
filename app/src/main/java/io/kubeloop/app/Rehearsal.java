package io.kubeloop.app;

import io.kubeloop.api.IntOrString;
import io.kubeloop.api.LabelSelectorBuilder;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.apps.ReplicaSetBuilder;
import io.kubeloop.api.apps.ReplicaSetSpecBuilder;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Container;
import io.kubeloop.api.core.ContainerBuilder;
import io.kubeloop.api.core.ContainerPortBuilder;
import io.kubeloop.api.core.PodSpecBuilder;
import io.kubeloop.api.core.PodTemplateSpecBuilder;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.core.ServiceBuilder;
import io.kubeloop.api.core.ServicePortBuilder;
import io.kubeloop.api.core.ServiceSpecBuilder;
import io.kubeloop.app.Convergence.Row;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.OkHttpTransport;
import io.kubeloop.transport.memory.http.HttpFace;
import io.kubeloop.transport.protobuf.ProtobufTransport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the controllers once on an API server in this process, over HTTP on a loopback address, for practice.
 *
 * <p>Code that has never run is interpreted, and compiled while it is needed: a manager's first burst of 5,000 pods costs
 * a third more CPU than its second. A manager that waits for the lease, or for work, has time to get over with that
 * ({@link BackgroundRehearsal}), so that it is quick when it is needed. The server, its port, its objects and their threads are
 * gone afterwards; what stays are the idle threads that OkHttp shares among all clients of a process.
 *
 * <p>Confined to the thread that runs it.
 */
final class Rehearsal {

    private static final Logger log = LoggerFactory.getLogger(Rehearsal.class);

    /** Enough for the JVM to compile what each of them needs, by the thresholds that the launcher sets. */
    private static final int PODS = 100;

    private static final int SERVICES = 80;

    private static final String NAMESPACE = "default";
    private static final Map<String, String> LABELS = Map.of("app", "rehearsal");
    private static final Duration LOOK_AGAIN = Duration.ofMillis(5);

    private final ShutdownSignal signal;
    private final Duration limit;
    private final boolean protobuf;

    /**
     * Makes a rehearsal.
     *
     * @param signal ends it early
     * @param limit how long it may take; what is not done by then is left out
     * @param protobuf whether to speak protocol buffers, as the manager will
     */
    Rehearsal(ShutdownSignal signal, Duration limit, boolean protobuf) {
        this.signal = signal;
        this.limit = limit;
        this.protobuf = protobuf;
    }

    /**
     * Rehearses. Blocks. A failure is logged and has no other consequence than a slow first burst of work.
     *
     * @return whether it was gone through to its end
     */
    boolean run() throws InterruptedException {
        long start = System.nanoTime();
        log.info("Rehearsing on an API server in this process: the controllers that start now end soon");
        try (EmbeddedControlPlane plane = EmbeddedControlPlane.start(HttpFace.Config.DEFAULT, false, true);
                OkHttpTransport http = OkHttpTransport.create(
                        ClientConfig.of(plane.url()).withRateLimit(Integer.MAX_VALUE, Integer.MAX_VALUE));
                ManagerRun run = ManagerRun.inProcess(protobuf ? new ProtobufTransport(http) : http)) {
            boolean done = perform(KubeClient.of(plane.transport(), EmbeddedControlPlane.codec()), run, start);
            log.info("Rehearsed: milliseconds={} complete={}", (System.nanoTime() - start) / 1_000_000, done);
            return done;
        } catch (RuntimeException e) {
            log.warn("The rehearsal failed, so the first work will be slower than it could be", e);
            return false;
        }
    }

    /** The services come when the pods are ready, so that their Endpoints are written once. */
    private boolean perform(KubeClient client, ManagerRun run, long start) throws InterruptedException {
        Convergence convergence = Convergence.of(run.informers());
        client.resource(ResourceTypes.REPLICA_SETS).create(replicaSet());
        boolean settled = awaitSettled(convergence, 1, start);
        for (int i = 0; settled && i < SERVICES; i++) {
            client.resource(ResourceTypes.SERVICES).create(service(i));
        }
        return settled && awaitSettled(convergence, 1 + SERVICES, start);
    }

    private boolean awaitSettled(Convergence convergence, int count, long start) throws InterruptedException {
        while (!signal.isAsked() && System.nanoTime() - start < limit.toNanos()) {
            List<Row> rows = convergence.rows();
            if (rows.size() == count && rows.stream().allMatch(Row::settled)) {
                return true;
            }
            signal.await(LOOK_AGAIN);
        }
        return false;
    }

    private static ReplicaSet replicaSet() {
        Container container = ContainerBuilder.builder()
                .name("container")
                .image("example/rehearsal:1")
                .ports(List.of(ContainerPortBuilder.builder()
                        .name("http")
                        .containerPort(8080)
                        .build()))
                .build();
        return ReplicaSetBuilder.builder()
                .metadata(ObjectMeta.named(NAMESPACE, "rehearsal"))
                .spec(ReplicaSetSpecBuilder.builder()
                        .replicas(PODS)
                        .selector(LabelSelectorBuilder.builder()
                                .matchLabels(LABELS)
                                .build())
                        .template(PodTemplateSpecBuilder.builder()
                                .metadata(ObjectMetaBuilder.builder()
                                        .labels(LABELS)
                                        .build())
                                .spec(PodSpecBuilder.builder()
                                        .containers(List.of(container))
                                        .build())
                                .build())
                        .build())
                .build();
    }

    private static Service service(int number) {
        return ServiceBuilder.builder()
                .metadata(ObjectMeta.named(NAMESPACE, "rehearsal-" + number))
                .spec(ServiceSpecBuilder.builder()
                        .selector(LABELS)
                        .ports(List.of(ServicePortBuilder.builder()
                                .port(80)
                                .targetPort(IntOrString.of("http"))
                                .build()))
                        .build())
                .build();
    }
}
