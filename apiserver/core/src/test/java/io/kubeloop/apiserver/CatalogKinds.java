/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.apiserver.admission.AdmissionPlugin;
import io.kubeloop.apiserver.apply.OwnableFields;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.ApiKinds;
import io.kubeloop.apiserver.registry.SubresourceHandler;
import io.kubeloop.apiserver.rest.ResourceDefinition;
import io.kubeloop.apiserver.rest.RestStrategy;
import io.kubeloop.apiserver.rest.ServedResource;
import io.kubeloop.apiserver.storage.codec.StorageForm;
import io.kubeloop.json.schema.ApiResource;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeCatalog;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Some kinds of the catalog without any behavior of their own, and definitions of custom resources. */
final class CatalogKinds implements ApiKinds {

    private static final TypeCatalog CATALOG = TypeCatalog.kubernetes();
    private static final Set<String> SERVED =
            Set.of("namespaces", "configmaps", "pods", "services", "customresourcedefinitions");

    private record Plain(boolean hasStatus, boolean hasGeneration) implements RestStrategy {}

    @Override
    public List<ResourceDefinition> definitions() {
        return CATALOG.resources().stream()
                .filter(resource -> SERVED.contains(resource.plural()))
                .map(CatalogKinds::definition)
                .toList();
    }

    private static ResourceDefinition definition(ApiResource resource) {
        ResourceType<?> type = ResourceTypes.generic(
                resource.group(),
                resource.version(),
                resource.plural(),
                resource.kind(),
                resource.namespaced() ? ResourceType.Scope.NAMESPACED : ResourceType.Scope.CLUSTER);
        ServedResource served = ServedResource.of(type, resource);
        StructSchema schema = Objects.requireNonNull(CATALOG.type(type.apiVersion(), type.kind()));
        return new ResourceDefinition(
                served,
                new Plain(
                        served.subresource("status") != null, resource.plural().equals("pods")),
                schema,
                StorageForm.of(type),
                List.of());
    }

    @Override
    public @Nullable StructSchema type(String apiVersion, String kind) {
        return CATALOG.type(apiVersion, kind);
    }

    @Override
    public OwnableFields ownable(ServedResource resource) {
        return resource.subresource("status") == null ? OwnableFields.ALL : OwnableFields.WITH_STATUS;
    }

    @Override
    public List<AdmissionPlugin> admission(ApiBackend backend) {
        return List.of();
    }

    @Override
    public Map<String, SubresourceHandler> subresources(ApiBackend backend) {
        return Map.of();
    }
}
