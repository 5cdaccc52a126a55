/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.webhook;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.json.tree.JsonObject;
import java.io.ByteArrayInputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The conversions between the versions of a custom resource. Immutable.
 *
 * <p>The functions keep the metadata; the server accepts changes of labels and annotations only.
 */
public final class VersionConversions {

    private record Step(String from, String to) {}

    private final ObjectCodec codec;
    private final Map<Step, Function<JsonObject, JsonObject>> steps;

    private VersionConversions(ObjectCodec codec, Map<Step, Function<JsonObject, JsonObject>> steps) {
        this.codec = codec;
        this.steps = Map.copyOf(steps);
    }

    /** Returns no conversions. */
    public static VersionConversions of(ObjectCodec codec) {
        return new VersionConversions(codec, Map.of());
    }

    /** Returns these conversions and the two between a pair of versions. The functions must be thread-safe. */
    public <A extends KubeObject, B extends KubeObject> VersionConversions with(
            ResourceType<A> older, ResourceType<B> newer, Function<A, B> up, Function<B, A> down) {
        Map<Step, Function<JsonObject, JsonObject>> more = new HashMap<>(steps);
        more.put(new Step(older.apiVersion(), newer.apiVersion()), object -> converted(object, older, newer, up));
        more.put(new Step(newer.apiVersion(), older.apiVersion()), object -> converted(object, newer, older, down));
        return new VersionConversions(codec, more);
    }

    private <A extends KubeObject, B extends KubeObject> JsonObject converted(
            JsonObject object, ResourceType<A> from, ResourceType<B> to, Function<A, B> function) {
        A decoded = codec.decode(from, new ByteArrayInputStream(object.toBytes()));
        return JsonObject.parse(codec.encode(to, function.apply(decoded)));
    }

    /**
     * Returns the object in a version.
     *
     * @throws DecodeException if the object is invalid
     * @throws IllegalArgumentException if no function converts between the versions
     */
    JsonObject convert(JsonObject object, String wanted) {
        String present = object.string("apiVersion");
        if (present.equals(wanted)) {
            return object;
        }
        Function<JsonObject, JsonObject> step = steps.get(new Step(present, wanted));
        if (step == null) {
            throw new IllegalArgumentException("no conversion from " + present + " to " + wanted);
        }
        return step.apply(object);
    }
}
