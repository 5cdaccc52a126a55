/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.contender;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.ProtobufCodec;

/** This library with protocol buffers. */
public final class KubeloopProtobuf extends Kubeloop {

    @Override
    public String name() {
        return "kubeloop-protobuf";
    }

    @Override
    public PodInformer informer(String server, PodInformer.Listener listener) {
        ProtobufCodec codec = ProtobufCodec.of(JsonCodec.standard());
        return new KubeloopInformer(server, codec, ResourceTypes.PODS, listener);
    }
}
