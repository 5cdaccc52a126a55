/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/** Validation of ConfigMaps and Secrets (upstream: {@code ValidateConfigMap} and {@code ValidateSecret}). */
public final class DataRules {

    private DataRules() {}

    /** Validates a ConfigMap. */
    public static void configMap(FieldCursor map) {
        JsonObject object = map.object();
        long size = DataMapRules.checkTexts("data", object, map.errors())
                + DataMapRules.checkBytes("binaryData", object, map.errors());
        for (String key : object.object("data").members().keySet()) {
            if (object.object("binaryData").has(key)) {
                map.errors().invalid("data[" + key + "]", key, "duplicate of key present in binaryData");
            }
        }
        if (size > DataMapRules.MAX_BYTES) {
            map.errors().tooLong("[]", DataMapRules.MAX_BYTES); // an error of the object as a whole
        }
    }

    /** Validates the change of a ConfigMap. */
    public static void configMapUpdate(FieldCursor map, FieldCursor old, Part part) {
        Immutability.check(map.object(), old.object(), List.of("data", "binaryData"), map.errors());
    }

    /** Validates a Secret. */
    public static void secret(FieldCursor secret) {
        JsonObject object = secret.object();
        if (DataMapRules.checkBytes("data", object, secret.errors()) > DataMapRules.MAX_BYTES) {
            secret.errors().tooLong("data", DataMapRules.MAX_BYTES);
        }
        SecretTypes.check(object, secret.errors());
    }

    /** Validates the change of a Secret. */
    public static void secretUpdate(FieldCursor secret, FieldCursor old, Part part) {
        secret.at("type").immutable(old.at("type"));
        Immutability.check(secret.object(), old.object(), List.of("data"), secret.errors());
    }
}
