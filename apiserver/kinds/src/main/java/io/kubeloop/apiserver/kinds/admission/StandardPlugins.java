/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.admission;

import io.kubeloop.apiserver.access.Authorizer;
import io.kubeloop.apiserver.admission.AdmissionChain;
import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.admission.NamespaceLifecycle;
import io.kubeloop.apiserver.kinds.podsecurity.PodSecurity;
import io.kubeloop.apiserver.kinds.policies.MutatingPolicies;
import io.kubeloop.apiserver.kinds.policies.ValidatingPolicies;
import io.kubeloop.apiserver.kinds.quota.DeviceStores;
import io.kubeloop.apiserver.kinds.quota.LimitRanger;
import io.kubeloop.apiserver.kinds.quota.QuotaLedger;
import io.kubeloop.apiserver.kinds.webhooks.MutatingWebhooks;
import io.kubeloop.apiserver.kinds.webhooks.ValidatingWebhooks;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
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

    /** A plug-in's name, and its creation for one server from the plug-ins that are called before it. */
    private record Entry(String name, BiFunction<Setting, List<AdmissionPlugin>, AdmissionPlugin> creation) {

        Entry(String name, Function<ApiBackend, AdmissionPlugin> creation) {
            this(name, (setting, before) -> creation.apply(setting.backend));
        }

        static Entry ofSigner(String name, SignerPermission.Verb verb) {
            return new Entry(name, (setting, before) -> new SignerPermission(verb, setting.authorizer));
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
                    (setting, before) -> new PodSecurity(
                            setting.backend.namespaces(), store(setting.backend, "v1", "Pod"), setting.podSecurity)),
            new Entry("Priority", backend -> new PodPriority(store(backend, "scheduling.k8s.io/v1", "PriorityClass"))),
            new Entry("DefaultTolerationSeconds", backend -> new EvictionTolerations()),
            new Entry(
                    "DefaultStorageClass",
                    backend -> DefaultClass.ofClaims(store(backend, "storage.k8s.io/v1", "StorageClass"))),
            new Entry("StorageObjectInUseProtection", backend -> new ProtectionFinalizers()),
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
                    "MutatingAdmissionPolicy",
                    (setting, before) -> new MutatingPolicies(
                            setting.backend,
                            store(setting.backend, WEBHOOKS, "MutatingAdmissionPolicy"),
                            store(setting.backend, WEBHOOKS, "MutatingAdmissionPolicyBinding"),
                            new AdmissionChain(before))),
            new Entry(
                    "MutatingAdmissionWebhook",
                    (setting, before) -> new MutatingWebhooks(
                            setting.backend,
                            store(setting.backend, WEBHOOKS, "MutatingWebhookConfiguration"),
                            new AdmissionChain(before))),
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
                plugins.add(entry.creation().apply(setting, List.copyOf(plugins)));
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
}
