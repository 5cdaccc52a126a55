/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo.lessons;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.apiserver.command.ServingOptions;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.EventCause;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.InformerHealth;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.Transforms;
import io.kubeloop.command.DaemonThreads;
import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerLoop;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.controlplane.SimulatedClock;
import io.kubeloop.demo.live.LiveFeed;
import io.kubeloop.demo.live.LivePage;
import io.kubeloop.demo.live.LiveView;
import io.kubeloop.demo.live.PageKey;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.manager.ControllerDescriptor;
import io.kubeloop.manager.ControllerManager;
import io.kubeloop.manager.ControllerOptions;
import io.kubeloop.manager.ControllerOptionsBuilder;
import io.kubeloop.manager.ControllerTable;
import io.kubeloop.manager.ServiceAccountOptions;
import io.kubeloop.manager.command.pages.ManagerHttp;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A control plane on a clock of its own, with two controller managers that compete for a lease, and the live page that
 * shows them.
 *
 * <p>The managers are ordinary clients of the API server, so faults affect them. Beside Kubernetes' controllers
 * they run the controller {@code viewer}, which does nothing: the faults of handlers happen in its handler.
 *
 * <p>Thread-safe. {@link #close} blocks as the parts do.
 */
public final class LiveDemo implements AutoCloseable {

    private static final ObjectName LEASE = new ObjectName("kube-system", "kube-controller-manager");

    /** The resync period of the handler {@code viewer}; the other handlers have upstream's 12 h. */
    private static final Duration RESYNC = Duration.ofSeconds(30);

    private static final Duration LONGEST_ADVANCE = Duration.ofMinutes(10);

    private final SimulatedClock clock = SimulatedClock.running();
    private final Pace pace = new Pace(clock);
    private final LiveView view = new LiveView(new LiveFeed(pace), LiveView.Metrics.NONE, this::about, this::cache);
    private final ControlPlane plane;
    private final KubeClient user;

    /** The user as whom the commands of the page act. */
    private final UserInfo holder;

    private final DemoFaults faults;
    private final List<Candidate> candidates = new CopyOnWriteArrayList<>();
    private final CountDownLatch led = new CountDownLatch(1);
    private final ManagerHttp http;
    private final PageKey key = PageKey.random();

    /** The paths of the objects that commands have created. */
    private final Deque<String> created = new ConcurrentLinkedDeque<>();

    private LiveDemo(ServingOptions.Serving serving, int port, int pagePort) {
        String rootCa = serving.certificates();
        http = ManagerHttp.bind("127.0.0.1", pagePort); // first: it fails if the port is taken
        ControlPlane.Builder builder = ControlPlane.builder()
                .http(serving.at("127.0.0.1", port))
                .roles(serving.roles())
                .clock(clock)
                .controllers(List.of())
                .kubelet(true)
                .heartbeats(true);
        serving.services().forEach(builder::serviceAddress);
        plane = builder.start();
        user = plane.client();
        holder = holder(plane, serving.token());
        faults = new DemoFaults(plane.faults(), clock, this::leader, this::change);
        // The controller would create it a moment later, and the first pods would be rejected until then.
        request(
                UserInfo.ADMIN,
                JsonObject.EMPTY
                        .with("method", "POST")
                        .with("path", "/api/v1/namespaces/default/serviceaccounts")
                        .with(
                                "body",
                                JsonObject.parse("{\"apiVersion\":\"v1\",\"kind\":\"ServiceAccount\","
                                        + "\"metadata\":{\"name\":\"default\"}}")));
        created.clear();
        candidates.add(candidate("manager-a", rootCa));
        candidates.add(candidate("manager-b", rootCa));
        LivePage.addTo(http, view, key, this::execute);
        http.start();
    }

    /**
     * Starts the parts.
     *
     * @param serving the HTTP front end of the API server. Commands of the page act as the user of its token, which the
     *     kubeconfig contains, too; without a token as administrator
     * @param port the port of the front end; 0 for a free one
     * @param pagePort the port of the live page; 0 for a free one
     */
    public static LiveDemo start(ServingOptions.Serving serving, int port, int pagePort) {
        return new LiveDemo(serving, port, pagePort);
    }

    private static UserInfo holder(ControlPlane plane, String token) {
        return token.isEmpty()
                ? UserInfo.ADMIN
                : Objects.requireNonNull(plane.server().authenticate(token), "the server does not know its own token");
    }

    /** Blocks until the first manager leads, at most 10 s. Returns the names of its informers. */
    public List<String> awaitInformers() throws InterruptedException {
        var unused = led.await(10, TimeUnit.SECONDS);
        return candidates.stream()
                .map(Candidate::informers)
                .filter(Objects::nonNull)
                .flatMap(informers -> informers.health().stream())
                .map(InformerHealth::name)
                .toList();
    }

    /** Returns the control plane. */
    public ControlPlane plane() {
        return plane;
    }

    /** Returns what the page shows. */
    public LiveView view() {
        return view;
    }

    /** Returns the address of the live page, with the key that its commands need. */
    public URI page() {
        return key.address(URI.create("http://127.0.0.1:" + http.port() + "/"));
    }

    private Candidate candidate(String name, String rootCa) {
        ServiceAccountOptions accounts =
                new ServiceAccountOptions(null, rootCa, ServiceAccountOptions.DEFAULT.legacyTokenPeriod());
        Transport connection = new FaultyTransport(user.transport(), faults.connection(name));
        KubeClient client = KubeClient.of(view.observe(connection), JsonCodec.standard());
        KubeClient election = KubeClient.of(connection, JsonCodec.standard());
        return Candidate.start(
                name,
                led::countDown,
                listener -> ControllerManager.builder(client)
                        .lease(LEASE)
                        .identity(name)
                        .electionClient(election)
                        .election(config -> config.withDurations(
                                Duration.ofSeconds(10), Duration.ofSeconds(6), Duration.ofSeconds(1)))
                        .table(controllers())
                        .options(ControllerOptionsBuilder.builder(ControllerOptions.DEFAULT)
                                .serviceAccounts(accounts)
                                .build())
                        .informers(InformerConfig.DEFAULT
                                .withScheduler(clock.scheduler())
                                .withResyncPeriod(Duration.ofHours(12))
                                .withMetrics(view.informers())
                                .withTransform(Transforms::stripManagedFields))
                        .queues(queue -> WorkQueueConfig.named(queue)
                                .withScheduler(clock.scheduler())
                                .withMetrics(view.queues()))
                        .metrics(view.controllers())
                        .time(clock.controllerTime())
                        .threads(DaemonThreads.factory())
                        .listener(listener)
                        .start());
    }

    /**
     * The viewer comes first: others start their informers at once, and a handler can add a resync to a new informer
     * only.
     */
    private ControllerTable controllers() {
        List<ControllerDescriptor> all = new ArrayList<>();
        all.add(ControllerDescriptor.of("viewer-controller", 1, this::viewer));
        all.addAll(ControllerTable.BUILT_IN.descriptors());
        return new ControllerTable(all);
    }

    private Controller viewer(ControllerContext context) {
        RateLimitingQueue<ObjectName> queue =
                WorkQueues.rateLimiting(context.queues().apply("viewer"));
        ResourceEventHandler<KubeObject> keys = ResourceEventHandler.forKeys(queue::add);
        return new ControllerLoop<>(
                "viewer",
                queue,
                key -> {},
                List.of(context.informers().informer(ResourceTypes.PODS).addHandler(new Viewer(keys, faults), RESYNC)),
                context.threads());
    }

    /** The handler in which the faults of handlers happen. */
    private record Viewer(ResourceEventHandler<KubeObject> keys, DemoFaults faults)
            implements ResourceEventHandler<KubeObject> {

        @Override
        public void onAdd(KubeObject object, boolean isInInitialList, EventCause cause) {
            faults.handle();
            keys.onAdd(object, isInInitialList, cause);
        }

        @Override
        public void onUpdate(KubeObject oldObject, KubeObject newObject, EventCause cause) {
            faults.handle();
            keys.onUpdate(oldObject, newObject, cause);
        }

        @Override
        public void onDelete(DeletedObject<KubeObject> deleted, EventCause cause) {
            faults.handle();
            keys.onDelete(deleted, cause);
        }

        @Override
        public String handlerName() {
            return "viewer";
        }
    }

    private String leader() {
        return candidates.stream()
                .filter(Candidate::isLeading)
                .map(Candidate::name)
                .findFirst()
                .orElse("");
    }

    private @Nullable SharedInformer<? extends KubeObject> cache(String resource) {
        for (Candidate candidate : candidates) {
            SharedInformerFactory informers = candidate.informers();
            if (informers != null) {
                return LiveView.cache(informers, resource);
            }
        }
        return null;
    }

    private JsonObject about() {
        List<JsonValue> all = new ArrayList<>();
        for (Candidate candidate : candidates) {
            all.add(JsonObject.EMPTY.with("name", candidate.name()).with("leading", candidate.isLeading()));
        }
        String leader = leader();
        return JsonObject.EMPTY
                .with("state", leader.isEmpty() ? "there is no leader" : leader + " leads")
                .with(
                        "lease",
                        JsonObject.EMPTY
                                .with("name", LEASE.toString())
                                .with("holder", leader)
                                .with("candidates", JsonArray.of(all)))
                .with("clock", clock.now().toString())
                .with("speed", pace.speed().name().toLowerCase(Locale.ROOT))
                .with("faults", faults.active());
    }

    /** Returns the names of the faults, in the order of the page. */
    public List<String> faults() {
        return List.copyOf(faults.names());
    }

    /**
     * Executes a command of the page, which {@code docs/live-page.md} describes. Blocks while a clock advances, at most
     * half a minute.
     *
     * @throws IllegalArgumentException if there is no such command, or its arguments are wrong
     * @throws IllegalStateException if something is still under way that the command waits for
     */
    public JsonObject execute(JsonObject command) {
        switch (command.string("do")) {
            case "request" -> {
                return request(holder, command);
            }
            case "fault" -> faults.cause(command.string("name"));
            case "clear" -> faults.clear();
            case "speed" -> pace.set(command.string("name"));
            case "step" -> pace.step();
            case "advance" -> advance(command.number("seconds"));
            case "reset" -> reset();
            default -> throw new IllegalArgumentException("there is no command " + command.string("do"));
        }
        return JsonObject.EMPTY;
    }

    /**
     * Lets the clock run fast. A jump would wait for quiet at each timer, and keys of a manager that lost its lease
     * stay queued.
     */
    private void advance(@Nullable Long seconds) {
        if (seconds == null || seconds < 0 || seconds > LONGEST_ADVANCE.toSeconds()) {
            throw new IllegalArgumentException(
                    "seconds must be 0 to " + LONGEST_ADVANCE.toSeconds() + ", got " + seconds);
        }
        pace.set(Pace.Speed.FAST);
        faults.await(Duration.ofSeconds(seconds));
        pace.set(Pace.Speed.REAL);
    }

    /** Sends a request as a user does, and remembers what it creates. */
    private JsonObject request(UserInfo sender, JsonObject command) {
        String method = command.string("method");
        JsonObject body = command.object("body");
        String type = method.equals("PATCH") ? "application/merge-patch+json" : ApiRequest.JSON;
        ApiRequest.Body content = body.members().isEmpty() ? null : new ApiRequest.Body(type, body.toBytes());
        String path = command.string("path");
        if (!(plane.server().handleAuthorized(ApiRequest.of(method, path, Map.of(), content), sender)
                instanceof ServerResponse.Document response)) {
            throw new IllegalArgumentException("a command cannot watch, but its path is " + path);
        }
        JsonObject answer = JsonObject.parse(response.bytes());
        String name = answer.string("metadata", "name");
        if (method.equals("POST") && response.code() < 300) {
            created.push(path + "/" + name);
        }
        return JsonObject.EMPTY
                .with("code", response.code())
                .with("name", name)
                .with("message", answer.string("message"));
    }

    /** Writes an object that no lesson is about. */
    private void change() {
        JsonObject annotations =
                JsonObject.EMPTY.with("kubeloop-demo", clock.now().toString());
        request(
                UserInfo.ADMIN,
                JsonObject.EMPTY
                        .with("method", "PATCH")
                        .with("path", "/api/v1/namespaces/kube-public")
                        .with(
                                "body",
                                JsonObject.EMPTY.with("metadata", JsonObject.EMPTY.with("annotations", annotations))));
    }

    /** Ends faults, returns to real time, and deletes what commands have created. */
    private void reset() {
        faults.clear();
        pace.set(Pace.Speed.REAL);
        for (String path = created.poll(); path != null; path = created.poll()) {
            ApiRequest deletion = ApiRequest.of(
                    "DELETE", path, Map.of("propagationPolicy", "Background", "gracePeriodSeconds", "0"), null);
            user.transport().execute(deletion).close();
        }
    }

    @Override
    public void close() {
        http.close();
        faults.clear();
        pace.set(Pace.Speed.REAL);
        candidates.forEach(Candidate::requestEnd);
        candidates.forEach(Candidate::close);
        user.close();
        plane.close();
        clock.close();
    }
}
