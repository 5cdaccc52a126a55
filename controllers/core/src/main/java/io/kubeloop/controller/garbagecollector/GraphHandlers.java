/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.garbagecollector;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceType;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.ResourceEventHandler;
import org.jspecify.annotations.Nullable;

/** Creates the handlers that pass the events of one resource to the graph. Each runs on the thread of its informer. */
final class GraphHandlers {

    private final OwnerGraph graph;
    private final GraphEffects.Work work;

    GraphHandlers(OwnerGraph graph, GraphEffects.Work work) {
        this.graph = graph;
        this.work = work;
    }

    /**
     * Returns the handler of a resource.
     *
     * @param changed called after each change that follows the first list
     */
    <T extends KubeObject> ResourceEventHandler<T> of(ResourceType<?> type, Runnable changed) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object, boolean isInInitialList) {
                observe(null, object.metadata());
                if (!isInInitialList) {
                    changed.run();
                }
            }

            @Override
            public void onUpdate(T old, T current) {
                ObjectMeta before = old.metadata();
                boolean isAnother = !before.uid().equals(current.metadata().uid());
                if (isAnother) {
                    forget(before); // its deletion was missed
                }
                observe(isAnother ? null : before, current.metadata());
                changed.run();
            }

            @Override
            public void onDelete(DeletedObject<T> deleted) {
                T last = deleted.lastKnown();
                if (last != null) {
                    forget(last.metadata());
                }
                changed.run();
            }

            private void observe(@Nullable ObjectMeta before, ObjectMeta now) {
                work.carryOut(graph.observe(ObjectCoordinates.of(type, now), before, now));
            }

            private void forget(ObjectMeta last) {
                work.carryOut(graph.forget(ObjectCoordinates.of(type, last)));
            }

            @Override
            public String handlerName() {
                return "garbage-collector-controller";
            }
        };
    }
}
