/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.WithMethods;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.access.Authorizer;
import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.apply.OwnableFields;
import io.kubeloop.apiserver.kinds.access.EscalationCheck;
import io.kubeloop.apiserver.kinds.access.OpenIdDocuments;
import io.kubeloop.apiserver.kinds.access.Reviews;
import io.kubeloop.apiserver.kinds.access.RoleAuthorizer;
import io.kubeloop.apiserver.kinds.access.ServiceAccountTokens;
import io.kubeloop.apiserver.kinds.access.TokenKeys;
import io.kubeloop.apiserver.kinds.admission.PodCertificateSigning;
import io.kubeloop.apiserver.kinds.columns.Layouts;
import io.kubeloop.apiserver.kinds.conditions.ServerConditions;
import io.kubeloop.apiserver.kinds.conversion.StorageForms;
import io.kubeloop.apiserver.kinds.service.ServiceAddresses;
import io.kubeloop.apiserver.kinds.service.ServiceNetwork;
import io.kubeloop.apiserver.kinds.strategy.PodActions;
import io.kubeloop.apiserver.kinds.strategy.PodEvictions;
import io.kubeloop.apiserver.kinds.strategy.ResetFields;
import io.kubeloop.apiserver.kinds.strategy.Strategies;
import io.kubeloop.apiserver.kinds.webhooks.WebhookClient;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.ApiKinds;
import io.kubeloop.apiserver.registry.PublicDocument;
import io.kubeloop.apiserver.registry.ServerContent;
import io.kubeloop.apiserver.registry.SubresourceHandler;
import io.kubeloop.apiserver.rest.ComputedApi;
import io.kubeloop.apiserver.rest.ResourceDefinition;
import io.kubeloop.apiserver.rest.ServedResource;
import io.kubeloop.apiserver.rest.ServiceResolver;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.apiserver.rest.WebhookSender;
import io.kubeloop.apiserver.storage.codec.ObjectDecoder;
import io.kubeloop.apiserver.storage.codec.StorageForm;
import io.kubeloop.apiserver.typed.TypedJson;
import io.kubeloop.json.schema.ApiResource;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.tree.JsonObject;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Kubernetes' own kinds, for one server. Thread-safe. */
public final class BuiltInKinds implements ApiKinds {

    private static final TypeCatalog CATALOG = TypeCatalog.kubernetes();

    private final Settings settings;
    private final TokenKeys keys;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable ServiceAccountTokens tokens;

    /** What a server's kinds depend on. */
    @WithMethods
    record Settings(
            ServiceNetwork network,
            AdmissionSelection admission,
            List<ComputedApi> computed,
            TokenSettings tokens,
            boolean roles,
            boolean standardRoles,
            Map<String, InetSocketAddress> addresses)
            implements BuiltInKindsSettingsBuilder.With {

        static final Settings DEFAULT = new Settings(
                ServiceNetwork.DEFAULT,
                AdmissionSelection.WITHOUT_CONTROLLERS,
                List.of(),
                TokenSettings.DEFAULT,
                false,
                false,
                Map.of());

        Settings {
            computed = List.copyOf(computed);
            addresses = Map.copyOf(addresses);
        }
    }

    private BuiltInKinds(Settings settings) {
        this.settings = settings;
        keys = new TokenKeys(settings.tokens().signingKey(), settings.tokens().verificationKeys());
    }

    /**
     * Returns the kinds, with services in the range {@code 10.96.0.0/16} and the plug-ins {@link
     * AdmissionSelection#WITHOUT_CONTROLLERS}.
     */
    public static BuiltInKinds create() {
        return new BuiltInKinds(Settings.DEFAULT);
    }

    /**
     * Returns the kinds, with services in these ranges.
     *
     * @param ranges one range of cluster IPs, or two ranges of different IP families, such as {@code 10.96.0.0/16} and
     *     {@code fd00:10:96::/112}. Services use the family of the first range unless they request the other or both
     * @throws IllegalArgumentException if a range is invalid or the combination is not allowed; the message names the
     *     problem
     */
    public static BuiltInKinds withServiceRanges(List<String> ranges) {
        return new BuiltInKinds(Settings.DEFAULT.withNetwork(ServiceNetwork.of(ranges)));
    }

