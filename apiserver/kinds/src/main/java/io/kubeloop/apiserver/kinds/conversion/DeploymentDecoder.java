/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.conversion;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.storage.codec.ObjectDecoder;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.typed.TypedJson;

/**
 * Decodes Deployments (upstream: {@code Convert_v1_Deployment_To_apps_Deployment}). An annotation holds the revision of
 * a rollback, which was a field once, so that its type is checked too.
 *
 * @param schema the type of the objects
 */
public record DeploymentDecoder(StructSchema schema) implements ObjectDecoder {

    /** The annotation that requests a rollback to a revision. */
    public static final String ROLLBACK = "deprecated.deployment.rollback.to";

    @Override
    public TypedJson.Decoded decode(byte[] json) {
        TypedJson.Decoded decoded = TypedJson.decode(schema, json);
        String revision = decoded.object().string("metadata", "annotations", ROLLBACK);
        try {
            if (!revision.isEmpty()) {
                Long.parseLong(revision);
            }
        } catch (NumberFormatException e) {
            throw new DecodeException(
                    "failed to parse annotation[" + ROLLBACK + "]=" + revision
                            + " as int64: strconv.ParseInt: parsing \"" + revision + "\": invalid syntax",
                    e);
        }
        return decoded;
    }
}
