/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.garbagecollector.GarbageCollectorController;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.manager.ControllerDescriptor;
import java.io.ByteArrayInputStream;

/**
 * A control plane whose only controller is a garbage collector of the core kinds and of cards. That of the default
 * watches three times as many kinds, and so most of the threads of a trial would be its own.
 */
final class CardCollector {

    private CardCollector() {}

    /** Replaces the controllers of a control plane. */
    static ControlPlane.Builder only(ControlPlane.Builder plane) {
        return plane.controllers("-*")
                .controller(ControllerDescriptor.of(
                        "card-garbage-collector-controller",
                        1,
                        context -> GarbageCollectorController.of(withFewKinds(context))));
    }

    private static ControllerContext withFewKinds(ControllerContext context) {
        return new ControllerContext(
                account -> {
                    var client = context.clients().apply(account);
                    return client.withTransport(new FewKinds(client.transport()));
                },
                context.informers(),
                context.clock(),
                context.threads(),
                context.queues(),
                context.recorders());
    }

    /** Takes all groups but that of the cards out of the discovery document. */
    private record FewKinds(Transport transport) implements Transport {

        @Override
        public ApiResponse execute(ApiRequest request) {
            ApiResponse response = transport.execute(request);
            if (!request.path().equals("/apis")) {
                return response;
            }
            JsonObject groups = JsonObject.parse(response.wholeBody("the list of groups"));
            JsonArray cards = JsonArray.of(groups.array("items")
                    .objects()
                    .filter(group -> group.string("metadata", "name").equals(Card.CARDS.group()))
                    .toList());
            byte[] shortened = groups.with("items", cards).toBytes();
            return new ApiResponse(response.code(), response.headers(), new ByteArrayInputStream(shortened));
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            return transport.stream(request);
        }

        @Override
        public void close() {
            transport.close();
        }
    }
}
