/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.NameValidation;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.apiserver.typed.TypedJson;
import io.kubeloop.json.tree.JsonObject;
import java.nio.charset.StandardCharsets;
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

    /** Validation of the data of ConfigMaps and Secrets: strings, or bytes in Base64, by key. */
    private static final class DataMapRules {

        /**
         * The maximum size of all values of an object in bytes, without keys (upstream: {@code MaxSecretSize}, for both
         * kinds).
         */
        static final int MAX_BYTES = 1 << 20;

        private DataMapRules() {}

        /** Validates the keys; returns the size of the strings in bytes. */
        static long checkTexts(String field, JsonObject object, FieldErrors errors) {
            long size = 0;
            for (String key : object.object(field).members().keySet()) {
                checkKey(field, key, errors);
                size += object.string(field, key).getBytes(StandardCharsets.UTF_8).length;
            }
            return size;
        }

        /** Validates the keys; returns the size of the decoded values in bytes. */
        static long checkBytes(String field, JsonObject object, FieldErrors errors) {
            long size = 0;
            for (String key : object.object(field).members().keySet()) {
                checkKey(field, key, errors);
                size += Base64Text.decode(object.string(field, key)).length;
            }
            return size;
        }

        private static void checkKey(String field, String key, FieldErrors errors) {
            errors.invalid(field + "[" + key + "]", key, NameValidation.configMapKey(key));
        }
    }

    /** The rule for immutable ConfigMaps and Secrets: the flag and the content cannot change. */
    private static final class Immutability {

        private Immutability() {}

        /** Checks that an immutable object keeps its flag and the content of these fields. */
        static void check(JsonObject object, JsonObject old, List<String> content, FieldErrors errors) {
            if (!old.bool("immutable")) {
                return;
            }
            if (!object.bool("immutable")) {
                errors.forbidden("immutable", "field is immutable when `immutable` is set");
            }
            for (String field : content) {
                if (!object.object(field).equals(old.object(field))) {
                    errors.forbidden(field, "field is immutable when `immutable` is set");
                }
            }
        }
    }

    /** Validation of the secret types that Kubernetes defines. Other types may hold any data. */
    private static final class SecretTypes {

        private static final String SERVICE_ACCOUNT = "kubernetes.io/service-account.name";

        private SecretTypes() {}

        /** Validates a secret whose data is valid Base64. */
        static void check(JsonObject secret, FieldErrors errors) {
            JsonObject data = secret.object("data");
            switch (secret.string("type")) {
                case "kubernetes.io/service-account-token" -> {
                    if (secret.string("metadata", "annotations", SERVICE_ACCOUNT)
                            .isEmpty()) {
                        errors.required("metadata.annotations[" + SERVICE_ACCOUNT + "]", "");
                    }
                }
                case "kubernetes.io/dockercfg" -> document(data, ".dockercfg", errors);
                case "kubernetes.io/dockerconfigjson" -> document(data, ".dockerconfigjson", errors);
                case "kubernetes.io/basic-auth" -> {
                    // Either may be absent: a user without a password, or a token without a user.
                    if (!data.has("username") && !data.has("password")) {
                        present(data, "username", errors);
                        present(data, "password", errors);
                    }
                }
                case "kubernetes.io/ssh-auth" -> {
                    if (data.string("ssh-privatekey").isEmpty()) {
                        errors.required("data[ssh-privatekey]", "");
                    }
                }
                case "kubernetes.io/tls" -> {
                    present(data, "tls.crt", errors);
                    present(data, "tls.key", errors);
                }
                default -> {}
            }
        }

        private static void present(JsonObject data, String key, FieldErrors errors) {
            if (!data.has(key)) {
                errors.required("data[" + key + "]", "");
            }
        }

        private static void document(JsonObject data, String key, FieldErrors errors) {
            present(data, key, errors);
            if (!data.has(key)) {
                return;
            }
            byte[] document = Base64Text.decode(data.string(key));
            try {
                var unused = TypedJson.untyped(document);
            } catch (DecodeException e) {
                errors.invalid("data[" + key + "]", "<secret contents redacted>", String.valueOf(e.getMessage()));
            }
        }
    }
}
