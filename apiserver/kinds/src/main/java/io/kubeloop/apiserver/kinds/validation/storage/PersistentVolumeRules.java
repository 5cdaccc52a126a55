/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.storage;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.ClaimSpecRules;
import io.kubeloop.apiserver.kinds.validation.InternalDiff;
import io.kubeloop.apiserver.kinds.validation.InternalForm;
import io.kubeloop.apiserver.kinds.validation.SchedulingRules;
import io.kubeloop.apiserver.kinds.validation.VolumeSourceRules;
import io.kubeloop.apiserver.kinds.validation.node.NodeLabels;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Validation of persistent volumes (upstream: {@code ValidatePersistentVolume} in {@code pkg/apis/core/validation}).
 */
public final class PersistentVolumeRules {

    private static final String TYPE = "core.v1.PersistentVolumeSpec";
    private static final String CLASS = "volumeAttributesClassName";
    private static final String INLINE = "may not be specified in the context of inline volumes";
    private static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
    private static final String OPTIONS_ANNOTATION = "volume.beta.kubernetes.io/mount-options";

    /** A kind of volume: its field, the field that messages show, and the check of its source. */
    private record Source(String field, String shown, Consumer<FieldCursor> check) {

        Source(String field, Consumer<FieldCursor> check) {
            this(field, field, check);
        }
    }

    /** The kinds in the order in which upstream looks at them. */
    private static final List<Source> SOURCES = List.of(
            new Source("hostPath", VolumeSourceRules::hostPath),
            new Source(
                    "gcePersistentDisk",
                    "persistentDisk",
                    source -> VolumeSourceRules.partitionedDisk(source, "pdName")),
            new Source("awsElasticBlockStore", source -> VolumeSourceRules.partitionedDisk(source, "volumeID")),
            new Source("glusterfs", PersistentVolumeRules::glusterfs),
            new Source("flocker", VolumeSourceRules::flocker),
            new Source("nfs", VolumeSourceRules::nfs),
            new Source("rbd", requiring("monitors", "image")),
            new Source("quobyte", VolumeSourceRules::quobyte),
            new Source("cephfs", requiring("monitors")),
            new Source("iscsi", source -> {}), // needs the name of the volume
            new Source("cinder", source -> {
                source.at("volumeID").require();
                namedSecret(source.at("secretRef"));
            }),
            new Source("fc", VolumeSourceRules::fibreChannel),
            new Source("flexVolume", PersistentVolumeRules::flex),
            new Source("azureFile", source -> {
                source.at("secretName").require();
                source.at("shareName").require();
                source.at("secretNamespace").ifSet(name -> name.require());
            }),
            new Source("vsphereVolume", requiring("volumePath")),
            new Source("photonPersistentDisk", requiring("pdID")),
            new Source("portworxVolume", requiring("volumeID")),
            new Source("azureDisk", VolumeSourceRules::azureDisk),
            new Source("scaleIO", requiring("gateway", "system", "volumeName")),
            new Source("local", source -> {
                if (source.at("path").require()) {
                    VolumeSourceRules.noBacksteps(source.at("path"));
                }
            }),
            new Source("storageos", PersistentVolumeRules::storageOs),
            new Source("csi", PersistentVolumeRules::csi));

    /** The fields of a spec that are no source, in their internal names. */
    private static final Set<String> NO_SOURCES = Set.of(
            "Capacity",
            "AccessModes",
            "ClaimRef",
            "PersistentVolumeReclaimPolicy",
            "StorageClassName",
            "MountOptions",
            "VolumeMode",
            "NodeAffinity",
            "VolumeAttributesClassName");

    /** The kinds of volumes that support mount options. */
    private static final List<String> WITH_OPTIONS = List.of(
            "gcePersistentDisk",
            "awsElasticBlockStore",
            "glusterfs",
            "nfs",
            "rbd",
            "quobyte",
            "iscsi",
            "cinder",
            "cephfs",
            "azureFile",
            "vsphereVolume",
            "azureDisk",
            "photonPersistentDisk");

    private static final Map<String, String> GA_LABELS = Map.of(
            "beta.kubernetes.io/arch", "kubernetes.io/arch",
            "beta.kubernetes.io/os", "kubernetes.io/os",
            "failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region",
            "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone",
            "beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type");

    private static final Map<String, String> DEPRECATED = deprecated();

    private PersistentVolumeRules() {}

