package io.kubeloop.json;

import io.kubeloop.api.EndpointSlice;
import io.kubeloop.api.Endpoints;
import io.kubeloop.api.Event;
import io.kubeloop.api.EventsV1Event;
import io.kubeloop.api.GenericObject;
import io.kubeloop.api.Lease;
import io.kubeloop.api.Namespace;
import io.kubeloop.api.Node;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.Pod;
import io.kubeloop.api.ReplicaSet;
import io.kubeloop.api.ReplicationController;
import io.kubeloop.api.Service;
import io.kubeloop.api.ServiceAccount;
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
