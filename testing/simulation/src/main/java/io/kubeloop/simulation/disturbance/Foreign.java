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
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Another component marks an object before the operator sees it: one of the user, or one that the operator creates. An
 * operator must not remove the mark. The component itself removes its finalizer when the object is deleted.
 *
 * @param object the object
 * @param place its creation: the step, or the write of the operator
 * @param step the step that creates it, from 0; negative if the operator creates it
 * @param mark what the component sets
 */
record Foreign(String object, String place, int step, Mark mark) implements Disturbance {

    private static final String OWN = "other.example.org/guard";

    /** What {@code kubectl rollout restart} sets. */
    private static final String RESTART = "kubectl.kubernetes.io/restartedAt";

    private static final List<String> FINALIZERS = List.of("metadata", "finalizers");

    private static final Set<String> ROLLOUTS = Set.of("deployments.apps", "statefulsets.apps", "daemonsets.apps");

    private static final Set<String> WITH_PODS = Set.of(
            "pods", "jobs.batch", "replicasets.apps", "deployments.apps", "statefulsets.apps", "daemonsets.apps");
    private static final int CONFLICT = 409;

    /** What other components set on objects. */
    enum Mark {
        FINALIZER,
        LABEL,
        ANNOTATION,
        OWNER_REFERENCE,
        /** A field of an object of the operator that belongs to another manager. */
        FIELD,
        /** A webhook adds it to each write of the operator, which must come to rest nevertheless. */
        CONTAINER;

        private String key() {
            return this == FIELD ? RESTART : OWN;
        }

        private List<String> path() {
            return switch (this) {
                case FINALIZER -> FINALIZERS;
                case LABEL -> List.of("metadata", "labels");
                case ANNOTATION -> List.of("metadata", "annotations");
                case OWNER_REFERENCE -> List.of("metadata", "ownerReferences");
                case FIELD -> List.of("spec", "template", "metadata", "annotations");
                case CONTAINER -> List.of("containers");
            };
        }

        boolean isFor(String resource) {
            return switch (this) {
                case FIELD -> ROLLOUTS.contains(resource);
                case CONTAINER -> WITH_PODS.contains(resource);
                default -> true;
            };
        }

        private String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }

        private boolean isIn(JsonObject object, JsonValue value) {
            String[] path = path().toArray(String[]::new);
            return object.get(path) instanceof JsonArray array
                    ? array.elements().contains(value)
                    : object.object(path).has(key());
        }

