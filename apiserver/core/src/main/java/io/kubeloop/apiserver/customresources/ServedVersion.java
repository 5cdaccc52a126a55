/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.customresources.definitions.Crd;
import io.kubeloop.apiserver.customresources.definitions.DefinitionConditions;
import io.kubeloop.apiserver.customresources.definitions.DeprecationRules;
import io.kubeloop.apiserver.customresources.definitions.VersionOrder;
import io.kubeloop.apiserver.customresources.objects.EmbeddedObjects;
import io.kubeloop.apiserver.customresources.objects.EmbeddedObjects.MalformedObjectException;
import io.kubeloop.apiserver.customresources.objects.ObjectMetaType;
import io.kubeloop.apiserver.customresources.objects.ObjectMetaType.MalformedMetadataException;
import io.kubeloop.apiserver.customresources.objects.Pruning;
import io.kubeloop.apiserver.customresources.paths.JsonPath;
import io.kubeloop.apiserver.customresources.paths.JsonPath.InvalidJsonPathException;
import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.rest.CustomSchema;
import io.kubeloop.apiserver.rest.ResourceDefinition;
import io.kubeloop.apiserver.rest.ScalePaths;
import io.kubeloop.apiserver.rest.ServedResource;
import io.kubeloop.apiserver.rest.ServedResource.Subresource;
import io.kubeloop.apiserver.storage.codec.Conversion;
import io.kubeloop.apiserver.storage.codec.ObjectDecoder;
import io.kubeloop.apiserver.storage.codec.StorageCodec;
import io.kubeloop.apiserver.storage.codec.StorageForm;
import io.kubeloop.apiserver.typed.TypedJson;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
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
                definition.isTrue(DefinitionConditions.TERMINATING) ? resource : null);
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

    /**
     * Decodes custom resources: checks their metadata, and drops the fields that their schema does not have (upstream:
     * {@code unstructuredSchemaCoercer}). Immutable; thread-safe.
     */
    private static final class CustomResourceDecoder implements ObjectDecoder {

        private final SchemaProps schema;

        CustomResourceDecoder(SchemaProps schema) {
            this.schema = schema;
        }

        /** As upstream, only a body is pruned: what an apply adds to the merged object is validated and stored. */
        @Override
        public TypedJson.Decoded decodeMerged(byte[] json) {
            TypedJson.Decoded read = TypedJson.untyped(json);
            JsonObject object = TypedJson.withNumbersOfGo(read.object());
            return new TypedJson.Decoded(
                    object.with("metadata", metadata(object, new ArrayList<>())), read.strictErrors());
        }

        @Override
        public TypedJson.Decoded decode(byte[] json) {
            TypedJson.Decoded read = TypedJson.untyped(json);
            JsonObject object = read.object();
            List<String> unknown = new ArrayList<>();
            JsonObject metadata = metadata(object, unknown);
            List<String> pruned = new ArrayList<>();
            JsonValue known = Pruning.pruneNulls(Pruning.pruneObject(object, schema, pruned), schema);
            List<String> embedded = new ArrayList<>();
            JsonObject coerced;
            try {
                coerced = (JsonObject) EmbeddedObjects.coerce("", known, schema, false, embedded);
            } catch (MalformedObjectException e) {
                throw new DecodeException(e.problem().message(), e);
            }
            pruned.stream().sorted().forEach(unknown::add);
            embedded.stream().sorted().forEach(unknown::add);
            List<String> errors = new ArrayList<>(read.strictErrors());
            unknown.forEach(path -> errors.add("unknown field \"" + path + "\""));
            return new TypedJson.Decoded(object.has("metadata") ? coerced.with("metadata", metadata) : coerced, errors);
        }

        @Override
        public boolean requiresKind() {
            return true;
        }

        private static JsonObject metadata(JsonObject object, List<String> unknown) {
            JsonValue metadata = object.get("metadata");
            if (metadata == null || metadata == JsonNull.NULL) {
                return JsonObject.EMPTY;
            }
            try {
                return ObjectMetaType.read(metadata, "metadata", unknown);
            } catch (MalformedMetadataException e) {
                throw new DecodeException(String.valueOf(e.getMessage()), e);
            }
        }
    }

    /** The fields of a custom resource that field selectors support. */
    private static final class SelectableFields {

        private SelectableFields() {}

        /** Returns the readers of paths such as {@code .spec.color}, which validation has checked; unmodifiable. */
        static Map<String, Function<JsonObject, String>> of(List<String> texts) {
            Map<String, Function<JsonObject, String>> readers = new LinkedHashMap<>();
            for (String text : texts) {
                try {
                    JsonPath path = JsonPath.parse(text);
                    readers.put(text.substring(1), object -> value(path, object));
                } catch (InvalidJsonPathException e) {
                    throw new IllegalArgumentException("invalid selectable field " + text, e);
                }
            }
            return Collections.unmodifiableMap(readers);
        }

        private static String value(JsonPath path, JsonObject object) {
            try {
                List<JsonValue> found = path.select(object);
                return found.isEmpty() || found.get(0) == JsonNull.NULL ? "" : GoText.plain(found.get(0));
            } catch (InvalidJsonPathException e) {
                return ""; // a plain path fits every object
            }
        }
    }

    /**
     * The conversion between a served version and the storage version without a webhook (upstream: the codec of the
     * storage with {@code nopConverter}). Immutable; thread-safe.
     *
     * <p>A stored object is pruned and gets defaults by the schema of the version in which it is stored. Then it is
     * pruned by the schema of the served version, which sets no defaults. An object is stored as it was validated:
     * members that the storage version does not have stay in the storage, and no version shows them.
     */
    private static final class VersionConversion implements Conversion {

        private final VersionSchemas schemas;
        private final String servedVersion;
        private final String storageVersion;

        /**
         * Creates a conversion.
         *
         * @param servedVersion the {@code apiVersion} of served objects
         * @param storageVersion the {@code apiVersion} of objects that are stored from now on
         */
        VersionConversion(VersionSchemas schemas, String servedVersion, String storageVersion) {
            this.schemas = schemas;
            this.servedVersion = servedVersion;
            this.storageVersion = storageVersion;
        }

        @Override
        public JsonObject toStorage(JsonObject served) {
            return served.with("apiVersion", storageVersion);
        }

        @Override
        public JsonObject fromStorage(JsonObject stored) {
            JsonObject object = schemas.completed(stored);
            return stored.string("apiVersion").equals(servedVersion)
                    ? object
                    : schemas.pruned(object.with("apiVersion", servedVersion));
        }
    }
}
