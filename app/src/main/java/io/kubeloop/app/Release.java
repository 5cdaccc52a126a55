package io.kubeloop.app;

import io.kubeloop.controller.endpoint.EndpointRules;

/** Which release's Endpoints a manager leaves behind; the names are what {@code --endpoint-rules} takes. */
enum Release {
    /** What v1.20 leaves, request by request. */
    V1_20(EndpointRules.V1_20),
    /** What v1.20 leaves, with the limit on addresses of later releases, in fewer requests. */
    DEFAULT(EndpointRules.DEFAULT),
    /** What current releases leave. */
    CURRENT(EndpointRules.CURRENT);

    private final EndpointRules endpointRules;

    Release(EndpointRules endpointRules) {
        this.endpointRules = endpointRules;
    }

    EndpointRules endpointRules() {
        return endpointRules;
    }
}
