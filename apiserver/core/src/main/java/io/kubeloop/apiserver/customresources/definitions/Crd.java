/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A view of a custom resource definition. Immutable.
 *
 * @param object the definition
 */
public record Crd(JsonObject object) {

    /** The finalizer that keeps a definition until its objects are deleted. */
    public static final String CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

    /** Returns the name of the definition: plural and group. */
    public String name() {
        return Meta.name(object);
    }

    /** Returns the desired state. */
    public JsonObject spec() {
        return object.object("spec");
    }

    /** Returns the group of the resource. */
    public String group() {
        return object.string("spec", "group");
    }

    /** Returns the requested names. */
    public JsonObject names() {
        return object.object("spec", "names");
    }

    /** Returns the names under which the resource is served. */
    public JsonObject acceptedNames() {
        return object.object("status", "acceptedNames");
    }

    /** Returns whether the objects have namespaces. */
    public boolean isNamespaced() {
        return object.string("spec", "scope").equals("Namespaced");
    }

    /** Returns the versions, in the order of the definition. */
    public List<Version> versions() {
        return object.array("spec", "versions").objects().map(Version::new).toList();
    }

    /** Returns the version in which objects are stored, if the definition names it. */
    public Optional<Version> storageVersion() {
        return versions().stream().filter(Version::isStorage).findFirst();
    }

    /**
     * Returns the {@code apiVersion} in which objects are stored; that of the first version if the definition names
     * none.
     */
    public String storageApiVersion() {
        return group() + "/"
                + storageVersion()
                        .or(() -> versions().stream().findFirst())
                        .orElseThrow()
                        .name();
    }

    /** Returns how objects are converted between the versions. */
    public JsonObject conversion() {
        return object.object("spec", "conversion");
    }

    /** Returns the CA bundle of the conversion webhook, in base64; empty if there is none. */
    public String caBundle() {
        return conversion().string("webhook", "clientConfig", "caBundle");
    }

    /** Returns whether a webhook converts the objects. */
    public boolean hasConversionWebhook() {
        return conversion().string("strategy").equals("Webhook");
    }

    /** Returns the versions in which objects may be stored. */
    public List<String> storedVersions() {
        return object.array("status", "storedVersions").strings().toList();
    }

    /** Returns whether a condition is present and true. */
    public boolean isTrue(String condition) {
        return DefinitionConditions.find(object, condition).string("status").equals("True");
    }

    /** Returns whether the deletion has begun. */
    public boolean isTerminating() {
        return Meta.isDeleting(object);
    }

    /** Returns whether clients can use the resource. */
    public boolean isServed() {
        return isTrue(DefinitionConditions.NAMES_ACCEPTED) || isTrue(DefinitionConditions.ESTABLISHED);
    }

    /** Returns whether the other state of the definition has the same specification and names. */
    public boolean hasSameSpec(Crd other) {
        return spec().equals(other.spec()) && acceptedNames().equals(other.acceptedNames());
    }

    /** Returns whether the resource of the other state of the definition is served differently. */
    public boolean looksDifferent(Crd other) {
        return !hasSameSpec(other)
                || isTrue(DefinitionConditions.TERMINATING) != other.isTrue(DefinitionConditions.TERMINATING);
    }

    /**
     * One version of a definition.
     *
     * @param object the version
     */
    public record Version(JsonObject object) {

        /** Returns the name, such as {@code v1}. */
        public String name() {
            return object.string("name");
        }

        /** Returns whether clients can use the version. */
        public boolean isServed() {
            return object.bool("served");
        }

        /** Returns whether objects are stored in this version. */
        public boolean isStorage() {
            return object.bool("storage");
        }

        /** Returns whether clients should use another version. */
        public boolean isDeprecated() {
            return object.bool("deprecated");
        }

        /** Returns the schema; null if the version has none. */
        public @Nullable SchemaProps schema() {
            return object.get("schema", "openAPIV3Schema") instanceof JsonObject schema
                    ? new SchemaProps(schema)
                    : null;
        }

        /** Returns whether the status is a subresource. */
        public boolean hasStatus() {
            return object.get("subresources", "status") instanceof JsonObject;
        }

        /** Returns the paths of the scale subresource; null if there is none. */
        public @Nullable JsonObject scale() {
            return object.get("subresources", "scale") instanceof JsonObject scale ? scale : null;
        }

        /** Returns the columns of tables beside the name. */
        public JsonArray columns() {
            return object.array("additionalPrinterColumns");
        }

        /** Returns the paths of the fields that field selectors support. */
        public List<String> selectableFields() {
            return object.array("selectableFields")
                    .objects()
                    .map(field -> field.string("jsonPath"))
                    .toList();
        }
    }
}
