/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.objectmeta.MetaValidation;
import io.kubeloop.json.schema.Quantities;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Validation of the volumes of a pod (upstream: {@code ValidateVolumes} in {@code pkg/apis/core/validation}). */
public final class VolumeRules {

    private static final String MODE = "must be a number between 0 and 0777 (octal), both inclusive";
    private static final int MAX_MODE = 0777;
    private static final long MIN_TOKEN_SECONDS = 600;
    private static final long MAX_TOKEN_SECONDS = 1L << 32;

    /** A kind of volume: its field, the name in the error about a second kind, and the check of its source. */
    private record Source(String field, String shown, Consumer<FieldCursor> check) {

        Source(String field, Consumer<FieldCursor> check) {
            this(field, field, check);
        }
    }

    /** The kinds in the order in which upstream looks at them. */
    private static final List<Source> SOURCES = List.of(
            new Source("emptyDir", VolumeRules::emptyDir),
            new Source("hostPath", VolumeSourceRules::hostPath),
            new Source("gitRepo", VolumeRules::gitRepo),
            new Source("gcePersistentDisk", source -> VolumeSourceRules.partitionedDisk(renamed(source), "pdName")),
            new Source("awsElasticBlockStore", source -> VolumeSourceRules.partitionedDisk(source, "volumeID")),
            new Source("secret", source -> keys(source, "secretName")),
            new Source("nfs", VolumeSourceRules::nfs),
            new Source("iscsi", source -> VolumeSourceRules.iscsi(source, "")),
            new Source("glusterfs", requiring("endpoints", "path")),
            new Source("flocker", VolumeSourceRules::flocker),
            new Source("persistentVolumeClaim", requiring("claimName")),
            new Source("rbd", requiring("monitors", "image")),
            new Source("cinder", VolumeRules::cinder),
            new Source("cephfs", "cephFS", requiring("monitors")),
            new Source("quobyte", VolumeSourceRules::quobyte),
            new Source("downwardAPI", "downwarAPI", VolumeRules::downward),
            new Source("fc", VolumeSourceRules::fibreChannel),
            new Source("flexVolume", requiring("driver")),
            new Source("configMap", source -> keys(source, "name")),
            new Source("azureFile", requiring("secretName", "shareName")),
            new Source("vsphereVolume", requiring("volumePath")),
            new Source("photonPersistentDisk", requiring("pdID")),
            new Source("portworxVolume", requiring("volumeID")),
            new Source("azureDisk", VolumeSourceRules::azureDisk),
            new Source("storageos", VolumeRules::storageOs),
            new Source("projected", VolumeRules::projected),
            new Source("scaleIO", requiring("gateway", "system", "volumeName")),
            new Source("csi", VolumeRules::csi),
            new Source("ephemeral", VolumeRules::ephemeral),
            new Source("image", VolumeRules::image));

    /** The metadata that the template of a claim must not have, in upstream's order. */
    private static final List<String> NOT_OF_TEMPLATES = List.of(
            "name",
            "generateName",
            "namespace",
            "selfLink",
            "uid",
            "resourceVersion",
            "generation",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "ownerReferences",
            "finalizers",
            "managedFields");

    /** The values that Go does not tell from absent ones. */
    private static final Set<String> ZEROS = Set.of("\"\"", "0", "null");

    private VolumeRules() {}

    private static Consumer<FieldCursor> requiring(String... fields) {
        return source -> {
            for (String field : fields) {
                source.at(field).require();
            }
        };
    }

    /**
     * Validates the volumes and returns the valid ones by name.
     *
     * @param pod the name of the pod; empty for a template
     */
    static Map<String, JsonObject> check(FieldCursor volumes, String pod) {
        Map<String, JsonObject> valid = new HashMap<>();
        for (FieldCursor volume : volumes.items()) {
            int before = volume.errors().count();
            source(volume, pod);
            FieldCursor name = volume.at("name");
            if (name.require()) {
                name.follows(NameValidation::dns1123Label);
            }
            if (valid.containsKey(name.text())) {
                name.duplicate();
            }
            if (volume.errors().count() == before) {
                valid.put(name.text(), volume.object());
            }
        }
        return valid;
    }

