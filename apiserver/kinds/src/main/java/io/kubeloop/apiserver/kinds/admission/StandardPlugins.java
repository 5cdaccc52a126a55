/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.admission;

import io.kubeloop.api.value.Quantity;
import io.kubeloop.apiserver.access.Authorizer;
import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.admission.AdmissionRequest.Operation;
import io.kubeloop.apiserver.admission.NamespaceLifecycle;
import io.kubeloop.apiserver.kinds.podsecurity.PodSecurity;
import io.kubeloop.apiserver.kinds.policies.MutatingPolicies;
import io.kubeloop.apiserver.kinds.policies.ValidatingPolicies;
import io.kubeloop.apiserver.kinds.quota.DeviceStores;
import io.kubeloop.apiserver.kinds.quota.LimitRanger;
import io.kubeloop.apiserver.kinds.quota.QuotaLedger;
import io.kubeloop.apiserver.kinds.validation.server.PemRequest;
import io.kubeloop.apiserver.kinds.webhooks.MutatingWebhooks;
import io.kubeloop.apiserver.kinds.webhooks.ValidatingWebhooks;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.quota.Amounts;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The plug-ins that a server can run, under the names of kube-apiserver and in its order (upstream: {@code
 * pkg/kubeapiserver/options/plugins.go}). Static functions only.
 */
public final class StandardPlugins {

    private static final String WEBHOOKS = "admissionregistration.k8s.io/v1";

    /**
     * What plug-ins are created from.
     *
     * @param backend the server
     * @param authorizer decides what a user may do
     * @param podSecurity the configuration of {@code PodSecurity}; empty for none
     */
    public record Setting(ApiBackend backend, Authorizer authorizer, JsonObject podSecurity) {}

    /** A plug-in's name, and its creation for one server. */
    private record Entry(String name, BiFunction<ApiBackend, Setting, AdmissionPlugin> creation) {

        Entry(String name, Function<ApiBackend, AdmissionPlugin> creation) {
            this(name, (backend, setting) -> creation.apply(backend));
        }

        static Entry ofSigner(String name, SignerPermission.Verb verb) {
            return new Entry(name, (backend, setting) -> new SignerPermission(verb, setting.authorizer));
        }
    }

    /** The plug-ins that kube-apiserver runs unless a flag disables them. */
    private static final List<Entry> TABLE = List.of(
            new Entry("NamespaceLifecycle", backend -> new NamespaceLifecycle(backend.namespaces())),
            new Entry("LimitRanger", backend -> new LimitRanger(store(backend, "v1", "LimitRange"))),
            new Entry("ServiceAccount", backend -> new ServiceAccountAdmission(backend)),
            new Entry("TaintNodesByCondition", backend -> new NotReadyTaint()),
            new Entry(
                    "PodSecurity",
                    (backend, setting) ->
                            new PodSecurity(backend.namespaces(), store(backend, "v1", "Pod"), setting.podSecurity)),
            new Entry("Priority", backend -> new PodPriority(store(backend, "scheduling.k8s.io/v1", "PriorityClass"))),
            new Entry("DefaultTolerationSeconds", backend -> new EvictionTolerations()),
            new Entry(
                    "DefaultStorageClass",
                    backend -> DefaultClass.ofClaims(store(backend, "storage.k8s.io/v1", "StorageClass"))),
            new Entry("StorageObjectInUseProtection", backend -> new ProtectionFinalizers()),
            new Entry("PodGroupProtection", backend -> new AdmissionPlugin() {}), // its feature is off
            new Entry(
                    "PersistentVolumeClaimResize",
                    backend -> new ClaimExpansion(store(backend, "storage.k8s.io/v1", "StorageClass"))),
            new Entry("RuntimeClass", backend -> new PodRuntime(store(backend, "node.k8s.io/v1", "RuntimeClass"))),
            Entry.ofSigner("CertificateApproval", SignerPermission.Verb.APPROVE),
            Entry.ofSigner("CertificateSigning", SignerPermission.Verb.SIGN),
            Entry.ofSigner("ClusterTrustBundleAttest", SignerPermission.Verb.ATTEST),
            new Entry("CertificateSubjectRestriction", backend -> new CertificateSubject()),
            new Entry(
                    "DefaultIngressClass",
                    backend -> DefaultClass.ofIngresses(store(backend, "networking.k8s.io/v1", "IngressClass"))),
            new Entry("PodTopologyLabels", backend -> new TopologyLabels(store(backend, "v1", "Node"))),
            new Entry(
                    "NodeDeclaredFeatureValidator", backend -> new PodResizing.Features(store(backend, "v1", "Node"))),
            new Entry("PodResizeValidator", backend -> new PodResizing.Allocatable(store(backend, "v1", "Node"))),
            new Entry(
                    "MutatingAdmissionPolicy",
                    backend -> new MutatingPolicies(
                            backend,
                            store(backend, WEBHOOKS, "MutatingAdmissionPolicy"),
                            store(backend, WEBHOOKS, "MutatingAdmissionPolicyBinding"))),
            new Entry(
                    "MutatingAdmissionWebhook",
                    backend -> new MutatingWebhooks(backend, store(backend, WEBHOOKS, "MutatingWebhookConfiguration"))),
            new Entry(
                    "ValidatingAdmissionPolicy",
                    backend -> new ValidatingPolicies(
                            backend,
                            store(backend, WEBHOOKS, "ValidatingAdmissionPolicy"),
                            store(backend, WEBHOOKS, "ValidatingAdmissionPolicyBinding"))),
            new Entry(
                    "ValidatingAdmissionWebhook",
                    backend -> new ValidatingWebhooks(
                            backend, store(backend, WEBHOOKS, "ValidatingWebhookConfiguration"))),
            new Entry(
                    "ResourceQuota",
                    backend -> new QuotaLedger(
                            backend.storage(), store(backend, "v1", "ResourceQuota"), deviceStores(backend))));

