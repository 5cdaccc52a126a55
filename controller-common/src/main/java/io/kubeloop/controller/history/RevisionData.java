/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.history;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ControllerRevision;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.apps.ReplicaSetSpecBuilder;
import io.kubeloop.api.apps.ReplicaSetStatus;
import io.kubeloop.api.core.PodTemplateSpec;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The content of a revision: a patch that replaces the pod template of its owner (upstream: {@code getPatch} and {@code
 * HashControllerRevision}). The text equals upstream's, because names are hashes of it. Stateless.
 */
public final class RevisionData {

    private static final int FNV_OFFSET = 0x811c9dc5;
    private static final int FNV_PRIME = 0x01000193;

    private static final JsonCodec CODEC = JsonCodec.standard();

    /** The largest length of the part of a name that comes from the owner. */
    private static final int MAX_PREFIX = 223;

    /** The largest whole number that Go reads as floating point without loss. */
    private static final long LARGEST_EXACT = 1L << 53;

    private RevisionData() {}

    /** Returns the data of the revision of a template, as JSON with sorted members. O(size of the template). */
    public static String of(PodTemplateSpec template) {
        JsonObject replaced = tree(template).with("$patch", "replace");
        return canonical(JsonObject.of("spec", JsonObject.of("template", replaced)))
                .toString();
    }

    /** Returns the data of a revision in the same form; {@code null} as text if it has none. O(size of the data). */
    public static String of(ControllerRevision revision) {
        JsonValue data = JsonObject.of(revision.unknownFields()).get("data");
        return data == null ? "null" : canonical(data).toString();
    }

    /**
     * Returns the template that a revision restores.
     *
     * @param base the template of the owner, which stays if the revision has none
     */
    public static PodTemplateSpec template(ControllerRevision revision, PodTemplateSpec base) {
        JsonObject data = JsonObject.of(revision.unknownFields());
        if (!(data.get("data", "spec", "template") instanceof JsonObject template)) {
            return base;
        }
        String carrier = "{\"spec\":{\"template\":" + template.without("$patch") + "}}";
        return CODEC.decode(
                        ResourceTypes.REPLICA_SETS, new ByteArrayInputStream(carrier.getBytes(StandardCharsets.UTF_8)))
                .spec()
                .template();
    }

    /**
     * Returns the hash of data, such as {@code 65665c79ff}. O(size of the data).
     *
     * @param collisionCount the number of times that the name of a new revision was already in use; null for a hash of
     *     the data alone
     */
    public static String hash(String data, @Nullable Integer collisionCount) {
        int hash = FNV_OFFSET;
        String hashed = collisionCount == null ? data : data + collisionCount;
        for (byte next : hashed.getBytes(StandardCharsets.UTF_8)) {
            hash = hash * FNV_PRIME ^ (next & 0xff);
        }
        return SafeEncoding.of(hash);
    }

    /** Returns the name of a revision (upstream: {@code ControllerRevisionName}). */
    public static String name(String owner, String hash) {
        return owner.substring(0, Math.min(owner.length(), MAX_PREFIX)) + "-" + hash;
    }

    /** The codec encodes whole objects, so the template travels in one. */
    private static JsonObject tree(PodTemplateSpec template) {
        ReplicaSet carrier = ReplicaSet.of(
                ObjectMeta.EMPTY,
                ReplicaSetSpecBuilder.builder().template(template).build(),
                ReplicaSetStatus.EMPTY);
        return JsonObject.parse(CODEC.encode(ResourceTypes.REPLICA_SETS, carrier))
                .object("spec", "template");
    }

    /** Go writes maps with sorted members, and reads all numbers as floating point. */
    private static JsonValue canonical(JsonValue value) {
        if (value instanceof JsonObject object) {
            TreeMap<String, JsonValue> sorted = new TreeMap<>();
            object.members().forEach((name, member) -> {
                // Servers before 1.34 return this for metadata without a time; Go's types of 1.36 do not have it.
                if (!name.equals("creationTimestamp") || !(member instanceof JsonNull)) {
                    sorted.put(name, canonical(member));
                }
            });
            return JsonObject.of(sorted);
        }
        if (value instanceof JsonArray array) {
            List<JsonValue> elements =
                    array.elements().stream().map(RevisionData::canonical).toList();
            return JsonArray.of(elements);
        }
        if (value instanceof JsonNumber number) {
            Long whole = number.toLong();
            return whole == null || Math.abs(whole) <= LARGEST_EXACT
                    ? number
                    : new JsonNumber(new BigDecimal(Double.toString(whole.doubleValue())).toPlainString());
        }
        return value;
    }
}
