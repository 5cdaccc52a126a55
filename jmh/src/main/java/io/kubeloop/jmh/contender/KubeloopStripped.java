/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.contender;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.Transforms;
import io.kubeloop.json.JsonCodec;

/** This library with informers that do not keep {@code metadata.managedFields}. */
public final class KubeloopStripped extends Kubeloop {

    @Override
    public String name() {
        return "kubeloop-stripped";
    }

    @Override
    public PodInformer informer(String server, PodInformer.Listener listener) {
        InformerConfig config = InformerConfig.DEFAULT.withTransform(Transforms::stripManagedFields);
        return new KubeloopInformer(server, JsonCodec.standard(), ResourceTypes.PODS, listener, config);
    }
}