    private StandardPlugins() {}

    /** Returns the names of all plug-ins, in the order of their calls. */
    public static List<String> names() {
        return TABLE.stream().map(Entry::name).toList();
    }

    /** Creates the plug-ins with these names for a server, in the order of their calls. */
    public static List<AdmissionPlugin> create(Set<String> names, Setting setting) {
        List<AdmissionPlugin> plugins = new ArrayList<>();
        for (Entry entry : TABLE) {
            if (names.contains(entry.name())) {
                plugins.add(entry.creation().apply(setting.backend, setting));
            }
        }
        return plugins;
    }

    private static DeviceStores deviceStores(ApiBackend backend) {
        String group = "resource.k8s.io/v1";
        return new DeviceStores(
                store(backend, group, "DeviceClass"),
                store(backend, group, "ResourceClaim"),
                store(backend, "v1", "Pod"));
    }

    private static ResourceStore store(ApiBackend backend, String apiVersion, String kind) {
        return Objects.requireNonNull(
                backend.storeOfKind(apiVersion, kind), () -> "not served: " + apiVersion + " " + kind);
    }

    /**
     * Rejects requests for a client certificate of the group {@code system:masters}, which has every permission
     * (upstream: the plug-in {@code CertificateSubjectRestriction}). Stateless; thread-safe.
     */
    private static final class CertificateSubject implements AdmissionPlugin {

        private static final String SIGNER = "kubernetes.io/kube-apiserver-client";
        private static final String ALL_POWERFUL = "system:masters";

        @Override
        public void validate(AdmissionRequest request, JsonObject object) {
            if (!Targets.creates(request, "certificatesigningrequests.certificates.k8s.io")
                    || !object.string("spec", "signerName").equals(SIGNER)) {
                return;
            }
            List<String> groups;
            try {
                groups = PemRequest.organizations(Base64.getDecoder().decode(object.string("spec", "request")));
            } catch (IllegalArgumentException e) {
                throw request.forbidden("failed to parse CSR: " + e.getMessage());
            }
            if (groups.contains(ALL_POWERFUL)) {
                throw request.forbidden("use of " + SIGNER + " signer with " + ALL_POWERFUL + " group is not allowed");
            }
        }
    }

    /**
     * Adds a finalizer to new volumes, claims and their attribute classes, which keeps them while they are in use
     * (upstream: the plug-in {@code StorageObjectInUseProtection}). The protection controllers remove it. Stateless;
     * thread-safe.
     */
    private static final class ProtectionFinalizers implements AdmissionPlugin {

        private static final Map<String, String> BY_RESOURCE = Map.of(
                "persistentvolumes", "kubernetes.io/pv-protection",
                "persistentvolumeclaims", "kubernetes.io/pvc-protection",
                "volumeattributesclasses.storage.k8s.io", "kubernetes.io/vac-protection");

        @Override
        public JsonObject mutate(AdmissionRequest request, JsonObject object) {
            String resource = request.store().resource().toString();
            String finalizer = Targets.creates(request, resource) ? BY_RESOURCE.get(resource) : null;
            List<String> finalizers = new ArrayList<>(Meta.finalizers(object));
            if (finalizer == null || finalizers.contains(finalizer)) {
                return object;
            }
            finalizers.add(finalizer);
            return Meta.withFinalizers(object, finalizers);
        }
    }

    /**
     * Taints new nodes as not ready, so no pod is scheduled to them before their first report (upstream: the
     * plug-in {@code TaintNodesByCondition}). The node lifecycle controller removes the taint. Stateless; thread-safe.
     */
    private static final class NotReadyTaint implements AdmissionPlugin {

        private static final JsonObject TAINT =
                JsonObject.EMPTY.with("key", "node.kubernetes.io/not-ready").with("effect", "NoSchedule");

