/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.history;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.apps.ReplicaSetSpecBuilder;
import io.kubeloop.api.apps.ReplicaSetStatus;
import io.kubeloop.api.core.PodTemplateSpec;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The hash of a pod template in names and labels, such as {@code 5d4b9c7f6d} (upstream: {@code
 * controller.ComputeHash}). It equals that of Kubernetes 1.37, whose hash covers the Go types of that release.
 * Stateless.
 */
public final class PodTemplateHash {

    private static final int FNV_OFFSET = 0x811c9dc5;
    private static final int FNV_PRIME = 0x01000193;

    private PodTemplateHash() {}

    /**
     * Returns the hash of a template. O(size of the template).
     *
     * @param collisionCount how often the name of a new object was taken by another template; null for never
     */
    public static String of(PodTemplateSpec template, @Nullable Integer collisionCount) {
        return ofTree(tree(template), collisionCount);
    }

    /**
     * Returns whether two templates make the same pods (upstream: {@code apiequality.Semantic.DeepEqual}). An empty
     * list, map or string is the same as an absent one, as it is for the hash. O(size of the templates).
     */
    public static boolean haveSameText(PodTemplateSpec one, PodTemplateSpec two) {
        return one.equals(two) || DeepHashPrinter.podTemplate(tree(one)).equals(DeepHashPrinter.podTemplate(tree(two)));
    }

    static String ofTree(JsonObject template, @Nullable Integer collisionCount) {
        int hash = FNV_OFFSET;
        for (byte next : DeepHashPrinter.podTemplate(template).getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (next & 0xff)) * FNV_PRIME;
        }
        if (collisionCount != null) {
            // Eight bytes: the count as 32 bits, little end first, and four zeros.
            for (int i = 0; i < 8; i++) {
                int next = i < 4 ? (collisionCount >>> (8 * i)) & 0xff : 0;
                hash = (hash ^ next) * FNV_PRIME;
            }
        }
        return SafeEncoding.of(hash);
    }

    /** The codec encodes whole objects, so the template is wrapped in one. */
    private static JsonObject tree(PodTemplateSpec template) {
        ReplicaSet carrier = ReplicaSet.of(
                ObjectMeta.EMPTY,
                ReplicaSetSpecBuilder.builder().template(template).build(),
                ReplicaSetStatus.EMPTY);
        return JsonObject.parse(JsonCodec.standard().encode(ResourceTypes.REPLICA_SETS, carrier))
                .object("spec", "template");
    }
}
