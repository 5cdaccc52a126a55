/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.codec.clientjava;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import io.kubeloop.json.ForeignCodec;
import io.kubeloop.json.ForeignModel;
import io.kubernetes.client.openapi.JSON;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Makes codecs for the classes of the official Java client, which Gson reads and writes.
 *
 * <p>The classes do not tell their resources, so each is registered with one:
 *
 * <pre>{@code
 * ForeignCodec codec = ClientJavaCodec.empty().with(ResourceTypes.PODS, V1Pod.class);
 * KubeClient client = KubeClient.of(transport, codec);
 * SharedInformer<ForeignObject<V1Pod>> pods = SharedInformers.factory(client).informer(codec.type(V1Pod.class));
 * }</pre>
 *
 * <p>The official client rejects objects with members that its release lacks. So does this codec, with a {@link
 * io.kubeloop.api.client.DecodeException} that names the member.
 */
public final class ClientJavaCodec {

    private ClientJavaCodec() {}

    /** Returns a codec without classes. Uses the official client's own configuration of Gson. */
    public static ForeignCodec empty() {
        Gson gson = JSON.getGson();
        return ForeignCodec.of(new ForeignModel() {
            @Override
            public <V> V read(byte[] json, int offset, int length, Class<V> type) throws IOException {
                try {
                    return gson.fromJson(new String(json, offset, length, StandardCharsets.UTF_8), type);
                } catch (JsonParseException | IllegalArgumentException e) {
                    // Its adapters throw the second for a member that they do not know.
                    throw new IOException(e.getMessage(), e);
                }
            }

            @Override
            public byte[] write(Object value) {
                return gson.toJson(value).getBytes(StandardCharsets.UTF_8);
            }
        });
    }
}
