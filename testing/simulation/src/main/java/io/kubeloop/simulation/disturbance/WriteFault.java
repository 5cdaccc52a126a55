/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.disturbance;

import io.kubeloop.apiserver.registry.LostResponseException;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.storage.Storage;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.simulation.Perturbation;
import io.kubeloop.simulation.trial.Call;
import io.kubeloop.simulation.trial.Call.Verb;
import io.kubeloop.simulation.trial.Effect;
import io.kubeloop.simulation.trial.Recording;
import io.kubeloop.simulation.trial.RunControl;
import java.time.Duration;
import java.util.EnumSet;

/** The faults of a write. */
enum WriteFault {
    /** The instance ends before the request arrives. */
    CRASH_BEFORE(Perturbation.CRASH, "killed before `%s`") {
        @Override
        ServerResponse apply(Effect.Attempt attempt, RunControl run) {
            run.restart(attempt.lane());
            throw new LostResponseException("the instance was killed before its write");
        }
    },
    /** The instance ends before it learns the outcome. */
    CRASH_AFTER(Perturbation.CRASH, "killed after `%s`, before it had the answer") {
        @Override
        ServerResponse apply(Effect.Attempt attempt, RunControl run) {
            attempt.execute();
            run.restart(attempt.lane());
            throw new LostResponseException("the instance was killed after its write");
        }
    },
    /** Another instance acts while the first one is held up, as after a lost lease. */
    TAKEOVER(Perturbation.CRASH, "held up before `%s` while a second instance did its work, and then wrote once more") {
        // With a generated name, the late object comes beside the other one, whatever the operator does.
        @Override
        boolean appliesTo(Recording.Write write) {
            return write.verb() != Verb.CREATE || !write.object().endsWith("*");
        }

        @Override
        boolean holdsInstance() {
            return true;
        }

        @Override
        ServerResponse apply(Effect.Attempt attempt, RunControl run) {
            run.startBeside(attempt.lane());
            attempt.execute();
            run.end(attempt.lane());
            throw new LostResponseException("the instance was killed after its late write");
        }
    },
    /** The object was changed meanwhile. */
    CONFLICT(Perturbation.ANSWERS, "answered with a conflict to `%s`, because the object had a new version") {
        @Override
        boolean appliesTo(Recording.Write write) {
            return EnumSet.of(Verb.UPDATE, Verb.PATCH, Verb.APPLY).contains(write.verb());
        }

        @Override
        ServerResponse apply(Effect.Attempt attempt, RunControl run) {
            writeAgain(attempt.call(), run.plane().server().backend().storage());
            return failure(StatusException.of(
                    409,
                    "Conflict",
                    "Operation cannot be fulfilled on " + attempt.call().resource() + " \""
                            + attempt.call().name() + "\": the object has been modified; please apply your changes to "
                            + "the latest version and try again"));
        }
    },
    /** The server is in trouble. */
    SERVER_ERROR(Perturbation.ANSWERS, "answered with 500 to `%s`") {
        @Override
        ServerResponse apply(Effect.Attempt attempt, RunControl run) {
            return failure(StatusException.internal("an error of the server"));
        }
    },
    /** The server asks for patience. */
    TOO_MANY_REQUESTS(Perturbation.ANSWERS, "answered with 429 to `%s`") {
        @Override
        ServerResponse apply(Effect.Attempt attempt, RunControl run) {
            return failure(
                    StatusException.tooManyRequests("too many requests, please try again later", 1, JsonObject.EMPTY));
        }
    },
    /** An admission webhook refuses three attempts. */
    DENIED(Perturbation.ANSWERS, "denied by a webhook, three times, `%s`") {
        @Override
        int times() {
            return 3;
        }

        @Override
        ServerResponse apply(Effect.Attempt attempt, RunControl run) {
            return failure(StatusException.of(
                    400, "BadRequest", "admission webhook \"policy.example.com\" denied the request: not now"));
        }
    },
    /** A quota or a role refuses three attempts. */
    FORBIDDEN(Perturbation.ANSWERS, "refused with 403, three times, `%s`") {
        @Override
        int times() {
            return 3;
        }

        @Override
        ServerResponse apply(Effect.Attempt attempt, RunControl run) {
            return failure(StatusException.of(
                    403,
                    "Forbidden",
                    attempt.call().resource() + " \"" + attempt.call().name() + "\" is forbidden: exceeded quota"));
        }
    },
    /** The connection ends after the server has executed the write. */
    LOST_ANSWER(Perturbation.ANSWERS, "left without the answer to `%s`, which was executed") {
        @Override
        ServerResponse apply(Effect.Attempt attempt, RunControl run) {
            attempt.execute();
            throw new LostResponseException("the answer was lost");
        }
    },
    /** The write is slow, so a parallel one of the operator overtakes it. */
    DELAYED(Perturbation.ANSWERS, "made to wait for `%s`, so its other writes overtook it") {
        @Override
        ServerResponse apply(Effect.Attempt attempt, RunControl run) {
            run.awaitRequests(attempt.lane(), attempt.lane().requests() + 1, Duration.ofMillis(25));
            return attempt.execute();
        }
    };

    private final Perturbation kind;
    private final String story;

    WriteFault(Perturbation kind, String story) {
        this.kind = kind;
        this.story = story;
    }

    abstract ServerResponse apply(Effect.Attempt attempt, RunControl run);

    /** Returns whether the fault can meet this write. */
    boolean appliesTo(Recording.Write write) {
        return true;
    }

    /** Returns whether the other writes of the instance wait, too, until the fault has happened. */
    boolean holdsInstance() {
        return false;
    }

    /** Returns how many equal writes in a row it meets. */
    int times() {
        return 1;
    }

    Perturbation kind() {
        return kind;
    }

    String story(Object write) {
        return story.formatted(write);
    }

    /** Gives an object a new version: after each conflict, a client that watches the object learns of the change. */
    private static void writeAgain(Call call, Storage storage) {
        StoredObject seen = call.stored(storage);
        if (seen != null) {
            // Returns null if the object has changed by itself.
            var unused = storage.put(storage.bucket(call.resource()), seen.key(), seen, seen.tree(), null);
        }
    }

    private static ServerResponse failure(StatusException failure) {
        return ServerResponse.Document.of(failure.code(), failure.status());
    }
}
