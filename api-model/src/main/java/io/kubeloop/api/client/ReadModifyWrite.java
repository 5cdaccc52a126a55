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
 * Reads an object, applies a change and writes the result; repeats all three steps after a conflict. One thread uses an
 * instance, once.
 */
final class ReadModifyWrite<T extends KubeObject> {

    private final ResourceClient<T> client;
    private final ObjectName name;
    private final UnaryOperator<T> change;
    private final Retry retry;
    private int attempts;
    private @Nullable T current;

    /**
     * Stores the parts.
     *
     * @param client the resource
     * @param name the object
     * @param change computes the wanted object from the current one; called once per attempt
     * @param retry the attempts and delays
     */
    ReadModifyWrite(ResourceClient<T> client, ObjectName name, UnaryOperator<T> change, Retry retry) {
        this.client = client;
        this.name = name;
        this.change = change;
        this.retry = retry;
    }

    /**
     * Runs the attempts.
     *
     * @param initial the object to change and create if none exists; null if the object must exist
     * @param update replaces the object, or its status
     */
    T run(@Nullable T initial, UnaryOperator<T> update) {
        try {
            return retry.onError(e -> isLostRace(e, initial), () -> attempt(initial, update));
        } catch (ApiException e) {
            throw isLostRace(e, initial) ? exhausted(e) : e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException(
                    TransportException.Kind.CLOSED,
                    "Cannot write " + name + ": interrupted before attempt " + (attempts + 1) + " of "
                            + retry.backoff().steps(),
                    e);
        }
    }

    private T attempt(@Nullable T initial, UnaryOperator<T> update) {
        attempts++;
        current = initial == null ? client.get(name) : find();
        if (current == null) {
            return client.create(changed(Objects.requireNonNull(initial, "initial")));
        }
        T wanted = withVersionOf(current, changed(current));
        return wanted.equals(current) ? current : update.apply(wanted);
    }

    /** Returns whether another client changed, created or deleted the object between read and write. */
    private boolean isLostRace(RuntimeException e, @Nullable T initial) {
        return e instanceof ApiException refused
                && (refused.isConflict()
                        || (initial != null && current == null && refused.isAlreadyExists())
                        || (initial != null && current != null && refused.isNotFound()));
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
        String attempted = "Cannot write " + name + ": other clients changed it during each of " + attempts
                + " attempts, the last answer was";
        ApiException failure = new ApiException(attempted, last.status(), last.retryAfter(), last.auditId());
        failure.initCause(last);
        return failure;
    }
}
