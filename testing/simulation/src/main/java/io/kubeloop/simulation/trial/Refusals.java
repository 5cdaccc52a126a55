/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.json.tree.JsonObject;
import java.util.Map;
import java.util.Set;

/** The refused requests of an operator, in words. Thread-safe; no method blocks. */
final class Refusals {

    /** Codes that a correct operator at rest meets, by verb: it looks whether something exists, or ensures it. */
    private static final Map<Call.Verb, Set<Integer>> USUAL =
            Map.of(Call.Verb.DELETE, Set.of(404), Call.Verb.WATCH, Set.of(410));

    private volatile String last = "";
    private volatile String idle = "";
    private volatile boolean isIdle;

    void note(Call call, ServerResponse response) {
        if (response instanceof ServerResponse.Document document
                && document.code() >= 400
                && !(call.verb() == Call.Verb.GET && document.code() == 404)) {
            String message = JsonObject.parse(document.bytes()).string("message");
            String words = "`" + call + "` was answered with " + document.code() + ": " + message;
            last = words;
            if (isIdle && document.code() != 409 && !isUsual(call, document.code())) {
                idle = words;
            }
        }
    }

    private static boolean isUsual(Call call, int code) {
        return call.resource().endsWith("metrics.k8s.io") // an optional server has them
                || USUAL.getOrDefault(call.verb(), Set.of()).contains(code);
    }

    /** Notes that the operator has nothing to do from now on. */
    void idle() {
        isIdle = true;
    }

    /** Returns the last refusal; empty for none. A read of an object that does not exist is none. */
    String last() {
        return last;
    }

    /** Returns the last unusual refusal while the operator had nothing to do; empty for none. */
    String lastIdle() {
        return idle;
    }
}