    /** Returns kinds with the same services and these admission plug-ins, for another server. */
    public BuiltInKinds withAdmission(AdmissionSelection selection) {
        return new BuiltInKinds(settings.withAdmission(selection));
    }

    /** Returns the same kinds with these groups beside them, for another server. */
    @SuppressWarnings("exports") // the type is for the modules of the server
    public BuiltInKinds withComputed(List<ComputedApi> apis) {
        return new BuiltInKinds(settings.withComputed(apis));
    }

    /**
     * Returns the same kinds, whose service accounts have tokens of these settings, for another server.
     *
     * @throws IllegalArgumentException if a key is neither RSA nor ECDSA on a curve of 256, 384 or 521 bits
     */
    public BuiltInKinds withTokens(TokenSettings tokenSettings) {
        return new BuiltInKinds(settings.withTokens(tokenSettings));
    }

    /**
     * Returns the same kinds for another server.
     *
     * @param on whether roles decide what the clients of a front end may do. The server then starts with the roles that
     *     kube-apiserver brings
     */
    public BuiltInKinds withRoles(boolean on) {
        return new BuiltInKinds(settings.withRoles(on));
    }

    /**
     * Returns the same kinds for another server.
     *
     * @param on whether the server starts with kube-apiserver's roles even if they decide nothing, as kube-apiserver
     *     does
     */
    public BuiltInKinds withStandardRoles(boolean on) {
        return new BuiltInKinds(settings.withStandardRoles(on));
    }

    /**
     * Returns the same kinds for another server, which connects to these addresses instead of the endpoints of
     * services.
     *
     * @param services the addresses by {@code namespace/name} or {@code namespace/name:port}; port 0 stands for the
     *     target port of the service. The hosts may be unresolved
     */
    public BuiltInKinds withServiceAddresses(Map<String, InetSocketAddress> services) {
        return new BuiltInKinds(settings.withAddresses(services));
    }

    @Override
    @SuppressWarnings("exports") // the type is for the modules of the server
    public ServiceResolver services(ApiBackend backend) {
        return new ServiceAddresses(backend, settings.addresses());
    }

    @Override
    @SuppressWarnings("exports") // the type is for the modules of the server
    public Authorizer authorizer(ApiBackend backend) {
        return settings.roles() ? new RoleAuthorizer(backend) : Authorizer.ALLOW_ALL;
    }

    @Override
    @SuppressWarnings("exports") // the types are for the modules of the server
    public WebhookSender webhook(ApiBackend backend, JsonObject clientConfig) {
        return WebhookClient.ofConversion(backend, clientConfig);
    }

    @Override
    public List<ComputedApi> computed() {
        return settings.computed();
    }

    @Override
    public List<ResourceDefinition> definitions() {
        return CATALOG.resources().stream().map(this::definition).toList();
    }

    private ResourceDefinition definition(ApiResource listed) {
        ServedResource resource = ServedResource.of(type(listed), listed);
        StructSchema schema = Objects.requireNonNull(
                CATALOG.type(listed.apiVersion(), listed.kind()), () -> "the catalog has no type of " + listed);
        StorageForm storage = StorageForms.of(resource.type());
        StructSchema stored = Objects.requireNonNull(
                CATALOG.type(storage.apiVersion(), listed.kind()), () -> "the catalog has no type for " + storage);
        return new ResourceDefinition(
                resource,
                Strategies.of(resource, stored, settings.network()),
                schema,
                decoder(listed.kind(), schema),
                storage,
                Layouts.of(listed, storage));
    }

    private static ObjectDecoder decoder(String kind, StructSchema schema) {
        return switch (kind) {
            case "Deployment" -> new DeploymentDecoder(schema);
            default -> json -> TypedJson.decode(schema, json);
        };
    }

