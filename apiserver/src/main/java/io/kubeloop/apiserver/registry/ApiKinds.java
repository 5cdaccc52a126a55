package io.kubeloop.apiserver.registry;

import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.machinery.RestStrategy;
import io.kubeloop.apiserver.machinery.ServedResource;
import io.kubeloop.apiserver.machinery.TypeCheck;
import io.kubeloop.apiserver.table.Column;
import java.util.List;
import java.util.Map;

/**
 * The kinds that a server serves from its start. Everything that the generic server does not know about a kind is here.
 * Thread-safe after {@link #admission} and {@link #subresources} were called once.
 */
public interface ApiKinds {

    /** Returns the resources, in the order of the discovery documents. */
    List<ServedResource> resources();

    /** Returns the behavior that is specific to a resource. */
    RestStrategy strategy(ServedResource resource);

    /** Returns the check of the types of a resource's fields. */
    TypeCheck types(ServedResource resource);

    /** Returns the columns of tables of this kind. */
    List<Column> columns(String apiVersion, String kind);

    /** Creates the admission plug-ins of a server, in the order of their calls. */
    List<AdmissionPlugin> admission(ApiBackend backend);

    /** Creates the handlers of special subresources, by {@code resource/subresource}, such as {@code pods/binding}. */
    Map<String, SubresourceHandler> subresources(ApiBackend backend);
}
