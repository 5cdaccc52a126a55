package io.kubeloop.json;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.coordination.Lease;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Event;
import io.kubeloop.api.core.Namespace;
import io.kubeloop.api.core.Node;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.ReplicationController;
import io.kubeloop.api.core.Service;
import io.kubeloop.api.core.ServiceAccount;
import io.kubeloop.api.discovery.EndpointSlice;
import io.kubeloop.api.events.EventsV1Event;
import java.util.Map;

/** The adapters of the objects that have a record of their own. */
final class Adapters {

    static final Map<Class<?>, ObjectAdapter<?>> BY_TYPE = Map.ofEntries(
            Map.entry(Pod.class, PodAdapter.INSTANCE),
            Map.entry(Service.class, ServiceAdapter.INSTANCE),
            Map.entry(Endpoints.class, EndpointsAdapter.INSTANCE),
            Map.entry(EndpointSlice.class, EndpointSliceAdapter.INSTANCE),
            Map.entry(Event.class, EventAdapter.INSTANCE),
            Map.entry(EventsV1Event.class, EventsV1EventAdapter.INSTANCE),
            Map.entry(Namespace.class, NamespaceAdapter.INSTANCE),
            Map.entry(Node.class, NodeAdapter.INSTANCE),
            Map.entry(ServiceAccount.class, ServiceAccountAdapter.INSTANCE),
            Map.entry(ReplicationController.class, ReplicationControllerAdapter.INSTANCE),
            Map.entry(ReplicaSet.class, ReplicaSetAdapter.INSTANCE),
            Map.entry(Lease.class, LeaseAdapter.INSTANCE),
            Map.entry(GenericObject.class, GenericObjectAdapter.INSTANCE),
            Map.entry(PartialObjectMetadata.class, PartialObjectMetadataAdapter.INSTANCE));

    private Adapters() {}
}
