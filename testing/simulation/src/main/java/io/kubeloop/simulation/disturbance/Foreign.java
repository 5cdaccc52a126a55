/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.disturbance;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.simulation.Perturbation;
import io.kubeloop.simulation.trial.Call;
import io.kubeloop.simulation.trial.CallId;
import io.kubeloop.simulation.trial.Disturbance;
import io.kubeloop.simulation.trial.Effect;
import io.kubeloop.simulation.trial.LaneFrames;
import io.kubeloop.simulation.trial.Recording;
import io.kubeloop.simulation.trial.RunControl;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Another component marks an object of the user before the operator sees it. An operator must not remove the mark. The
 * component itself removes its finalizer when the object is deleted.
 *
 * @param object the object
 * @param mark what the component sets
 */
record Foreign(Recording.Declared object, Mark mark) implements Disturbance {

    private static final String OWN = "other.example.org/guard";
    private static final int CONFLICT = 409;

    /** What other components set on objects. */
    enum Mark {
        FINALIZER,
        LABEL,
        ANNOTATION,
        OWNER_REFERENCE;

        private String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }

        /** Returns the member of the metadata that holds the mark. */
        private String member() {
            return switch (this) {
                case FINALIZER -> "finalizers";
                case LABEL -> "labels";
                case ANNOTATION -> "annotations";
                case OWNER_REFERENCE -> "ownerReferences";
            };
        }

        private boolean isIn(JsonObject metadata, JsonValue value) {
            return metadata.get(member()) instanceof JsonArray array
                    ? array.elements().contains(value)
                    : metadata.object(member()).has(OWN);
        }

        private JsonObject added(JsonObject metadata, JsonValue value) {
            if (this == LABEL || this == ANNOTATION) {
                return metadata.with(List.of(member(), OWN), value);
            }
            List<JsonValue> elements = new ArrayList<>(metadata.array(member()).elements());
            elements.add(value);
            return metadata.with(member(), JsonArray.of(elements));
        }
    }

    @Override
    public Perturbation kind() {
        return Perturbation.FOREIGN;
    }

    @Override
    public String form() {
        return "foreign-" + mark.word().replace(' ', '-');
    }

    @Override
    public String name() {
        return form() + ": " + object.object() + " of step " + (object.step() + 1);
    }

    @Override
    public String story() {
        return "given " + object.object() + " with the " + mark.word() + " " + OWN + " of another component";
    }

    /** The mark may show elsewhere: an operator may copy labels, and acts on an object that goes later. */
    @Override
    public Disturbance reference() {
        return this;
    }

    @Override
    public Effect begin(RunControl run) {
        return new Marking(run);
    }

    private final class Marking implements Effect {

        /*
         * Threads: the driver of the run marks and releases the object, when no request of the operator is under way
         * or the events are held back; threads of the operator look at it before and after their writes.
         */

        private final RunControl run;
        private final JsonValue value;
        private final ConcurrentLinkedQueue<String> removals = new ConcurrentLinkedQueue<>();
        private int next;
        private volatile boolean hides;
        private volatile String uid = "";
        private volatile boolean isReleased;

        Marking(RunControl run) {
            this.run = run;
            value = mark == Mark.OWNER_REFERENCE ? owner() : new JsonString(mark == Mark.FINALIZER ? OWN : "theirs");
        }

        /** The namespace owns the object: no run deletes it. */
        private JsonObject owner() {
            JsonObject namespace =
                    JsonObject.parse(run.sendAsUser(ApiRequest.get("/api/v1/namespaces/default", Map.of()))
                            .bytes());
            return JsonObject.builder()
                    .put("apiVersion", "v1")
                    .put("kind", "Namespace")
                    .put("name", "default")
                    .put("uid", namespace.string("metadata", "uid"))
                    .build();
        }

        @Override
        public void beforeStep() {
            hides = next++ == object.step();
        }

        @Override
        public void declared(Recording.Declared created) {
            if (hides && created.equals(object) && uid.isEmpty()) {
                JsonObject marked = change(metadata -> mark.added(metadata, value));
                uid = marked == null ? "" : marked.string("metadata", "uid");
                show();
            }
        }

        @Override
        public boolean afterStep(int ended) {
            return show();
        }

        private boolean show() {
            boolean hid = hides;
            hides = false;
            if (hid) {
                run.release();
            }
            return hid;
        }

        @Override
        public boolean holds(LaneFrames watch) {
            return hides;
        }

        @Override
        public void atUnrest() {
            show();
        }

        /** Returns the changed object; null if it does not exist or must not be changed. */
        private @Nullable JsonObject change(UnaryOperator<JsonObject> metadata) {
            ServerResponse.Document answer;
            do {
                ServerResponse.Document read = run.sendAsUser(ApiRequest.get(object.path(), Map.of()));
                if (read.code() >= 300) {
                    return null;
                }
                JsonObject before = JsonObject.parse(read.bytes());
                JsonObject changed = before.with("metadata", metadata.apply(before.object("metadata")));
                answer = run.sendAsUser(
                        ApiRequest.of("PUT", object.path(), Map.of(), ApiRequest.Body.json(changed.toBytes())));
            } while (answer.code() == CONFLICT);
            return answer.code() < 300 ? JsonObject.parse(answer.bytes()) : null;
        }

        @Override
        public ServerResponse write(CallId id, Attempt attempt) {
            if (uid.isEmpty() || !isMarked(attempt.call())) {
                return attempt.execute();
            }
            ServerResponse answer = attempt.execute();
            if (!isReleased && isWithoutMark(attempt.call())) {
                removals.add("the operator removed the " + mark.word() + " " + OWN + " of another component from "
                        + object.object() + " with `" + id + "`");
            }
            return answer;
        }

        private @Nullable JsonObject stored(Call call) {
            StoredObject stored = call.stored(run.plane().server().backend().storage());
            return stored == null ? null : stored.tree().object("metadata");
        }

        private boolean isMarked(Call call) {
            JsonObject metadata = stored(call);
            return metadata != null && metadata.string("uid").equals(uid) && mark.isIn(metadata, value);
        }

        /** An object that is gone has no mark; only the finalizer would have kept it. */
        private boolean isWithoutMark(Call call) {
            JsonObject metadata = stored(call);
            if (metadata == null || !metadata.string("uid").equals(uid)) {
                return mark == Mark.FINALIZER;
            }
            return !mark.isIn(metadata, value);
        }

        @Override
        public boolean atQuiet() {
            if (mark != Mark.FINALIZER || uid.isEmpty() || isReleased) {
                return false;
            }
            ServerResponse.Document read = run.sendAsUser(ApiRequest.get(object.path(), Map.of()));
            JsonObject metadata = read.code() >= 300
                    ? JsonObject.EMPTY
                    : JsonObject.parse(read.bytes()).object("metadata");
            if (!metadata.has("deletionTimestamp") || !metadata.string("uid").equals(uid)) {
                return false;
            }
            isReleased = true;
            return change(this::released) != null;
        }

        private JsonObject released(JsonObject metadata) {
            List<JsonValue> others =
                    new ArrayList<>(metadata.array(mark.member()).elements());
            others.remove(value);
            return metadata.with(mark.member(), JsonArray.of(others));
        }

        @Override
        public List<String> problems() {
            return removals.stream().distinct().toList();
        }

        @Override
        public boolean hasMet() {
            return !uid.isEmpty();
        }
    }
}