    private static void source(FieldCursor volume, String pod) {
        boolean found = false;
        for (Source source : SOURCES) {
            FieldCursor field = volume.at(source.field());
            if (!field.isSet()) {
                continue;
            }
            if (found) {
                volume.at(source.shown()).forbidden("may not specify more than 1 volume type");
            } else {
                source.check().accept(field);
                if (source.field().equals("ephemeral")) {
                    claimName(volume.at("name"), pod);
                }
            }
            found = true;
        }
        if (!found) {
            volume.required("must specify a volume type");
        }
    }

    private static void claimName(FieldCursor name, String pod) {
        if (!pod.isEmpty() && !name.isEmpty()) {
            String claim = pod + "-" + name.text();
            NameValidation.dns1123Subdomain(claim)
                    .forEach(problem -> name.invalid("PVC name \"" + claim + "\": " + problem));
        }
    }

    private static void emptyDir(FieldCursor source) {
        FieldCursor limit = source.at("sizeLimit");
        if (limit.value() != null && Quantities.of(limit.value()).signum() < 0) {
            limit.forbidden("SizeLimit field must be a valid resource quantity");
        }
    }

    /** Returns the disk under the name that upstream's messages use. */
    private static FieldCursor renamed(FieldCursor disk) {
        return disk.named(disk.path().replace("gcePersistentDisk", "persistentDisk"));
    }

    private static void gitRepo(FieldCursor source) {
        source.at("repository").require();
        localPath(source.at("directory"));
    }

    private static void cinder(FieldCursor source) {
        source.at("volumeID").require();
        source.at("secretRef").ifSet(secret -> secret.at("name").require());
    }

    private static void storageOs(FieldCursor source) {
        if (source.at("volumeName").require()) {
            source.at("volumeName").follows(NameValidation::dns1123Label);
        }
        source.at("volumeNamespace").followsIfSet(NameValidation::dns1123Label);
        source.at("secretRef").ifSet(secret -> secret.at("name").require());
    }

    private static void image(FieldCursor source) {
        source.at("reference").require();
        source.at("pullPolicy").requireOneOf(ContainerRules.PULL_POLICIES);
    }

    private static void csi(FieldCursor source) {
        VolumeSourceRules.driverName(source.at("driver"));
        FieldCursor secret = source.at("nodePublishSecretRef");
        if (secret.isSet() && secret.at("name").require()) {
            secret.at("name").named(source.path() + ".name").follows(NameValidation::dns1123Subdomain);
        }
    }

    private static void keys(FieldCursor source, String name) {
        source.at(name).require();
        mode(source.at("defaultMode"));
        source.at("items").each(VolumeRules::keyToPath);
    }

    private static void mode(FieldCursor mode) {
        if (mode.number() < 0 || mode.number() > MAX_MODE) {
            mode.invalid(MODE);
        }
    }

    private static void keyToPath(FieldCursor item) {
        item.at("key").require();
        item.at("path").require();
        localPath(item.at("path"));
        mode(item.at("mode"));
    }

    private static void downward(FieldCursor source) {
        mode(source.at("defaultMode"));
        source.at("items").each(item -> downwardFile(item.named(source.path())));
    }

    private static void downwardFile(FieldCursor file) {
        file.at("path").require();
        localPath(file.at("path"));
        FieldCursor field = file.at("fieldRef");
        FieldCursor resource = file.at("resourceFieldRef");
        if (field.isSet()) {
            EnvironmentRules.fieldRef(field, EnvironmentRules.VOLUME_FIELDS);
            if (resource.isSet()) {
                file.holding(new JsonString("resource"))
                        .invalid("fieldRef and resourceFieldRef can not be specified simultaneously");
            }
        } else if (resource.isSet()) {
            EnvironmentRules.resourceRef(resource, true);
        } else {
            file.required("one of fieldRef and resourceFieldRef is required");
        }
        mode(file.at("mode"));
    }

