/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.apiserver.customresources.definitions.Conditions;
import io.kubeloop.apiserver.customresources.definitions.Crd;
import io.kubeloop.apiserver.customresources.definitions.DeprecationRules;
import io.kubeloop.apiserver.customresources.definitions.VersionOrder;
import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.rest.CustomSchema;
import io.kubeloop.apiserver.rest.ResourceDefinition;
import io.kubeloop.apiserver.rest.ScalePaths;
import io.kubeloop.apiserver.rest.ServedResource;
import io.kubeloop.apiserver.rest.ServedResource.Subresource;
import io.kubeloop.apiserver.storage.codec.Conversion;
import io.kubeloop.apiserver.storage.codec.StorageCodec;
import io.kubeloop.apiserver.storage.codec.StorageForm;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Builds the served resources of a definition. Static functions only. */
final class ServedVersion {

    /** The verbs in the order of upstream's discovery documents. */
    private static final List<String> VERBS =
            List.of("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");

    private static final Comparator<Crd.Version> PREFERRED_FIRST =
            (one, two) -> VersionOrder.compare(two.name(), one.name());

    private static final List<String> PART_VERBS = List.of("get", "patch", "update");

    private ServedVersion() {}

    /**
     * Returns the served versions of a definition, the preferred one first.
     *
     * @param codecs creates the codec of a version for a definition with a conversion webhook
     */
    static List<ResourceDefinition> of(Crd definition, BiFunction<Crd, String, @Nullable StorageCodec> codecs) {
        return definition.versions().stream()
                .filter(Crd.Version::isServed)
                .sorted(PREFERRED_FIRST)
                .map(version ->
                        of(definition, version, codecs.apply(definition, definition.group() + "/" + version.name())))
                .toList();
    }

    /** Returns the storage version of a definition, served or not, whose objects are not converted. */
    static ResourceDefinition ofStorage(Crd definition) {
        return of(definition, definition.storageVersion().orElseThrow(), null);
    }

    private static ResourceDefinition of(Crd definition, Crd.Version version, @Nullable StorageCodec codec) {
        SchemaProps schema = Objects.requireNonNull(version.schema(), "a valid definition has schemas");
        ResourceType<?> type = type(definition, version.name());
        String storageVersion = definition.storageApiVersion();
        ServedResource resource = resource(definition, version, type);
        // With a codec, the strategy receives objects in the served version.
        Conversion conversion = codec == null
                ? new VersionConversion(VersionSchemas.of(definition), type.apiVersion(), storageVersion)
                : Conversion.ofVersion(type.apiVersion(), type.apiVersion());
        StorageForm storage =
                new StorageForm(type.toString(), storageVersion, codec == null ? conversion : null, codec);
        CustomSchema published = new CustomSchema(
                definition.acceptedNames().string("listKind"),
                version.object().object("schema", "openAPIV3Schema"),
                version.selectableFields());
        return new ResourceDefinition(
                        resource,
                        strategy(definition, version, conversion, resource),
                        StructuralTypes.ofRoot(schema),
                        new CustomResourceDecoder(schema),
                        storage,
                        PrinterColumns.of(version.columns()))
                .describedBy(published);
    }

    private static CustomResourceStrategy strategy(
            Crd definition, Crd.Version version, Conversion conversion, ServedResource resource) {
        SchemaProps schema = Objects.requireNonNull(version.schema());
        JsonObject scale = version.scale();
        ScalePaths paths = scale == null
                ? null
                : ScalePaths.of(
                        scale.string("specReplicasPath"),
                        scale.string("statusReplicasPath"),
                        scale.string("labelSelectorPath"));
        List<String> warnings =
                version.isDeprecated() ? List.of(DeprecationRules.warning(definition, version)) : List.of();
        return new CustomResourceStrategy(
                schema,
                conversion,
                version.hasStatus(),
                paths,
                SelectableFields.of(version.selectableFields()),
                warnings,
                definition.isTrue(Conditions.TERMINATING) ? resource : null);
    }

    private static ResourceType<?> type(Crd definition, String version) {
        JsonObject names = definition.acceptedNames();
        return ResourceTypes.generic(
                definition.group(),
                version,
                names.string("plural"),
                names.string("kind"),
                definition.isNamespaced() ? ResourceType.Scope.NAMESPACED : ResourceType.Scope.CLUSTER);
    }

    private static ServedResource resource(Crd definition, Crd.Version version, ResourceType<?> type) {
        JsonObject names = definition.acceptedNames();
        List<Subresource> subresources = new ArrayList<>();
        if (version.hasStatus()) {
            subresources.add(new Subresource("status", type.group(), type.version(), type.kind(), PART_VERBS));
        }
        if (version.scale() != null) {
            subresources.add(new Subresource("scale", "autoscaling", "v1", "Scale", PART_VERBS));
        }
        return new ServedResource(
                type,
                names.string("singular"),
                names.array("shortNames").strings().toList(),
                names.array("categories").strings().toList(),
                VERBS,
                subresources);
    }
}
