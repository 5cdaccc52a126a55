/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.access.AccessRequest;
import io.kubeloop.apiserver.access.Authorizer;
import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.customresources.CustomResources;
import io.kubeloop.apiserver.discovery.Discovery;
import io.kubeloop.apiserver.registry.AggregatedApis;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.ApiHandler;
import io.kubeloop.apiserver.registry.ApiKinds;
import io.kubeloop.apiserver.registry.RequestFilter;
import io.kubeloop.apiserver.registry.ServerContent;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.SentDocument;
import io.kubeloop.apiserver.rest.ServerWarnings;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.apiserver.rest.WriteOptions;
import io.kubeloop.apiserver.storage.Storage;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.runtime.Scheduler;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An API server inside this process: it stores objects, assigns resource versions, and serves watches. It serves the
 * kinds that {@link ApiKinds} plugs in, and it runs no controllers.
 *
 * <p>Thread-safe. A request runs on the thread of its caller. The server has one thread of its own, for timers. Only
 * {@link #close} and the watches in the responses of {@link #handle} block.
 */
@SuppressWarnings("exports") // the types of other packages are for the modules of the server
public final class ApiServer implements AutoCloseable {

    private static final AtomicInteger SERVERS = new AtomicInteger();

    private final Storage storage;
    private final Scheduler scheduler;
    private final ApiBackend backend;
    private final ApiHandler handler;
    private final Discovery discovery;
    private final RequestFilter filter;
    private final ThreadFactory threads;

    /** Replaced once, under the monitor of this object. */
    private final AtomicBoolean isAggregating = new AtomicBoolean();

    private volatile AggregatedApis aggregated = AggregatedApis.NONE;

    private final String threadPrefix = "kubeloop-apiserver-" + SERVERS.incrementAndGet() + "-";

    private ApiServer(Builder builder, ApiKinds kinds) {
        threads = builder.threadFactory;
        storage = new Storage(builder.eventLogCapacity, builder.firstVersion);
        Scheduler given = builder.scheduler;
        scheduler = given == null ? Scheduler.system(threads("timer")) : given;
        filter = builder.filter;
        backend = new ApiBackend(
                storage, kinds, builder.clock, scheduler, builder.bookmarkInterval, builder.random, builder.plugins);
        handler = new ApiHandler(backend);
        discovery = new Discovery(backend.registry(), this::aggregated);
        CustomResources.follow(backend);
        kinds.start(new ServerContent(backend, handler, null));
    }

    /** Returns a builder with defaults for a demonstration or a test. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Executes a request for a resource, or for a discovery document, and returns the response. Waits for nothing but
     * admission plug-ins, such as webhooks, and the locks of the storage. Every error of the client becomes a response,
     * never an exception.
     */
    public ServerResponse handle(ApiRequest request) {
        return filter.handle(request, this::execute);
    }

    private ServerResponse execute(ApiRequest request) {
        ServerResponse document = request.method().equals("GET") ? discovered(request) : null;
        return document == null ? execute(request, UserInfo.ADMIN) : document;
    }

    private ServerResponse execute(ApiRequest request, UserInfo user) {
        ServerResponse remote = aggregated().handle(request, user);
        return remote == null ? handler.handle(request, user) : remote;
    }

    private @Nullable ServerResponse discovered(ApiRequest request) {
        Discovery.Tagged aggregated = discovery.aggregatedAt(request.path());
        if (aggregated != null && request.accept().contains("as=APIGroupDiscoveryList")) {
            return ServerResponse.Document.of(200, aggregated.json());
        }
        JsonObject plain = discovery.at(request.path());
        return plain == null ? null : ServerResponse.Document.of(200, plain);
    }

    /**
     * Publishes the address at which clients reach the server, in the objects that describe it to them: the service
     * {@code kubernetes} and its endpoints.
     */
    public void announce(InetSocketAddress address) {
        backend.kinds().start(new ServerContent(backend, handler, address));
    }

    /** Executes a request of this user and returns the response; see {@link #handle(ApiRequest)}. */
    public ServerResponse handle(ApiRequest request, UserInfo user) {
        return filter.handle(request, filtered -> execute(filtered, user));
    }

    /**
     * Executes a request of this user if the {@link #authorizer} allows it, and returns the response; see {@link
     * #handle(ApiRequest)}.
     */
    public ServerResponse handleAuthorized(ApiRequest request, UserInfo user) {
        try {
            authorizer().require(user, AccessRequest.of(request.method(), request.path(), request.query()));
            return handle(request, user);
        } catch (StatusException e) {
            return ServerResponse.Document.of(e.code(), e.status());
        }
    }

    /**
     * Lets admission decide about a connection to an object, such as a command in a pod. The object need not exist.
     * Waits for webhooks.
     *
     * @param target the object and the subresource that the client connects to
     * @param options what the client wants, such as {@code PodExecOptions}
     * @throws StatusException if a plug-in rejects the connection
     */
    public void admitConnection(UserInfo user, AccessRequest.Target target, JsonObject options) {
        ResourceStore store = Objects.requireNonNull(
                backend.registry().store(target.group(), "v1", target.resource()), target.resource());
        WriteOptions write = new WriteOptions(
                false,
                "",
                WriteOptions.FieldValidation.IGNORE,
                user,
                new ServerWarnings(),
                List.of(),
                new SentDocument());
        AdmissionRequest request = new AdmissionRequest(
                AdmissionRequest.Operation.CONNECT,
                store,
                target.subresource(),
                target.namespace(),
                target.name(),
                null,
                storage.snapshot(),
                write);
        backend.admission().validateConnect(request, options);
    }

    /**
     * Returns the user that a bearer token belongs to: one of the added tokens, or the service account that this server
     * has issued it for; null if the token is not valid. Verifies one signature at most.
     */
    public @Nullable UserInfo authenticate(String token) {
        return backend.authenticate(token);
    }

    /**
     * Adds the credentials that a front end accepts, so a {@code TokenReview} knows them, and publishes how other
     * servers can authenticate the same clients.
     *
     * @param users returns the user of a token; null if the token is unknown. Must be thread-safe
     * @param published members of the config map {@code extension-apiserver-authentication} in {@code kube-system}
     * @return removes the tokens
     */
    public Runnable addCredentials(Function<String, @Nullable UserInfo> users, Map<String, String> published) {
        if (!published.isEmpty()) {
            JsonObject.Builder data = JsonObject.builder();
            published.forEach(data::put);
            JsonObject map = JsonObject.EMPTY
                    .with("apiVersion", "v1")
                    .with("kind", "ConfigMap")
                    .with(List.of("metadata", "namespace"), "kube-system")
                    .with(List.of("metadata", "name"), "extension-apiserver-authentication")
                    .with("data", data.build());
            new ServerContent(backend, handler, null).ensure(map, known -> known.with("data", map.object("data")));
        }
        return backend.addTokens(users);
    }

    /**
     * Returns the authorizer, which decides whether a user may send a request. The methods {@code handle} do not ask
     * it; front ends do.
     */
    public Authorizer authorizer() {
        return backend.kinds().authorizer(backend);
    }

    /** Returns the discovery documents. */
    public Discovery discovery() {
        return discovery;
    }

    /** Returns the group versions that other servers serve. */
    public AggregatedApis aggregated() {
        return aggregated;
    }

    /**
     * Begins to forward requests to other servers, unless another call has begun already: then this one returns at
     * once. {@link #close} ends the forwarding.
     *
     * @param creation starts the forwarding; called at most once for a server
     */
    public void aggregate(Function<ServerContent, AggregatedApis> creation) {
        if (isAggregating.compareAndSet(false, true)) {
            aggregated = creation.apply(new ServerContent(backend, handler, null));
        }
    }

    /** Returns the state that the operations of all kinds share. */
    public ApiBackend backend() {
        return backend;
    }

    /** Returns a factory of threads whose name ends with this word, for the parts of this server. */
    public ThreadFactory threads(String name) {
        return task -> {
            Thread thread = threads.newThread(task);
            thread.setName(threadPrefix + name);
            return thread;
        };
    }

    /** Returns the scheduler of the server, which runs short tasks that do not block. */
    public Scheduler scheduler() {
        return scheduler;
    }

    /**
     * Discards the event history up to the current resource version, as etcd does every few minutes. A watch or a
     * list page that starts at an earlier version then fails with 410 (Expired).
     */
    public void compact() {
        storage.compact();
    }

    /**
     * Stops the server's thread; safe to call twice. Blocks until a task that has started has ended. An
     * interrupt ends the wait: the method returns with the interrupt flag set, and the thread ends on its own.
     */
    @Override
    public void close() {
        aggregated().close();
        scheduler.close();
    }

    /** Settings of an {@link ApiServer}. Not thread-safe. */
    public static final class Builder {

        private Clock clock = Clock.systemUTC();
        private ThreadFactory threadFactory = daemons();
        private RandomGenerator random = new Random();
        private int eventLogCapacity = 8192;
        private long firstVersion = 1;
        private Duration bookmarkInterval = Duration.ofMinutes(1);
        private @Nullable Scheduler scheduler;
        private RequestFilter filter = RequestFilter.NONE;
        private final List<AdmissionPlugin> plugins = new ArrayList<>();

        private Builder() {}

        private static ThreadFactory daemons() {
            return task -> {
                Thread thread = new Thread(task);
                thread.setDaemon(true);
                return thread;
            };
        }

        /**
         * Sets the clock for {@code creationTimestamp} and the other times that the server writes. Default: the
         * system clock.
         */
        public Builder clock(Clock clock) {
            this.clock = clock;
            return this;
        }

        /**
         * Sets the scheduler of watches, which the server closes. Default: one on real time, with a thread of the
         * server.
         */
        public Builder scheduler(Scheduler scheduler) {
            this.scheduler = scheduler;
            return this;
        }

        /** Sets the filter of requests. Default: {@link RequestFilter#NONE}. */
        public Builder filter(RequestFilter filter) {
            this.filter = filter;
            return this;
        }

        /** Sets the factory of the server's threads; the server sets their names. Default: daemon threads. */
        public Builder threadFactory(ThreadFactory threadFactory) {
            this.threadFactory = threadFactory;
            return this;
        }

        /** Sets the source of generated names and UIDs, which must be thread-safe. Default: {@link Random}. */
        public Builder random(RandomGenerator random) {
            this.random = random;
            return this;
        }

        /**
         * Sets how many events of each kind the server keeps for watches, at least 1. Default: 8192. A watch that
         * falls further behind fails with 410 (Expired).
         */
        public Builder eventLogCapacity(int events) {
            if (events < 1) {
                throw new IllegalArgumentException("eventLogCapacity must be at least 1, got " + events);
            }
            this.eventLogCapacity = events;
            return this;
        }

        /**
         * Sets the first resource version, at least 1. Default: 1. A server that replaces another one must start
         * above the versions of the old server. Watches from the old server then fail with 410 (Expired); otherwise
         * they would wait for a version that their objects have already passed.
         */
        public Builder firstVersion(long version) {
            if (version < 1) {
                throw new IllegalArgumentException("firstVersion must be at least 1, got " + version);
            }
            this.firstVersion = version;
            return this;
        }

        /**
         * Adds an admission plug-in, which is called after those of the kinds, in the order of the calls of this
         * method. Default: none.
         */
        public Builder admission(AdmissionPlugin plugin) {
            plugins.add(plugin);
            return this;
        }

        /** Sets the interval of bookmarks for watches that requested bookmarks; positive. Default: 1 minute. */
        public Builder bookmarkInterval(Duration interval) {
            if (interval.isZero() || interval.isNegative()) {
                throw new IllegalArgumentException("bookmarkInterval must be positive, got " + interval);
            }
            this.bookmarkInterval = interval;
            return this;
        }

        /**
         * Starts a server and returns it.
         *
         * @param kinds the kinds that the server serves from its start
         */
        public ApiServer build(ApiKinds kinds) {
            return new ApiServer(this, kinds);
        }
    }
}
