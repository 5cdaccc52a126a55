/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.apiserver.customresources.definitions.Crd.Version;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The defaults of definitions (upstream: {@code SetDefaults_CustomResourceDefinition}). Static functions only. */
final class CrdDefaults {

    private static final int WEBHOOK_PORT = 443;

    private CrdDefaults() {}

    static JsonObject apply(JsonObject definition) {
        JsonObject spec = definition.object("spec");
        JsonObject names = spec.object("names");
        String kind = names.string("kind");
        if (names.string("singular").isEmpty()) {
            names = names.with("singular", kind.toLowerCase(Locale.ROOT));
        }
        if (names.string("listKind").isEmpty() && !kind.isEmpty()) {
            names = names.with("listKind", kind + "List");
        }
        spec = spec.with("names", names);
        if (!(spec.get("conversion") instanceof JsonObject)) {
            spec = spec.with("conversion", JsonObject.EMPTY.with("strategy", "None"));
        }
        JsonObject service = spec.object("conversion", "webhook", "clientConfig", "service");
        if (!service.isEmpty() && !service.has("port")) {
            spec = spec.with(
                    List.of("conversion", "webhook", "clientConfig", "service"), service.with("port", WEBHOOK_PORT));
        }
        JsonObject result = definition.with("spec", spec);
        return result.array("status", "storedVersions").isEmpty() ? withStorageVersion(result) : result;
    }

    /** Returns the definition with its storage version among the stored versions. */
    static JsonObject withStorageVersion(JsonObject definition) {
        Crd view = new Crd(definition);
        Optional<String> storage = view.storageVersion().map(Version::name);
        if (storage.isEmpty() || view.storedVersions().contains(storage.get())) {
            return definition;
        }
        List<String> stored = new ArrayList<>(view.storedVersions());
        stored.add(storage.get());
        return definition.with(
                "status", definition.object("status").with("storedVersions", JsonArray.ofStrings(stored)));
    }
}
