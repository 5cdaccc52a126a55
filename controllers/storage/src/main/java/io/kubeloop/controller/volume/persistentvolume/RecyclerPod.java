/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.persistentvolume;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The pod that empties released volumes with the policy Recycle. Immutable.
 *
 * @param template the pod; its first volume becomes the volume to be emptied; {@code
 *     --pv-recycler-pod-template-filepath-*}
 * @param minimumSeconds the smallest deadline, in seconds; {@code --pv-recycler-minimum-timeout-*}
 * @param secondsPerGib the seconds for each GiB of the volume, which the deadline has at least; {@code
 *     --pv-recycler-*increment*}
 */
public record RecyclerPod(GenericObject template, int minimumSeconds, int secondsPerGib) {

    /** The pod of kube-controller-manager, which deletes all files. */
    public static final GenericObject DEFAULT_TEMPLATE = pod(JsonObject.parse("""
            {"metadata":{"namespace":"default"},
             "spec":{"restartPolicy":"Never","volumes":[{"name":"vol"}],
              "containers":[{"name":"pv-recycler","image":"registry.k8s.io/build-image/debian-base:bookworm-v1.0.6",
               "command":["/bin/sh"],
               "args":["-c",
                "test -e /scrub && find /scrub -mindepth 1 -delete && test -z \\"$(ls -A /scrub)\\" || exit 1"],
               "volumeMounts":[{"name":"vol","mountPath":"/scrub"}]}]}}"""));

    /** The default for volumes on a host. */
    static final RecyclerPod HOST_PATH = new RecyclerPod(DEFAULT_TEMPLATE, 60, 30);

    /** The default for NFS volumes. */
    static final RecyclerPod NFS = new RecyclerPod(DEFAULT_TEMPLATE, 300, 30);

    private static final BigDecimal GIB = BigDecimal.valueOf(1L << 30);

    /**
     * Checks the template.
     *
     * @throws IllegalArgumentException if the pod has no volume
     */
    public RecyclerPod {
        Objects.requireNonNull(template, "template");
        if (volumes(template).isEmpty()) {
            throw new IllegalArgumentException("the pod template does not contain any volume(s)");
        }
    }

    /**
     * Returns the template that a manifest has.
     *
     * @param manifest the pod, with or without its namespace
     */
    public static GenericObject pod(JsonObject manifest) {
        JsonObject metadata = manifest.object("metadata");
        ObjectMeta named = ObjectMetaBuilder.builder()
                .namespace(metadata.string("namespace").isEmpty() ? "default" : metadata.string("namespace"))
                .labels(metadata.object("labels").strings())
                .annotations(metadata.object("annotations").strings())
                .build();
        return new GenericObject(
                "v1",
                "Pod",
                named,
                JsonObject.of("spec", manifest.object("spec")).toUnknownFields());
    }

    private static List<JsonObject> volumes(GenericObject pod) {
        return JsonObject.of(pod.unknownFields())
                .array("spec", "volumes")
                .objects()
                .toList();
    }

    /** Returns the pod that empties a volume; the source is its member, such as {@code nfs}. */
    GenericObject of(Volume volume, String name, String source) {
        JsonObject place = volume.content().object("spec", source);
        JsonObject emptied = source.equals("nfs")
                ? JsonObject.EMPTY.with("server", place.string("server")).with("path", place.string("path"))
                : JsonObject.EMPTY.with("path", place.string("path"));
        List<JsonObject> named = volumes(template);
        List<JsonValue> volumes = new ArrayList<>(named);
        volumes.set(
                0, JsonObject.EMPTY.with("name", named.get(0).string("name")).with(source, emptied));
        long gib = volume.capacity().amount().divideToIntegralValue(GIB).longValue();
        JsonObject spec = JsonObject.of(template.unknownFields())
                .object("spec")
                .with("volumes", JsonArray.of(volumes))
                .with("activeDeadlineSeconds", Math.max(minimumSeconds, gib * secondsPerGib));
        ObjectMeta metadata =
                ObjectMetaBuilder.builder(template.metadata()).name(name).build();
        return new GenericObject(
                template.apiVersion(),
                template.kind(),
                metadata,
                JsonObject.of("spec", spec).toUnknownFields());
    }
}
