/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ListMetaBuilder;
import io.kubeloop.api.ObjectIdentity;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.Status;
import io.kubeloop.api.StatusReason;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodSpec;
import io.kubeloop.api.core.PodStatus;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A codec for tests of the client: a pod is its name, a list is names and {@code continue=token} with spaces, an error
 * is its reason, or no status.
 */
final class NameCodec implements ObjectCodec {

    @Override
    public <T extends KubeObject> byte[] encode(ResourceType<T> type, T object) {
        return object.metadata().name().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public <T extends KubeObject> T decode(ResourceType<T> type, InputStream in) {
        return pod(type, text(in));
    }

    @Override
    public ObjectIdentity decodeIdentity(byte[] document) {
        return new ObjectIdentity(new ObjectName("shop", new String(document, StandardCharsets.UTF_8)), "", "");
    }

    @Override
    public <T extends KubeObject> KubeList<T> decodeList(ResourceType<T> type, InputStream in) {
        ListMetaBuilder metadata = ListMetaBuilder.builder().resourceVersion("7");
        List<T> items = new ArrayList<>();
        for (String word : text(in).split(" ", 0)) {
            if (word.startsWith("continue=")) {
                metadata.continueToken(word.substring("continue=".length()));
            } else {
                items.add(pod(type, word));
            }
        }
        return new KubeList<>(metadata.build(), items);
    }

    @Override
    public <T extends KubeObject> WatchEvent<T> decodeEvent(ResourceType<T> type, byte[] frame) {
        return new WatchEvent.Added<>(pod(type, new String(frame, StandardCharsets.UTF_8)));
    }

    @Override
    public Status decodeStatus(int code, byte[] body) {
        String reason = new String(body, StandardCharsets.UTF_8);
        if (!reason.equals(StatusReason.UNEXPECTED_SERVER_RESPONSE)) {
            return Status.failure(code, reason, "said the server");
        }
        Status.Cause cause = new Status.Cause(reason, "", "", UnknownFields.NONE);
        Status.Details details = new Status.Details("", "", "", "", List.of(cause), 0, UnknownFields.NONE);
        return new Status(null, "Failure", "a page", StatusReason.CONFLICT, details, code, UnknownFields.NONE);
    }

    private static <T extends KubeObject> T pod(ResourceType<T> type, String name) {
        ObjectMeta metadata = ObjectMeta.named("shop", name);
        return type.objectClass()
                .cast(
                        type.objectClass() == PartialObjectMetadata.class
                                ? new PartialObjectMetadata(metadata)
                                : Pod.of(metadata, PodSpec.EMPTY, PodStatus.EMPTY));
    }

    private static String text(InputStream in) {
        try {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
