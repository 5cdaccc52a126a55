/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.informer;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.cache.InformerHealth;
import io.kubeloop.cache.InformerScope;
import io.kubeloop.cache.ReflectorState;
import io.kubeloop.cache.Store;
import io.kubeloop.cache.dispatch.SharedProcessor;
import io.kubeloop.cache.queue.DeltaQueue;
import io.kubeloop.cache.reflector.ErrorHint;
import io.kubeloop.cache.reflector.Progress;

/** Describes an informer: its name, its health, and the reason why it is not synced. Thread-safe. */
record InformerReport<T extends KubeObject>(
        String name,
        Progress progress,
        Store<ObjectName, T> store,
        DeltaQueue<ObjectName, T> queue,
        SharedProcessor<T> processor,
        ErrorHint errorHint) {

    /** Returns the name of an informer in logs, metrics and thread names. */
    static String nameOf(ResourceType<?> type, InformerScope scope) {
        String part = scope.toString();
        return type + content(type) + (part.isEmpty() ? "" : "[" + part + "]");
    }

    /** Returns a suffix that distinguishes caches of records, generic objects and metadata. */
    private static String content(ResourceType<?> type) {
        if (type.objectClass() == PartialObjectMetadata.class) {
            return "(metadata)";
        }
        boolean hasRecord =
                ResourceTypes.all().stream().anyMatch(typed -> typed.toString().equals(type.toString()));
        return hasRecord && type.objectClass() == GenericObject.class ? "(generic)" : "";
    }

    InformerHealth health() {
        return new InformerHealth(
                name,
                progress.state(),
                progress.since(),
                queue.hasSynced(),
                progress.lastSyncResourceVersion(),
                store.resourceVersion(),
                progress.lastEventAt(),
                progress.lastError(),
                progress.lastErrorAt(),
                errorHint.of(progress.lastError(), progress.lastErrorDuring()),
                progress.lists(),
                progress.watches(),
                progress.errors(),
                store.size(),
                queue.size(),
                processor.health());
    }

    /** Returns one line that states why the cache is not filled, and which permission or resource may be missing. */
    String whyNotSynced(boolean closed) {
        StringBuilder text = new StringBuilder(name).append(": ");
        InformerHealth health = health();
        if (closed && health.state() != ReflectorState.FAILED) {
            return text.append("closed").toString();
        }
        text.append(health.state());
        if (health.since() != null) {
            text.append(" since ").append(health.since());
        }
        Throwable error = health.lastError();
        text.append(error == null ? ", no error so far" : ", last error: " + error.getMessage());
        if (!health.errorHint().isEmpty()) {
            text.append("; ").append(health.errorHint());
        }
        return text.toString();
    }
}