    private static Map<String, String> deprecated() {
        Map<String, String> sources = new LinkedHashMap<>(); // in the order of the warnings
        sources.put("cephfs", "deprecated in v1.28, non-functional in v1.31+");
        sources.put("photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+");
        sources.put("scaleIO", "deprecated in v1.16, non-functional in v1.22+");
        sources.put("storageos", "deprecated in v1.22, non-functional in v1.25+");
        sources.put("glusterfs", "deprecated in v1.25, non-functional in v1.26+");
        sources.put("rbd", "deprecated in v1.28, non-functional in v1.31+");
        return sources;
    }

    private static Consumer<FieldCursor> requiring(String... fields) {
        return source -> {
            for (String field : fields) {
                source.at(field).require();
            }
        };
    }

    /** Validates the spec of a volume. */
    public static void check(FieldCursor volume) {
        spec(volume.at("spec"), volume.at("metadata", "name").text(), false);
    }

    /** Adds an error for mount options of a volume that does not support them. */
    public static void options(FieldCursor volume) {
        FieldCursor options = volume.at("metadata", "annotations", OPTIONS_ANNOTATION);
        if (WITH_OPTIONS.stream().noneMatch(source -> volume.at("spec", source).isSet())) {
            options.mustBeAbsent("may not specify mount options for this volume type");
        }
    }

    /** Validates a change of a volume. */
    public static void update(FieldCursor volume, FieldCursor old) {
        options(volume);
        source(volume.at("spec"), old.at("spec"));
        volume.at("spec", "volumeMode").named("volumeMode").immutable(old.at("spec", "volumeMode"));
        FieldCursor before = old.at("spec", "nodeAffinity");
        FieldCursor after = volume.at("spec", "nodeAffinity");
        if (before.isSet() && !isSameAffinity(after, before)) {
            InternalForm.shown("core.v1.VolumeNodeAffinity", after)
                    .named("nodeAffinity")
                    .invalid("field is immutable, except for updating from beta label to GA");
        }
        if (old.at("spec", CLASS).isSet() && !volume.at("spec", CLASS).isSet()) {
            volume.at("spec", CLASS).forbidden("update from non-nil value to nil is forbidden");
        }
    }

    private static void source(FieldCursor spec, FieldCursor old) {
        JsonObject after = spec.object();
        JsonObject shown = spec.shownObject();
        String secret = "controllerExpandSecretRef";
        if (old.at("csi").isSet() && !old.at("csi", secret).isSet()) {
            after = after.without(List.of("csi", secret)); // the secret may be added
            shown = shown.without(List.of("csi", secret));
        }
        JsonObject was = sources(old.object());
        if (!sources(after).equals(was)) {
            spec.at("persistentvolumesource")
                    .forbidden("spec.persistentvolumesource is immutable after creation\n"
                            + InternalDiff.between(was, sources(shown)));
        }
    }

    private static JsonObject sources(JsonObject spec) {
        Map<String, JsonValue> sources =
                new LinkedHashMap<>(InternalForm.of(TYPE, spec).members());
        sources.keySet().removeAll(NO_SOURCES);
        return JsonObject.of(sources);
    }

    private static boolean isSameAffinity(FieldCursor after, FieldCursor before) {
        return after.isSameAs(before)
                || (after.isSet() && renamed(after.object(), before.object()).equals(after.object()));
    }

    /** Returns the old affinity with each key renamed that the new affinity may rename. */
    private static JsonObject renamed(JsonObject after, JsonObject before) {
        List<JsonObject> oldTerms = terms(before);
        List<JsonObject> newTerms = terms(after);
        List<JsonObject> terms = new ArrayList<>();
        for (int i = 0; i < oldTerms.size(); i++) {
            JsonObject term = oldTerms.get(i);
            for (String list : List.of("matchExpressions", "matchFields")) {
                List<JsonObject> others = i < newTerms.size()
                        ? newTerms.get(i).array(list).objects().toList()
                        : List.of();
                term = term.has(list) ? term.with(list, renamed(term.array(list), others)) : term;
            }
            terms.add(term);
        }
        return before.with(List.of("required", "nodeSelectorTerms"), JsonArray.of(terms));
    }

    private static List<JsonObject> terms(JsonObject affinity) {
        return affinity.array("required", "nodeSelectorTerms").objects().toList();
    }

