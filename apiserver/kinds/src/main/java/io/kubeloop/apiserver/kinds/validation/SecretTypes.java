/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.typed.TypedJson;

/** Validation of the secret types that Kubernetes defines. Other types may hold any data. */
public final class SecretTypes {

    private static final String SERVICE_ACCOUNT = "kubernetes.io/service-account.name";

    private SecretTypes() {}

    /** Validates a secret whose data is valid Base64. */
    public static void check(JsonObject secret, FieldErrors errors) {
        JsonObject data = secret.object("data");
        switch (secret.string("type")) {
            case "kubernetes.io/service-account-token" -> {
                if (secret.string("metadata", "annotations", SERVICE_ACCOUNT).isEmpty()) {
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