    private static void projected(FieldCursor projection) {
        mode(projection.at("defaultMode"));
        Set<String> paths = new HashSet<>();
        for (FieldCursor source : projection.at("sources").items()) {
            for (String kind : List.of("secret", "configMap")) {
                FieldCursor some = source.at(kind);
                if (some.isSet()) {
                    some.at("name").require();
                    some.at("items").each(item -> {
                        keyToPath(item);
                        onePath(
                                projection,
                                paths,
                                item.at("path").text(),
                                some.at("name").text());
                    });
                }
            }
            FieldCursor downward = source.at("downwardAPI");
            downward.at("items").each(item -> {
                downwardFile(item.named(downward.path()));
                onePath(
                        projection,
                        paths,
                        item.at("path").text(),
                        item.at("path").text());
            });
            source.at("serviceAccountToken").ifSet(token -> token(projection, token));
            Consumer<FieldCursor> path = some -> {
                localPath(some);
                onePath(projection, paths, some.text(), some.text());
            };
            source.at("clusterTrustBundle").ifSet(bundle -> ProjectedCertificateRules.bundle(bundle, path));
            source.at("podCertificate")
                    .ifSet(certificate -> ProjectedCertificateRules.podCertificate(certificate, path));
            if (source.object().members().size() > 1) {
                source.forbidden("may not specify more than 1 volume type per source");
            }
        }
    }

    private static void onePath(FieldCursor projection, Set<String> paths, String path, String shown) {
        if (!path.isEmpty() && !paths.add(path)) {
            projection.holding(new JsonString(shown)).invalid("conflicting duplicate paths");
        }
    }

    private static void token(FieldCursor projection, FieldCursor token) {
        FieldCursor seconds = token.at("expirationSeconds");
        if (seconds.number() < MIN_TOKEN_SECONDS) {
            seconds.invalid("may not specify a duration less than 10 minutes");
        }
        if (seconds.number() > MAX_TOKEN_SECONDS) {
            seconds.invalid("may not specify a duration larger than 2^32 seconds");
        }
        FieldCursor path = token.at("path").named(projection.path() + ".path");
        if (path.require()) {
            localPath(path);
        }
    }

    /** Validates the metadata of a claim's template: no fields but annotations and labels. */
    public static void ownMetadata(FieldCursor metadata) {
        FieldCursor annotations = metadata.at("annotations");
        MetaValidation.annotations(annotations.path(), annotations.object(), annotations.errors());
        SelectorRules.labels(metadata.at("labels"));
        JsonObject sent = metadata.shownObject();
        for (String field : NOT_OF_TEMPLATES) {
            JsonValue value = sent.get(field);
            boolean isPointer = field.equals("deletionGracePeriodSeconds");
            if (value != null && (isPointer || !ZEROS.contains(value.toString()))) {
                metadata.at(field.equals("uid") ? "uID" : field).forbidden("cannot be set");
            }
        }
    }

    private static void ephemeral(FieldCursor source) {
        FieldCursor template = source.at("volumeClaimTemplate");
        if (template.isSet()) {
            ownMetadata(template.at("metadata"));
            ClaimSpecRules.check(template.at("spec"));
        } else {
            template.required("");
        }
    }

    /** Adds an error for an absolute path, and for one with backsteps. */
    static void descendingPath(FieldCursor path) {
        if (path.text().startsWith("/")) {
            path.invalid("must be a relative path");
        }
        VolumeSourceRules.noBacksteps(path);
    }

    private static void localPath(FieldCursor path) {
        descendingPath(path);
        if (path.text().startsWith("..") && !path.text().startsWith("../")) {
            path.invalid("must not start with '..'");
        }
    }
}
