/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.discovery;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/**
 * The consumers that should prefer an endpoint (upstream: {@code discovery.k8s.io/v1.EndpointHints}).
 *
 * @param forZones consumers in these zones
 * @param forNodes consumers on these nodes
 * @param unknownFields all other fields
 */
@RecordBuilder
public record EndpointHints(List<Topology> forZones, List<Topology> forNodes, UnknownFields unknownFields) {

    /** Copies the collections; null means the zero value. */
    public EndpointHints {
        forZones = Values.orEmpty(forZones);
        forNodes = Values.orEmpty(forNodes);
        unknownFields = Values.orNone(unknownFields);
    }

    /**
     * A zone or a node (upstream: {@code ForZone} and {@code ForNode}).
     *
     * @param name its name
     * @param unknownFields all other fields
     */
    @RecordBuilder
    public record Topology(String name, UnknownFields unknownFields) {

        /** Null means the zero value. */
        public Topology {
            name = Values.orEmpty(name);
            unknownFields = Values.orNone(unknownFields);
        }

        /** Returns the zone or node of this name. */
        public static Topology named(String name) {
            return new Topology(name, UnknownFields.NONE);
        }
    }
}
