/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.quota;

import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.storage.Snapshot;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.quota.DeviceClaims;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The stores of the objects on which the usage of device claims depends. */
public record DeviceStores(ResourceStore deviceClasses, ResourceStore deviceClaims, ResourceStore pods) {

    /** Returns the usage of the device claims of a namespace. Reads nothing until a claim is counted. */
    DeviceClaims claims(Snapshot then, String namespace) {
        return new DeviceClaims(new DeviceClaims.Source() {

            @Override
            public Stream<JsonObject> classes() {
                return trees(deviceClasses, "");
            }

            @Override
            public Stream<JsonObject> claims() {
                return trees(deviceClaims, namespace);
            }

            @Override
            public @Nullable JsonObject pod(String name) {
                StoredObject pod = then.get(pods.bucket(), pods.key(namespace, name));
                return pod == null ? null : pod.tree();
            }

            private Stream<JsonObject> trees(ResourceStore store, String of) {
                return StreamSupport.stream(store.objects(then, of).spliterator(), false)
                        .map(StoredObject::tree);
            }
        });
    }
}
