/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.apiserver.admission.AdmissionChain;
import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.objectmeta.NameGenerator;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.apiserver.storage.Storage;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.runtime.Scheduler;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The state that the operations of all kinds share: storage, stores, admission, clock and random source. Thread-safe.
 */
public final class ApiBackend {

    private final Storage storage;
    private final ApiKinds kinds;
    private final ResourceRegistry registry;
    private final ResourceStore namespaces;
    private final Clock clock;
    private final Scheduler scheduler;
    private final Duration bookmarkInterval;
    private final NameGenerator names;
    private final AdmissionChain admission;
    private final List<Function<String, @Nullable UserInfo>> tokens = new CopyOnWriteArrayList<>();

    /**
     * Creates a backend with a store for every resource of the kinds.
     *
     * @param random the source of names and UIDs; must be thread-safe
     * @param further admission plug-ins that are called after those of the kinds
     */
    public ApiBackend(
            Storage storage,
            ApiKinds kinds,
            Clock clock,
            Scheduler scheduler,
            Duration bookmarkInterval,
            RandomGenerator random,
            List<AdmissionPlugin> further) {
        this.storage = storage;
        this.kinds = kinds;
        this.registry = new ResourceRegistry(storage, kinds.definitions(), kinds.computed());
        this.clock = clock;
        this.scheduler = scheduler;
        this.bookmarkInterval = bookmarkInterval;
        this.names = new NameGenerator(random);
        namespaces = Objects.requireNonNull(
                registry.store("", ResourceTypes.NAMESPACES.version(), ResourceTypes.NAMESPACES.plural()),
                "a server needs the resource namespaces");
        List<AdmissionPlugin> plugins = new ArrayList<>(kinds.admission(this));
        plugins.addAll(further);
        admission = new AdmissionChain(plugins);
    }

    /** Returns the storage of all objects. */
    public Storage storage() {
        return storage;
    }

    /** Returns the table of served resources. */
    public ResourceRegistry registry() {
        return registry;
    }

    /**
     * Returns the store of the objects with this {@code apiVersion} and {@code kind}; null if the kind is not
     * served.
     */
    public @Nullable ResourceStore storeOfKind(String apiVersion, String kind) {
        return registry.storeOfKind(apiVersion, kind);
    }

    /** Returns one store for each served resource: that of its storage version, if it has several. */
    public Collection<ResourceStore> stores() {
        return registry.storageStores();
    }

    /** Returns the store of the namespaces. */
    public ResourceStore namespaces() {
        return namespaces;
    }

    /** Returns the labels that a namespace has now; none if it does not exist. */
    public Map<String, String> namespaceLabels(String namespace) {
        StoredObject found = storage.snapshot().get(namespaces.bucket(), namespace);
        return found == null ? Map.of() : Meta.of(found.tree()).object("labels").strings();
    }

    /**
     * Adds tokens beside those of the kinds, such as the tokens of a front end's users.
     *
     * @param users returns the user of a token; null if the token is unknown
     * @return removes the tokens
     */
    public Runnable addTokens(Function<String, @Nullable UserInfo> users) {
        tokens.add(users);
        return () -> tokens.remove(users);
    }

    /** Returns the user of a token that was added; null if the token is unknown. */
    public @Nullable UserInfo userOfAddedToken(String token) {
        for (Function<String, @Nullable UserInfo> users : tokens) {
            UserInfo user = users.apply(token);
            if (user != null) {
                return user;
            }
        }
        return null;
    }

    /** Returns the user of a bearer token, for requests and reviews alike; null if the token is not valid. */
    public @Nullable UserInfo authenticate(String token) {
        UserInfo user = userOfAddedToken(token);
        return user == null ? kinds.authenticate(this, token) : user;
    }

    /** Returns the plug-ins that change or reject writes. */
    public AdmissionChain admission() {
        return admission;
    }

    /** Returns the kinds that the server serves from its start. */
    public ApiKinds kinds() {
        return kinds;
    }

    /** Returns the current time in the form that is written into objects. */
    public Time now() {
        return new Time(clock.instant());
    }

    /** Returns an incoming object with all defaults of its kind. */
    JsonObject withDefaults(ResourceStore store, JsonObject object) {
        return store.strategy().timed(store.strategy().defaults(object), () -> now().toString());
    }

    Scheduler scheduler() {
        return scheduler;
    }

    Duration bookmarkInterval() {
        return bookmarkInterval;
    }

    /** Returns the source of generated names and UIDs. */
    public NameGenerator names() {
        return names;
    }
}
