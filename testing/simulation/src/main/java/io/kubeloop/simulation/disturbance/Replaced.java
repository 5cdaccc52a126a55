/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.disturbance;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.simulation.Perturbation;
import io.kubeloop.simulation.trial.Disturbance;
import io.kubeloop.simulation.trial.Effect;
import io.kubeloop.simulation.trial.LaneFrames;
import io.kubeloop.simulation.trial.Recording;
import io.kubeloop.simulation.trial.RunControl;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The user deletes an object and makes it again, with another UID, while the watches of the operator bring nothing. The
 * run to compare with has the same changes, and shows them.
 *
 * @param object the object
 * @param step the step of the workload after which it happens, from 0
 * @param isHidden whether the operator sees nothing until both is over
 */
record Replaced(Recording.Declared object, int step, boolean isHidden) implements Disturbance {

    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    /** The metadata that the server or the operator sets. */
    private static final Set<String> OF_THE_OLD = Set.of(
            "uid",
            "resourceVersion",
            "generation",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "finalizers",
            "managedFields",
            "selfLink");

    @Override
    public Perturbation kind() {
        return Perturbation.MISSED;
    }

    @Override
    public String form() {
        return isHidden ? "replaced" : "replaced-openly";
    }

    @Override
    public String name() {
        return form() + ": " + object.object() + " after step " + (step + 1);
    }

    @Override
    public String story() {
        return "not shown, after step " + (step + 1) + ", that " + object.object()
                + " was deleted, before it was made again";
    }

    @Override
    public Disturbance reference() {
        return isHidden ? new Replaced(object, step, false) : NONE;
    }

    @Override
    public boolean explainsCreations() {
        return true;
    }

    @Override
    public Effect begin(RunControl run) {
        return new Replacement(run);
    }

    /** Confined to the driver of the run, except for {@code hides} and its release. */
    private final class Replacement implements Effect {

        private final RunControl run;
        private volatile boolean hides;
        private @Nullable JsonObject successor;
        private String change = "";
        private boolean hasMet;

        Replacement(RunControl run) {
            this.run = run;
        }

        @Override
        public void beforeStep() {
            if (successor != null) {
                change = "deleted, and still there when the user went on";
            }
        }

        @Override
        public boolean afterStep(int ended) {
            JsonObject before = ended == step ? send("GET", object.path(), null) : null;
            if (before == null || before.object("metadata").has("deletionTimestamp")) {
                return false;
            }
            JsonObject metadata = before.object("metadata");
            for (String name : OF_THE_OLD) {
                metadata = metadata.without(name);
            }
            JsonObject created = before.without("status").with("metadata", metadata);
            if (!isAccepted(created)) {
                return false; // such as a Job, whose selector the server has made for one UID
            }
            successor = created;
            change = "deleted";
            hides = isHidden;
            send("DELETE", object.path(), null);
            hasMet = isHidden && createIfGone();
            if (!hasMet) {
                release(); // the operator must see the deletion, because it has to remove its finalizer
            }
            return true;
        }

        /** The deletion of an object with finalizers needs the operator. */
        private boolean createIfGone() {
            JsonObject created = successor;
            if (created == null || send("GET", object.path(), null) != null) {
                return false;
            }
            successor = null;
            change = change.equals("deleted") ? "made again" : change;
            send("POST", collection(), created);
            return true;
        }

        private String collection() {
            return object.path().substring(0, object.path().lastIndexOf('/'));
        }

        private boolean isAccepted(JsonObject created) {
            int code = answer("POST", collection(), Map.of("dryRun", "All"), created)
                    .code();
            return code < 300 || code == CONFLICT; // the object with this name is still there
        }

        /** Returns the object; null if there is none. */
        private @Nullable JsonObject send(String method, String path, @Nullable JsonObject body) {
            ServerResponse.Document document = answer(method, path, Map.of(), body);
            if (document.code() == NOT_FOUND) {
                return null;
            }
            if (document.code() >= 300) {
                throw new IllegalStateException(method + " " + path + " failed: " + JsonObject.parse(document.bytes()));
            }
            return JsonObject.parse(document.bytes());
        }

        private ServerResponse.Document answer(
                String method, String path, Map<String, String> query, @Nullable JsonObject body) {
            ApiRequest.Body content = body == null ? null : ApiRequest.Body.json(body.toBytes());
            return run.sendAsUser(ApiRequest.of(method, path, query, content));
        }

        @Override
        public boolean holds(LaneFrames watch) {
            return hides;
        }

        @Override
        public boolean atQuiet() {
            return release() || createIfGone();
        }

        private boolean release() {
            boolean wasHidden = hides;
            hides = false;
            if (wasHidden) {
                run.release();
            }
            return wasHidden;
        }

        @Override
        public void atUnrest() {
            release();
        }

        @Override
        public List<String> userChanges() {
            return change.isEmpty() ? List.of() : List.of(object.object() + " " + change);
        }

        @Override
        public boolean hasMet() {
            return hasMet;
        }
    }
}
