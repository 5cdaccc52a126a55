/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.header;

import io.kubeloop.api.value.GoDuration;
import io.kubeloop.apiserver.rest.StatusException;

/**
 * Checks the parameter {@code timeout} (upstream: {@code apiserver/pkg/endpoints/filters/request_deadline.go}). Every
 * response is immediate, so no timeout ever passes. Holds no state.
 */
public final class RequestTimeout {

    private RequestTimeout() {}

    /**
     * Checks a value; an empty one is valid.
     *
     * @throws StatusException 400 if it is not a duration of Go
     */
    public static void check(String value) {
        String problem = value.isEmpty() ? null : GoDuration.problem(value);
        if (problem != null) {
            throw StatusException.badRequest("invalid timeout specified in the request URL - " + problem);
        }
    }
}
