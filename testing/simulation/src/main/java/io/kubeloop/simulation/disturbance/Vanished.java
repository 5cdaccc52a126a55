/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.disturbance;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.simulation.Perturbation;
import io.kubeloop.simulation.trial.CallId;
import io.kubeloop.simulation.trial.Disturbance;
import io.kubeloop.simulation.trial.Effect;
import io.kubeloop.simulation.trial.RunControl;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The user deletes an object that the operator creates, and the operator sees both events before it has the answer to
 * the creation. In the run to compare with, the user deletes the object when the operator has nothing else to do.
 *
 * @param write the creation
 * @param isBeforeAnswer whether the answer comes after the deletion
 */
record Vanished(CallId write, boolean isBeforeAnswer) implements Disturbance {

    private static final int CREATED = 201;

    /** How long an operator may gather changes before it reacts; the job controller does so for a second. */
    private static final Duration GATHERING = Duration.ofSeconds(1);

    @Override
    public Perturbation kind() {
        return Perturbation.ANSWERS;
    }

    @Override
    public String form() {
        return isBeforeAnswer ? "vanished" : "deleted-at-rest";
    }

    @Override
    public String name() {
        return form() + ": " + write;
    }

    @Override
    public String story() {
        return "given the answer to `" + write + "` after it had seen that a user had deleted the new object";
    }

    @Override
    public Disturbance reference() {
        return isBeforeAnswer ? new Vanished(write, false) : NONE;
    }

    @Override
    public Effect begin(RunControl run) {
        return new Deletion(run);
    }

    private final class Deletion implements Effect {

        /*
         * Threads: the one that executes the creation, later the driver of the run, which calls atQuiet() while no
         * request is under way. Any thread of the operator sets hasReacted, which is never
         * reset.
         */

        private final RunControl run;

        /** The object that is to be deleted; null before its creation, and again when its deletion begins. */
        private volatile @Nullable JsonObject created;

        private volatile boolean hasMet;
        private volatile @Nullable Instant reactsUntil;
        private volatile boolean hasReacted;

        Deletion(RunControl run) {
            this.run = run;
            hasReacted = isBeforeAnswer;
        }

        @Override
        public ServerResponse write(CallId id, Attempt attempt) {
            if (reactsUntil != null) {
                hasReacted = true;
            }
            ServerResponse answer = attempt.execute();
            if (id.equals(write) && answer instanceof ServerResponse.Document document && document.code() == CREATED) {
                created = JsonObject.parse(document.bytes());
                if (isBeforeAnswer && delete()) {
                    run.awaitEvents(attempt.lane());
                }
            }
            return answer;
        }

        @Override
        public boolean atQuiet() {
            Instant end = reactsUntil;
            Instant now = run.clock().now();
            if (end == null) {
                reactsUntil = created == null ? null : now.plus(GATHERING); // before the deletion: it may react at once
            } else if (!now.isBefore(end)) {
                reactsUntil = null;
            }
            return delete();
        }

        /** Returns whether there was an object to delete. */
        private boolean delete() {
            JsonObject object = created;
            created = null;
            ResourceStore store = object == null
                    ? null
                    : run.plane().server().backend().storeOfKind(object.string("apiVersion"), object.string("kind"));
            if (object == null || store == null) {
                return false;
            }
            JsonObject metadata = object.object("metadata");
            String path = store.type().collectionPath(metadata.string("namespace")) + "/" + metadata.string("name");
            JsonObject options = JsonObject.EMPTY
                    .with("gracePeriodSeconds", 0)
                    .with("preconditions", JsonObject.EMPTY.with("uid", metadata.string("uid")));
            hasMet = run.sendAsUser(ApiRequest.of("DELETE", path, Map.of(), ApiRequest.Body.json(options.toBytes())))
                            .code()
                    < 300;
            return hasMet;
        }

        /** An operator that does not react restores the object by chance, whenever it next looks. */
        @Override
        public List<String> userChanges() {
            if (!hasMet) {
                return List.of();
            }
            return List.of("the object of `" + write + "` was deleted"
                    + (hasReacted ? "" : ", and the operator did nothing about it"));
        }

        @Override
        public boolean hasMet() {
            return hasMet;
        }
    }
}