        @Override
        public JsonObject mutate(AdmissionRequest request, JsonObject object) {
            if (!Targets.creates(request, "nodes")) {
                return object;
            }
            List<JsonObject> taints =
                    new ArrayList<>(object.array("spec", "taints").objects().toList());
            if (taints.stream().anyMatch(NotReadyTaint::matches)) {
                return object;
            }
            taints.add(TAINT);
            return object.with(List.of("spec", "taints"), JsonArray.of(taints));
        }

        /** A taint is identified by its key and its effect. */
        private static boolean matches(JsonObject taint) {
            return taint.string("key").equals(TAINT.string("key"))
                    && taint.string("effect").equals(TAINT.string("effect"));
        }
    }

    /**
     * Copies the zone and the region of a node into the labels of the pods that are bound to it (upstream: the plug-in
     * {@code PodTopologyLabels}). Thread-safe.
     */
    private static final class TopologyLabels implements AdmissionPlugin {

        private static final List<String> LABELS =
                List.of("topology.kubernetes.io/zone", "topology.kubernetes.io/region");

        private final ResourceStore nodes;

        TopologyLabels(ResourceStore nodes) {
            this.nodes = nodes;
        }

        @Override
        public JsonObject mutate(AdmissionRequest request, JsonObject object) {
            boolean binds = request.store().resource().toString().equals("pods")
                    && (request.isMain()
                            ? request.operation() == Operation.CREATE
                            : request.subresource().equals("binding"));
            String name = object.string("spec", "nodeName");
            StoredObject node = binds && !name.isEmpty() ? request.now().get(nodes.bucket(), name) : null;
            if (node == null) {
                return object;
            }
            JsonObject labelled = object;
            for (String label : LABELS) {
                JsonValue value = node.tree().get("metadata", "labels", label);
                labelled = value == null ? labelled : labelled.with(List.of("metadata", "labels", label), value);
            }
            return labelled;
        }
    }

    /**
     * Lets pods stay on a node for five minutes after it became unready or unreachable, unless they specify another
     * time (upstream: the plug-in {@code DefaultTolerationSeconds}). Stateless; thread-safe.
     */
    private static final class EvictionTolerations implements AdmissionPlugin {

        private static final String EFFECT = "NoExecute";
        private static final List<String> TAINTS =
                List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");
        private static final long SECONDS = 300;

        @Override
        public JsonObject mutate(AdmissionRequest request, JsonObject object) {
            if (!Targets.writes(request, "pods")) {
                return object;
            }
            List<JsonObject> specified =
                    object.array("spec", "tolerations").objects().toList();
            List<JsonObject> tolerations = new ArrayList<>(specified);
            for (String taint : TAINTS) {
                if (specified.stream().noneMatch(toleration -> concerns(toleration, taint))) {
                    tolerations.add(JsonObject.EMPTY
                            .with("key", taint)
                            .with("operator", "Exists")
                            .with("effect", EFFECT)
                            .with("tolerationSeconds", SECONDS));
                }
            }
            return tolerations.size() == specified.size()
                    ? object
                    : object.with(List.of("spec", "tolerations"), JsonArray.of(tolerations));
        }

        /** An empty key or effect means any. */
        private static boolean concerns(JsonObject toleration, String taint) {
            String key = toleration.string("key");
            String effect = toleration.string("effect");
            return (key.isEmpty() || key.equals(taint)) && (effect.isEmpty() || effect.equals(EFFECT));
        }
    }

    /**
     * Allows larger requests only for bound claims whose storage class allows expansion (upstream: the plug-in {@code
     * PersistentVolumeClaimResize}). Thread-safe.
     */
    private static final class ClaimExpansion implements AdmissionPlugin {

        private static final String BETA_CLASS = "volume.beta.kubernetes.io/storage-class";

        private final ResourceStore classes;

        ClaimExpansion(ResourceStore classes) {
            this.classes = classes;
        }

        @Override
        public void validate(AdmissionRequest request, JsonObject object) {
            JsonObject old = request.old();
            if (old == null
                    || !Targets.writes(request, "persistentvolumeclaims")
                    || storage(object).compareTo(storage(old)) <= 0) {
                return;
            }
            if (!old.string("status", "phase").equals("Bound")) {
                throw request.forbidden("Only bound persistent volume claims can be expanded");
            }
            String name = className(object);
            StoredObject found = name.equals(className(old)) ? request.now().get(classes.bucket(), name) : null;
            if (found == null || !found.tree().bool("allowVolumeExpansion")) {
                throw request.forbidden("only dynamically provisioned pvc can be resized and the storageclass that"
                        + " provisions the pvc must support resize");
            }
        }

        private static Quantity storage(JsonObject claim) {
            return Amounts.read(claim.object("spec", "resources", "requests"))
                    .byName()
                    .getOrDefault("storage", Quantity.ZERO);
        }

        private static String className(JsonObject claim) {
            return claim.get("metadata", "annotations", BETA_CLASS) == null
                    ? claim.string("spec", "storageClassName")
                    : claim.string("metadata", "annotations", BETA_CLASS);
        }
    }
}