    /**
     * A deprecated key may become its successor. As upstream, another key may become empty, which is invalid for
     * another reason.
     */
    private static JsonArray renamed(JsonArray requirements, List<JsonObject> others) {
        List<JsonObject> olds = requirements.objects().toList();
        List<JsonObject> result = new ArrayList<>();
        for (int i = 0; i < olds.size(); i++) {
            JsonObject old = olds.get(i);
            String key = i < others.size() ? others.get(i).string("key") : old.string("key");
            result.add(key.equals(GA_LABELS.getOrDefault(old.string("key"), "")) ? old.with("key", key) : old);
        }
        return JsonArray.of(result);
    }

    /** Validates the spec of a volume that a volume attachment contains. */
    static void inline(FieldCursor spec) {
        spec(spec, "", true);
    }

    private static void spec(FieldCursor spec, String name, boolean isInline) {
        if (isInline) {
            spec.at("claimRef").mustBeAbsent(INLINE);
            spec.at("capacity").mustBeEmpty(INLINE);
            if (!spec.at("csi").isSet()) {
                spec.at("csi").required("has to be specified in the context of inline volumes");
            }
        }
        spec.at("accessModes").require();
        ClaimSpecRules.accessModes(spec.at("accessModes"));
        if (!isInline) {
            capacity(spec.at("capacity"));
        }
        reclaimPolicy(spec.at("persistentVolumeReclaimPolicy"), isInline);
        nodeAffinity(spec.at("nodeAffinity"), isInline);
        volumeType(spec, name);
        FieldCursor storageClass = spec.at("storageClassName");
        FieldCursor mode = spec.at("volumeMode");
        if (isInline) {
            storageClass.mustBeEmpty(INLINE);
            if (mode.isSet() && !mode.text().equals("Filesystem")) {
                mode.forbidden("may not specify volumeMode other than Filesystem in the context of inline volumes");
            }
        } else {
            storageClass.followsIfSet(NameValidation::dns1123Subdomain);
            mode.oneOfIfSet(ClaimSpecRules.VOLUME_MODES);
            attributesClass(spec);
        }
    }

    private static void capacity(FieldCursor capacity) {
        capacity.require();
        if (!capacity.at("storage").isSet() || capacity.object().members().size() > 1) {
            JsonValue shown = capacity.shown() instanceof JsonObject amounts
                    ? JsonObject.of(new TreeMap<>(amounts.members())) // as Go writes maps
                    : capacity.shown();
            capacity.errors().notSupported(capacity.path(), shown, List.of("storage"));
        }
        for (FieldCursor amount : capacity.entries()) {
            VolumeClaimRules.amount(amount);
            ClaimSpecRules.positive(amount);
        }
    }

    private static void reclaimPolicy(FieldCursor policy, boolean isInline) {
        if (policy.isEmpty()) {
            return;
        }
        if (!isInline) {
            policy.oneOf(List.of("Delete", "Recycle", "Retain"));
        } else if (!policy.text().equals("Retain")) {
            policy.forbidden("may only be Retain in the context of inline volumes");
        }
    }

    private static void nodeAffinity(FieldCursor affinity, boolean isInline) {
        if (isInline) {
            affinity.mustBeAbsent(INLINE);
        } else if (affinity.isSet()) {
            FieldCursor required = affinity.at("required");
            if (required.isSet()) {
                SchedulingRules.nodeSelector(required);
            } else {
                required.required("must specify required node constraints");
            }
        }
    }

    private static void volumeType(FieldCursor spec, String name) {
        boolean found = false;
        for (Source source : SOURCES) {
            FieldCursor field = spec.at(source.field());
            if (!field.isSet()) {
                continue;
            }
            if (found && !source.field().equals("flexVolume")) {
                (source.field().equals("cephfs") ? spec.at("cephFS") : field)
                        .forbidden("may not specify more than 1 volume type");
                continue;
            }
            found = true;
            source.check().accept(field.named(spec.at(source.shown()).path()));
            if (source.field().equals("iscsi")) {
                VolumeSourceRules.iscsi(field, name);
            }
            if (source.field().equals("local") && !spec.at("nodeAffinity").isSet()) {
                spec.at("nodeAffinity").required("Local volume requires node affinity");
            }
        }
        if (!found) {
            spec.required("must specify a volume type");
        }
        boolean isRoot = spec.at("hostPath").isSet()
                && isRoot(spec.at("hostPath", "path").text());
        if (isRoot && spec.at("persistentVolumeReclaimPolicy").text().equals("Recycle")) {
            spec.at("persistentVolumeReclaimPolicy").forbidden("may not be 'recycle' for a hostPath mount of '/'");
        }
    }

