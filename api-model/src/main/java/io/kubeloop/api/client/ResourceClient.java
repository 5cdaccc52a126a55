package io.kubeloop.api.client;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectIdentity;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Typed access to one resource. Every call blocks. Thread-safe.
 *
 * <p>Every method throws {@link ApiException} if the server refuses, {@link TransportException} if no answer came, and
 * {@link DecodeException} if the answer makes no sense; and {@link IllegalArgumentException}, before anything is sent, if a name or
 * a namespace is missing that the resource needs.
 *
 * @param <T> the type of the objects
 */
public interface ResourceClient<T extends KubeObject> {

    /** Returns the object as the server has it now. */
    T get(ObjectName name);

    /**
     * Returns a list, or one page of it.
     *
     * @param namespace the namespace; empty for all
     */
    KubeList<T> list(String namespace, ListOptions options);

    /**
     * Opens a watch.
     *
     * @param namespace the namespace; empty for all
     */
    WatchStream<T> watch(String namespace, ListOptions options);

    /** Creates the object in the namespace of its metadata, and returns it as stored. */
    T create(T object);

    /**
     * Prepares to create many objects that differ in nothing but the name, which the server makes from their
     * {@code generateName}. What is said to each of them is worked out once, and the server is asked to leave out of its
     * answer what it would only repeat.
     *
     * <p>This implementation calls {@link #create}.
     */
    default Creation prepareCreate(T object) {
        return () -> ObjectIdentity.of(create(object).metadata());
    }

    /** Replaces the object; refused with a conflict if its resource version is not the current one. */
    T update(T object);

    /**
     * Creates the object as {@link #create} does, and returns its metadata as stored. The server is asked to leave out of its answer the
     * rest, which mostly repeats what was sent: for those who write objects that are many or large.
     *
     * <p>This implementation calls {@link #create}.
     */
    default ObjectMeta createForMetadata(T object) {
        return create(object).metadata();
    }

    /**
     * Replaces the object as {@link #update} does, and returns its metadata as stored; see {@link #createForMetadata}.
     *
     * <p>This implementation calls {@link #update}.
     */
    default ObjectMeta updateForMetadata(T object) {
        return update(object).metadata();
    }

    /** Replaces the object's status alone. */
    T updateStatus(T object);

    /** Changes the object, and returns it as stored. */
    T patch(ObjectName name, Patch patch);

    /** Changes a subresource, such as {@code status}, and returns the object as stored. */
    T patch(ObjectName name, Patch patch, String subresource);

    /** Deletes the object. A terminating object may remain for a while. */
    void delete(ObjectName name, DeleteOptions options);

    /**
     * Returns what a reflector needs.
     *
     * @param namespace the namespace; empty for all
     * @param labelSelector selector text; empty or null for none
     * @param fieldSelector selector text; empty or null for none
     */
    ListerWatcher<T> listerWatcher(String namespace, @Nullable String labelSelector, @Nullable String fieldSelector);
}