    private static ResourceType<?> type(ApiResource listed) {
        for (ResourceType<?> known : ResourceTypes.all()) {
            if (known.apiVersion().equals(listed.apiVersion()) && known.plural().equals(listed.plural())) {
                return known;
            }
        }
        return ResourceTypes.generic(
                listed.group(),
                listed.version(),
                listed.plural(),
                listed.kind(),
                listed.namespaced() ? ResourceType.Scope.NAMESPACED : ResourceType.Scope.CLUSTER);
    }

    @Override
    public @Nullable StructSchema type(String apiVersion, String kind) {
        return CATALOG.type(apiVersion, kind);
    }

    @Override
    public OwnableFields ownable(ServedResource resource) {
        return CATALOG.type(resource.type().apiVersion(), resource.type().kind()) == null
                ? OwnableFields.ofCustom(resource.subresource("status") != null)
                : ResetFields.of(resource);
    }

    @Override
    public List<AdmissionPlugin> admission(ApiBackend backend) {
        List<AdmissionPlugin> plugins = new ArrayList<>(settings.admission().create(backend, authorizer(backend)));
        if (settings.roles()) {
            plugins.add(new EscalationCheck(new RoleAuthorizer(backend)));
        }
        plugins.add(new PodCertificateSigning(backend, authorizer(backend)));
        return plugins;
    }

    @Override
    public Map<String, SubresourceHandler> subresources(ApiBackend backend) {
        PodActions pods = new PodActions(backend);
        return Map.of(
                "pods/binding", pods::bind,
                "pods/eviction", new PodEvictions(backend)::evict,
                "serviceaccounts/token", tokens(backend)::issue);
    }

    @Override
    public Map<String, SubresourceHandler> virtualResources(ApiBackend backend) {
        Map<String, SubresourceHandler> handlers =
                new HashMap<>(new Reviews(backend, tokens(backend), authorizer(backend)).handlers());
        handlers.put("bindings", new PodActions(backend)::bindNamed);
        return handlers;
    }

    @Override
    public @Nullable UserInfo authenticate(ApiBackend backend, String token) {
        return tokens(backend).authenticate(token);
    }

    @Override
    public Map<String, Supplier<PublicDocument>> documents(String address) {
        return new OpenIdDocuments(
                        keys,
                        settings.tokens().issuers().get(0),
                        settings.tokens().jwksUri())
                .of(address);
    }

    /** The kinds serve one server, so its tokens have one key. */
    private ServiceAccountTokens tokens(ApiBackend backend) {
        lock.lock();
        try {
            ServiceAccountTokens made = tokens;
            if (made == null) {
                made = new ServiceAccountTokens(
                        backend,
                        keys,
                        settings.tokens().issuers(),
                        settings.tokens().audiences());
                tokens = made;
            }
            return made;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void start(ServerContent content) {
        if (content.address() == null) {
            BootstrapObjects.restore(content);
            if (settings.roles() || settings.standardRoles()) {
                BootstrapObjects.restoreRoles(content);
            }
            ServerConditions.follow(content.backend());
        }
        new BootstrapObjects(settings.network()).write(content);
    }

    /**
     * Decodes Deployments (upstream: {@code Convert_v1_Deployment_To_apps_Deployment}). An annotation holds the
     * revision of a rollback, which was a field once, so its type is checked too.
     *
     * @param schema the type of the objects
     */
    private record DeploymentDecoder(StructSchema schema) implements ObjectDecoder {

        /** The annotation that requests a rollback to a revision. */
        static final String ROLLBACK = "deprecated.deployment.rollback.to";

        @Override
        public TypedJson.Decoded decode(byte[] json) {
            TypedJson.Decoded decoded = TypedJson.decode(schema, json);
            check(decoded.object());
            return decoded;
        }

        @Override
        public void check(JsonObject decoded) {
            String revision = decoded.string("metadata", "annotations", ROLLBACK);
            try {
                if (!revision.isEmpty()) {
                    Long.parseLong(revision);
                }
            } catch (NumberFormatException e) {
                throw new DecodeException(
                        "failed to parse annotation[" + ROLLBACK + "]=" + revision
                                + " as int64: strconv.ParseInt: parsing \"" + revision + "\": invalid syntax",
                        e);
            }
        }
    }
}