        private JsonObject added(JsonObject object, JsonValue value) {
            if (this == LABEL || this == ANNOTATION || this == FIELD) {
                List<String> member = new ArrayList<>(path());
                member.add(key());
                return object.with(member, value);
            }
            JsonArray before = object.array(path().toArray(String[]::new));
            List<JsonValue> elements = new ArrayList<>(before.elements());
            elements.add(value);
            return object.with(path(), JsonArray.of(elements));
        }
    }

    /** Returns the marks of an object that a step of the workload creates. */
    static List<Foreign> of(Recording.Declared object) {
        return Stream.of(Mark.values())
                .filter(mark -> mark != Mark.FIELD && mark != Mark.CONTAINER)
                .map(mark -> new Foreign(
                        object.object(), object.object() + " of step " + (object.step() + 1), object.step(), mark))
                .toList();
    }

    /** Returns the marks of an object that the operator creates. */
    static List<Foreign> of(Recording.Write creation) {
        String resource = creation.object().substring(0, creation.object().indexOf(' '));
        return Stream.of(Mark.values())
                .filter(mark -> mark.isFor(resource))
                .map(mark -> new Foreign(creation.object(), creation.id().toString(), -1, mark))
                .toList();
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
        return form() + ": " + place;
    }

    @Override
    public String story() {
        return "given " + object + " with the " + mark.word() + " " + mark.key() + " of another component";
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
        private volatile String path = "";
        private volatile String uid = "";
        private volatile boolean isReleased;
        private volatile boolean isAdded;

        /** The write that creates the object; null before it. */
        private volatile @Nullable Call creating;

        Marking(RunControl run) {
            this.run = run;
            value = switch (mark) {
                case OWNER_REFERENCE -> owner();
                case FINALIZER -> new JsonString(OWN);
                case FIELD -> new JsonString("2026-01-05T00:00:00Z");
                case CONTAINER ->
                    JsonObject.of("name", new JsonString("other")).with("image", "other.example.org/proxy");
                default -> new JsonString("theirs");
            };
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
            hides = next++ == step;
        }

        @Override
        public void declared(Recording.Declared created) {
            if (hides && created.step() == step && created.object().equals(object) && uid.isEmpty()) {
                mark(created.path());
                show();
            }
        }

        private void mark(String created) {
            path = created;
            JsonObject marked = change(before -> mark.added(before, value));
            uid = marked == null ? "" : marked.string("metadata", "uid");
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
        private @Nullable JsonObject change(UnaryOperator<JsonObject> change) {
            ServerResponse.Document answer;
            do {
                ServerResponse.Document read = run.sendAsUser(ApiRequest.get(path, Map.of()));
                if (read.code() >= 300) {
                    return null;
                }
                JsonObject changed = change.apply(JsonObject.parse(read.bytes()));
                answer = run.sendAsUser(ApiRequest.of("PUT", path, Map.of(), ApiRequest.Body.json(changed.toBytes())));
            } while (answer.code() == CONFLICT);
            return answer.code() < 300 ? JsonObject.parse(answer.bytes()) : null;
        }

        @Override
        public ServerResponse write(CallId id, Attempt attempt) {
            boolean isNew = step < 0
                    && uid.isEmpty()
                    && mark != Mark.CONTAINER
                    && id.toString().equals(place);
            boolean isMarked = !uid.isEmpty() && isMarked(attempt.call());
            creating = isNew ? attempt.call() : creating;
            ServerResponse answer = attempt.execute();
            if (isNew && answer instanceof ServerResponse.Document document && document.code() == 201) {
                String name = "/" + JsonObject.parse(document.bytes()).string("metadata", "name");
                mark(path.endsWith(name) ? path : path + name);
            } else if (isMarked && !isReleased && isWithoutMark(attempt.call())) {
                removals.add("the operator removed the " + mark.word() + " " + mark.key()
                        + " of another component from " + object + " with `" + id + "`");
            }
            return answer;
        }

        /** Notes the path of a creation, and adds the container, which pods get only at their creation. */
        @Override
        public ApiRequest admitted(Call call, ApiRequest request) {
            if (call.equals(creating) && uid.isEmpty()) {
                path = request.path();
            }
            ApiRequest.Body body = request.body();
            boolean isWrite = call.verb() == Call.Verb.CREATE
                    || (!call.resource().equals("pods")
                            && (call.verb() == Call.Verb.UPDATE || call.verb() == Call.Verb.APPLY));
            if (mark != Mark.CONTAINER
                    || body == null
                    || !isWrite
                    || !call.subresource().isEmpty()
                    || !object.startsWith(call.resource() + " ")) {
                return request;
            }
            JsonObject sent = JsonObject.parse(body.bytes());
            List<String> pod = call.resource().equals("pods") ? List.of("spec") : List.of("spec", "template", "spec");
            JsonObject spec = sent.object(pod.toArray(String[]::new));
            if (spec.array("containers").isEmpty()
                    || spec.array("containers")
                            .objects()
                            .anyMatch(container -> container.string("name").equals("other"))) {
                return request;
            }
            isAdded = true;
            JsonObject changed = sent.with(pod, mark.added(spec, value));
            return new ApiRequest(
                    request.method(),
                    request.path(),
                    request.query(),
                    request.accept(),
                    new ApiRequest.Body(body.contentType(), changed.toBytes()),
                    request.deadline());
        }

        private @Nullable JsonObject stored(Call call) {
            StoredObject stored = call.stored(run.plane().server().backend().storage());
            return stored == null ? null : stored.tree();
        }

        private boolean isMarked(Call call) {
            JsonObject before = stored(call);
            return before != null && before.string("metadata", "uid").equals(uid) && mark.isIn(before, value);
        }

        /** An object that is gone has no mark; only the finalizer would have kept it. */
        private boolean isWithoutMark(Call call) {
            JsonObject after = stored(call);
            if (after == null || !after.string("metadata", "uid").equals(uid)) {
                return mark == Mark.FINALIZER;
            }
            return !mark.isIn(after, value);
        }

        @Override
        public boolean atQuiet() {
            if (mark != Mark.FINALIZER || uid.isEmpty() || isReleased) {
                return false;
            }
            ServerResponse.Document read = run.sendAsUser(ApiRequest.get(path, Map.of()));
            JsonObject metadata = read.code() >= 300
                    ? JsonObject.EMPTY
                    : JsonObject.parse(read.bytes()).object("metadata");
            if (!metadata.has("deletionTimestamp") || !metadata.string("uid").equals(uid)) {
                return false;
            }
            isReleased = true;
            return change(this::released) != null;
        }

        private JsonObject released(JsonObject before) {
            List<JsonValue> others = new ArrayList<>(
                    before.array(FINALIZERS.toArray(String[]::new)).elements());
            others.remove(value);
            return before.with(FINALIZERS, JsonArray.of(others));
        }

        @Override
        public List<String> problems() {
            return removals.stream().distinct().toList();
        }

        @Override
        public boolean hasMet() {
            return !uid.isEmpty() || isAdded;
        }
    }
}
