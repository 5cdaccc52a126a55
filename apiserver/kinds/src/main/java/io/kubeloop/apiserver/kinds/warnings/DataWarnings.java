/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.warnings;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.Base64Text;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Warnings about secrets and service accounts (upstream: {@code WarningsOnCreate} of their strategies). */
public final class DataWarnings {

    private static final String MOUNTABLE = "kubernetes.io/enforce-mountable-secrets";

    private DataWarnings() {}

    /** Returns the warnings about a secret: whether that of a server has a certificate and its key. */
    public static List<String> secret(FieldCursor secret) {
        if (!secret.at("type").text().equals("kubernetes.io/tls")) {
            return List.of();
        }
        String problem = TlsKeyPair.problem(bytes(secret.at("data", "tls.crt")), bytes(secret.at("data", "tls.key")));
        return problem == null ? List.of() : List.of(problem);
    }

    private static byte[] bytes(FieldCursor data) {
        return Base64Text.decode(data.text());
    }

    /** Returns the warnings about a service account, if the annotation is new. */
    public static List<String> account(FieldCursor account, @Nullable JsonObject old, Part part) {
        boolean isNew = old == null || !old.object("metadata", "annotations").has(MOUNTABLE);
        return isNew && account.at("metadata", "annotations", MOUNTABLE).isSet()
                ? List.of("metadata.annotations[" + MOUNTABLE + "]: deprecated in v1.32+; prefer separate namespaces to"
                        + " isolate access to mounted secrets")
                : List.of();
    }
}
