/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads an object, applies a change and writes the result; repeats all three steps after a conflict. Used by one
 * thread.
 *
 * @param client the resource
 * @param name the object
 * @param change computes the wanted object from the current one; called once per attempt
 * @param retry the attempts and delays
 */
record ReadModifyWrite<T extends KubeObject>(
        ResourceClient<T> client, ObjectName name, UnaryOperator<T> change, ConflictRetry retry) {

    /**
     * Runs the attempts.
     *
     * @param initial the object to change and create if none exists; null if the object must exist
     * @param update replaces the object, or its status
     */
    T run(@Nullable T initial, UnaryOperator<T> update) {
        for (int attempt = 1; ; attempt++) {
            T current = initial == null ? client.get(name) : find();
            T wanted = current == null
                    ? changed(Objects.requireNonNull(initial, "initial"))
                    : withVersionOf(current, changed(current));
            if (current != null && wanted.equals(current)) {
                return current;
            }
            try {
                return current == null ? client.create(wanted) : update.apply(wanted);
            } catch (ApiException e) {
                boolean appeared = current == null && e.isAlreadyExists();
                boolean disappeared = current != null && initial != null && e.isNotFound();
                if (!e.isConflict() && !appeared && !disappeared) {
                    throw e;
                }
                if (attempt == retry.attempts()) {
                    throw exhausted(e);
                }
                await(attempt, e);
            }
        }
    }

    private @Nullable T find() {
        try {
            return client.get(name);
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return null;
            }
            throw e;
        }
    }

    private T changed(T current) {
        T wanted = change.apply(current);
        if (wanted == null || !wanted.objectName().equals(name)) {
            throw new IllegalArgumentException(
                    "The change of " + name + " must return an object of the same namespace and"
                            + " name, but returned " + (wanted == null ? "null" : wanted.objectName()));
        }
        return wanted;
    }

    @SuppressWarnings("unchecked") // withMetadata returns an object of the same class
    private T withVersionOf(T current, T wanted) {
        String version = current.metadata().resourceVersion();
        ObjectMeta metadata = wanted.metadata();
        return metadata.resourceVersion().equals(version)
                ? wanted
                : (T) wanted.withMetadata(ObjectMetaBuilder.builder(metadata)
                        .resourceVersion(version)
                        .build());
    }

    private ApiException exhausted(ApiException last) {
        String attempted = "Cannot write " + name + ": other clients changed it during each of " + retry.attempts()
                + " attempts, the last answer was";
        ApiException failure = new ApiException(attempted, last.status(), last.retryAfter(), last.auditId());
        failure.initCause(last);
        return failure;
    }

    private void await(int attempt, ApiException lost) {
        try {
            retry.delay().await(retry.after(attempt));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            TransportException failure = new TransportException(
                    TransportException.Kind.CLOSED,
                    "Cannot write " + name + ": interrupted before attempt " + (attempt + 1) + " of "
                            + retry.attempts(),
                    e);
            failure.addSuppressed(lost);
            throw failure;
        }
    }
}
