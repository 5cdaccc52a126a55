/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectIdentity;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Typed access to the objects of one resource. Thread-safe.
 *
 * <p><em>Blocking</em>: every method that sends a request blocks the calling thread. It waits for the transport to
 * admit the request (rate limit, credentials), for a connection, and for the whole response; {@link #watch} waits for
 * the response's headers only. The wait ends at {@link ListOptions#deadline()} for list and watch. All other requests
 * end at the transport's default deadline (one minute for the transports of this project). An interrupt ends the wait
 * with a {@link TransportException} of kind {@code CLOSED}, and the thread stays interrupted. The server may have
 * executed the request nevertheless. Closing the client ends the wait in the same way. {@link #edit}, {@link
 * #editStatus} and {@link #createOrUpdate} also block between two attempts.
 *
 * <p><em>Errors</em>: every method throws {@link ApiException} if the server rejects the request, {@link
 * TransportException} if no complete response arrived, and {@link DecodeException} if the response is malformed. It
 * throws {@link IllegalArgumentException}, before it sends anything, if a required name or namespace is missing.
 *
 * @param <T> the type of the objects
 */
public interface ResourceClient<T extends KubeObject> {

    /** Returns the current object from the server. Blocks. */
    T get(ObjectName name);

    /**
     * Returns a list, or one page of it. Blocks.
     *
     * @param namespace the namespace; empty for all
     */
    KubeList<T> list(String namespace, ListOptions options);

    /**
     * Returns all objects of a list, and requests it page by page. Each call of {@code iterator()} starts a new list.
     * An iterator is not thread-safe; its {@code hasNext()} and {@code next()} block as {@link #list} does when a page
     * ends.
     *
     * <p>The pages together are the state at one resource version. The server keeps it for about five minutes. An
     * iterator that requests the next page later throws an {@link ApiException} for which {@link
     * ApiException#isExpired()} is true. It does not start again by itself, because it would return objects twice; the
     * caller lists again from the start. After other errors the caller may call {@code hasNext()} again; it repeats the
     * request for the same page. A list of {@value EmptyPages#LIMIT} consecutive empty pages fails with a {@link
     * TransportException}.
     *
     * @param namespace the namespace; empty for all
     * @param options selectors and the page size; a {@code limit} of 0 means 500. The {@code deadline} applies to each
     *     page
     */
    default Iterable<T> listAll(String namespace, ListOptions options) {
        return new ObjectPages<>(this, namespace, options);
    }

    /**
     * Opens a watch. Blocks until the server has accepted or rejected it.
     *
     * @param namespace the namespace; empty for all
     */
    WatchStream<T> watch(String namespace, ListOptions options);

    /** Creates the object in the namespace of its metadata, and returns the stored object. Blocks. */
    T create(T object);

    /**
     * Prepares the creation of many objects that differ only in their names, which the server generates from {@code
     * generateName}. The request is encoded once. The request accepts metadata only. Does not block; {@link
     * PreparedCreate#create()} does.
     *
     * <p>The default implementation calls {@link #create}.
     */
    default PreparedCreate prepareCreate(T object) {
        return () -> ObjectIdentity.of(create(object).metadata());
    }

    /**
     * Replaces the object. The server rejects it with a conflict if its resource version is not the current one.
     * Blocks.
     */
    T update(T object);

    /**
     * Reads an object, changes it and updates it. After a conflict it reads and changes the object again, with the
     * attempts and delays of {@link Retry#DEFAULT_EDIT}. Blocks for each request, and for at most 300 ms in all
     * between attempts.
     *
     * @param name the object
     * @param change returns the wanted object; called on this thread, once per attempt, so it must have no side
     *     effects. The resource version of the current object replaces that of the returned one. If the returned object
     *     equals the current one, nothing is sent
     * @return the object as stored
     * @throws ApiException if the object does not exist, if the server rejects it, or with the last conflict after the
     *     last attempt
     * @throws IllegalArgumentException if the change returns null or an object of another name
     */
    default T edit(ObjectName name, UnaryOperator<T> change) {
        return edit(name, change, Retry.DEFAULT_EDIT);
    }

    /** Does what {@link #edit(ObjectName, UnaryOperator)} does, with these attempts and delays. Blocks. */
    default T edit(ObjectName name, UnaryOperator<T> change, Retry retry) {
        return new ReadModifyWrite<>(this, name, change, retry).run(null, this::update);
    }

    /** Does what {@link #edit(ObjectName, UnaryOperator)} does, but writes only the status. Blocks. */
    default T editStatus(ObjectName name, UnaryOperator<T> change) {
        return new ReadModifyWrite<>(this, name, change, Retry.DEFAULT_EDIT).run(null, this::updateStatus);
    }

    /**
     * Creates an object, or changes and updates the existing object of that name. It tries again if the object appears,
     * disappears or changes between read and write. Blocks as {@link #edit(ObjectName, UnaryOperator)} does.
     *
     * @param initial the object to start from if none exists; its metadata has the name and, for namespaced resources,
     *     the namespace
     * @param change returns the wanted object, from {@code initial} or from the existing object; the requirements are
     *     those of {@link #edit(ObjectName, UnaryOperator)}
     * @return the object as stored
     * @throws ApiException if the server rejects the object, or with the last rejection after the last attempt
     * @throws IllegalArgumentException if the change returns null or an object of another name
     */
    default T createOrUpdate(T initial, UnaryOperator<T> change) {
        return createOrUpdate(initial, change, Retry.DEFAULT_EDIT);
    }

    /** Does what {@link #createOrUpdate(KubeObject, UnaryOperator)} does, with these attempts and delays. Blocks. */
    default T createOrUpdate(T initial, UnaryOperator<T> change, Retry retry) {
        return new ReadModifyWrite<>(this, initial.objectName(), change, retry).run(initial, this::update);
    }

    /**
     * Creates the object as {@link #create} does, and returns the stored metadata. The server is asked to return only
     * metadata. Use it when many or large objects are written. Blocks.
     *
     * <p>The default implementation calls {@link #create}.
     */
    default ObjectMeta createForMetadata(T object) {
        return create(object).metadata();
    }

    /**
     * Replaces the object as {@link #update} does, and returns the stored metadata; see {@link #createForMetadata}.
     * Blocks.
     *
     * <p>The default implementation calls {@link #update}.
     */
    default ObjectMeta updateForMetadata(T object) {
        return update(object).metadata();
    }

    /** Replaces only the status of the object. Blocks. */
    T updateStatus(T object);

    /**
     * Replaces a subresource of the object, such as {@code finalize} of a namespace. Blocks.
     *
     * @throws UnsupportedOperationException if this client has no subresources; clients over a transport have them
     */
    default T updateSubresource(T object, String subresource) {
        throw new UnsupportedOperationException("no subresource " + subresource + " of " + object.objectName());
    }

    /**
     * Creates the object or merges its fields into the present one, by server-side apply. The manager owns the fields
     * that the object has; fields that it applied before and that the object lacks are removed. Blocks.
     *
     * <p>Build the object from nothing: an object that was read has fields of other managers, and the server rejects
     * its {@code managedFields}. {@link ApplyPatch} sets single fields, zeros included.
     *
     * @param object what the manager wants, with its name, and its namespace if the resource has one
     * @param fieldManager the name of the program that owns the fields
     * @param force whether it takes over fields of other managers, rather than fail with a conflict
     * @return the object as stored
     * @throws ApiException if the server rejects it, such as with a conflict over fields of other managers
     * @throws UnsupportedOperationException if this client cannot encode objects; clients over a transport can
     */
    default T apply(T object, String fieldManager, boolean force) {
        throw new UnsupportedOperationException("cannot apply " + object.objectName());
    }

    /** Changes the object, and returns the stored object. Blocks. */
    T patch(ObjectName name, Patch patch);

    /** Changes a subresource, such as {@code status}, and returns the stored object. Blocks. */
    T patch(ObjectName name, Patch patch, String subresource);

    /**
     * Deletes the object. An object with finalizers or a grace period remains for a while. Blocks until the server
     * responds.
     */
    void delete(ObjectName name, DeleteOptions options);

    /**
     * Deletes all objects of a collection that match the selectors, as {@link #delete} does. Blocks until the server
     * responds.
     *
     * <p>The default implementation lists the objects, and deletes them one by one.
     *
     * @param namespace the namespace; empty for all
     * @param options the options of each deletion
     * @param selection the selectors; {@link ListOptions#NONE} deletes every object
     */
    default void deleteCollection(String namespace, DeleteOptions options, ListOptions selection) {
        for (T object : listAll(namespace, selection)) {
            delete(object.objectName(), options);
        }
    }

    /**
     * Returns the list and watch calls of this resource in the form that a reflector uses. Does not block.
     *
     * @param namespace the namespace; empty for all
     * @param labelSelector selector text; empty or null for none
     * @param fieldSelector selector text; empty or null for none
     */
    ListerWatcher<T> listerWatcher(String namespace, @Nullable String labelSelector, @Nullable String fieldSelector);
}
