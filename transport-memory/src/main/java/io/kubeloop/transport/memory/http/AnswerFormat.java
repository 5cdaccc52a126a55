package io.kubeloop.transport.memory.http;

import io.kubeloop.api.client.ApiRequest;
import java.util.Set;

/**
 * In which form objects go out.
 *
 * @param tableVersion the version of the table that is asked for; empty for the objects themselves
 */
record AnswerFormat(String tableVersion) {

    private static final AnswerFormat OBJECTS = new AnswerFormat("");
    private static final Set<String> TABLE_VERSIONS = Set.of("v1", "v1beta1");

    boolean isTable() {
        return !tableVersion.isEmpty();
    }

    /**
     * Returns the first form of the {@code Accept} header that can be served.
     *
     * @throws FaceFailure 406 if there is none
     */
    static AnswerFormat negotiate(String accept) {
        if (accept.isBlank()) {
            return OBJECTS;
        }
        for (MediaRange range : MediaRange.parseAll(accept)) {
            if (!range.includes(ApiRequest.JSON) || range.quality() <= 0) {
                continue;
            }
            String as = range.parameter("as");
            if (as.isEmpty()) {
                return OBJECTS;
            }
            if (as.equals("Table")
                    && range.parameter("g").equals("meta.k8s.io")
                    && TABLE_VERSIONS.contains(range.parameter("v"))) {
                return new AnswerFormat(range.parameter("v"));
            }
        }
        throw FaceFailure.notAcceptable(accept, ApiRequest.JSON + ", and it as Table of meta.k8s.io");
    }

    /** Checks that plain JSON is welcome. */
    static void requireJson(String accept) {
        if (accept.isBlank()) {
            return;
        }
        for (MediaRange range : MediaRange.parseAll(accept)) {
            if (range.includes(ApiRequest.JSON)
                    && range.quality() > 0
                    && range.parameter("as").isEmpty()) {
                return;
            }
        }
        throw FaceFailure.notAcceptable(accept, ApiRequest.JSON);
    }
}