    private static boolean isRoot(String path) {
        int depth = 0;
        for (String part : path.split("/", -1)) {
            depth = part.isEmpty() || part.equals(".") ? depth : part.equals("..") ? Math.max(0, depth - 1) : depth + 1;
        }
        return path.startsWith("/") && depth == 0;
    }

    private static void attributesClass(FieldCursor spec) {
        FieldCursor attributes = spec.at(CLASS);
        if (!attributes.isSet()) {
            return;
        }
        if (attributes.require("an empty string is disallowed")) {
            attributes.follows(NameValidation::dns1123Subdomain);
        }
        if (!spec.at("csi").isSet()) {
            spec.at("csi").required("has to be specified when using volumeAttributesClassName");
        }
    }

    private static void glusterfs(FieldCursor source) {
        source.at("endpoints").require();
        source.at("path").require();
        FieldCursor namespace = source.at("endpointsNamespace");
        if (namespace.isSet() && namespace.isEmpty()) {
            namespace.invalid("if the endpointnamespace is set, it must be a valid namespace name");
        }
        namespace.followsIfSet(NameValidation::dns1123Label);
    }

    private static void flex(FieldCursor source) {
        source.at("driver").require();
        for (String key : source.at("options").object().members().keySet()) {
            String domain = "." + key.split("/", 2)[0].toLowerCase(Locale.ROOT);
            if (domain.endsWith(".kubernetes.io") || domain.endsWith(".k8s.io")) {
                source.at("options")
                        .entry(key)
                        .holding(new JsonString(key))
                        .invalid("kubernetes.io and k8s.io namespaces are reserved");
            }
        }
    }

    private static void storageOs(FieldCursor source) {
        if (source.at("volumeName").require()) {
            source.at("volumeName").follows(NameValidation::dns1123Label);
        }
        source.at("volumeNamespace").followsIfSet(NameValidation::dns1123Label);
        namedSecret(source.at("secretRef"));
    }

    private static void namedSecret(FieldCursor secret) {
        secret.ifSet(set -> {
            set.at("name").require();
            set.at("namespace").require();
        });
    }

    private static void csi(FieldCursor source) {
        VolumeSourceRules.driverName(source.at("driver"));
        source.at("volumeHandle").require();
        for (String field : Arrays.asList(
                "controllerPublishSecretRef",
                "controllerExpandSecretRef",
                "nodePublishSecretRef",
                "nodeExpandSecretRef")) {
            source.at(field).ifSet(secret -> {
                if (secret.at("name").require()) {
                    secret.at("name").follows(NameValidation::dns1123Subdomain);
                }
                if (secret.at("namespace").require()) {
                    secret.at("namespace").follows(NameValidation::dns1123Label);
                }
            });
        }
    }

    /** Returns the warnings about a volume. */
    public static List<String> warnings(FieldCursor volume) {
        List<String> warnings = new ArrayList<>();
        FieldCursor annotations = volume.at("metadata", "annotations");
        if (annotations.at(CLASS_ANNOTATION).isSet()) {
            warnings.add(annotations.entry(CLASS_ANNOTATION).path()
                    + ": deprecated since v1.8; use \"storageClassName\" attribute instead");
        }
        if (annotations.at(OPTIONS_ANNOTATION).isSet()) {
            warnings.add(annotations.entry(OPTIONS_ANNOTATION).path()
                    + ": deprecated since v1.31; use \"mountOptions\" attribute instead");
        }
        FieldCursor spec = volume.at("spec");
        if (spec.at("persistentVolumeReclaimPolicy").text().equals("Recycle")) {
            warnings.add("spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the"
                    + " recommended approach is to use dynamic provisioning.");
        }
        spec.at("nodeAffinity", "required", "nodeSelectorTerms")
                .each(term -> warnings.addAll(NodeLabels.expressionWarnings(term, false)));
        DEPRECATED.forEach((source, text) -> {
            if (spec.at(source).isSet()) {
                warnings.add("spec." + (source.equals("storageos") ? "storageOS" : source) + ": " + text);
            }
        });
        return warnings;
    }
}
