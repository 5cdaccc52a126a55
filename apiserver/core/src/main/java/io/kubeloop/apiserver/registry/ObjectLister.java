/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.api.ResourceType;
import io.kubeloop.apiserver.registry.request.ContinueToken;
import io.kubeloop.apiserver.registry.request.ListParameters;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.storage.ExpiredException;
import io.kubeloop.apiserver.storage.PersistentSortedMap;
import io.kubeloop.apiserver.storage.Snapshot;
import io.kubeloop.apiserver.storage.Storage;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lists objects in one or more pages, at the current or at an earlier version (upstream: {@code
 * storage/etcd3/store.go} {@code GetList}, and the API concepts of {@code resourceVersion} and {@code
 * resourceVersionMatch}).
 *
 * <p>All pages of a list show the version of the first page. Thread-safe; takes no lock except that of an event
 * log, to find an earlier state.
 */
final class ObjectLister {

    /** The largest number of objects that one request to a conversion webhook contains. */
    private static final int LARGEST_REVIEW = 500;

    private final Storage storage;

    ObjectLister(Storage storage) {
        this.storage = storage;
    }

    /**
     * One page of a list.
     *
     * @param revision the version of the list
     * @param objects the objects
     * @param continueToken the token of the next page; empty if this is the last page
     * @param remaining the number of objects after this page; null if the selectors would have to be evaluated to
     *     count them
     */
    private record Page(
            long revision,
            List<StoredObject> objects,
            String continueToken,
            @Nullable Long remaining) {}

    /** The state to list, and the first key to return. */
    private record Source(long revision, PersistentSortedMap<StoredObject> state, String from) {}

    ServerResponse list(ResourceStore store, String namespace, Selection selection, ListParameters parameters) {
        return each(store, namespace, selection, parameters, object -> {});
    }

    /**
     * Lists objects, and applies an action to each of them before it returns the list.
     *
     * @param action receives every listed object; an exception ends the list
     */
    ServerResponse each(
            ResourceStore store,
            String namespace,
            Selection selection,
            ListParameters parameters,
            Consumer<StoredObject> action) {
        Page page = page(store, namespace, selection, parameters, source(store, namespace, parameters));
        page.objects().forEach(action);
        return encode(store, page);
    }

    private Source source(ResourceStore store, String namespace, ListParameters parameters) {
        Snapshot now = storage.snapshot();
        String first = store.firstKey(namespace);
        if (!parameters.continueToken().isEmpty()) {
            return continued(store, first, parameters, now);
        }
        long revision = parameters.revision();
        if (revision > now.revision()) {
            throw StatusException.tooLargeResourceVersion(revision, now.revision());
        }
        boolean exact = parameters.match().equals(ListParameters.EXACT)
                || (parameters.match().isEmpty() && parameters.limit() > 0 && revision > 0);
        if (!exact) {
            return new Source(now.revision(), now.of(store.bucket()), first);
        }
        try {
            return new Source(revision, storage.stateAt(store.bucket(), revision), first);
        } catch (ExpiredException e) {
            throw StatusException.expired("The resourceVersion for the provided list is too old.");
        }
    }

    private Source continued(ResourceStore store, String first, ListParameters parameters, Snapshot now) {
        if (parameters.revision() != 0) {
            throw StatusException.badRequest("specifying resource version is not allowed when using continue");
        }
        ContinueToken token = ContinueToken.decode(parameters.continueToken());
        String from = token.nextKey().compareTo(first) > 0 ? token.nextKey() : first;
        if (token.revision() > now.revision()) {
            throw StatusException.tooLargeResourceVersion(token.revision(), now.revision());
        }
        if (token.revision() < 0) {
            return new Source(now.revision(), now.of(store.bucket()), from);
        }
        try {
            return new Source(token.revision(), storage.stateAt(store.bucket(), token.revision()), from);
        } catch (ExpiredException e) {
            throw StatusException.expiredContinue(new ContinueToken(-1, token.nextKey()).encode());
        }
    }

    private static Page page(
            ResourceStore store, String namespace, Selection selection, ListParameters parameters, Source source) {
        String until = store.endKey(namespace);
        // Upstream serves a list at "any" version from the watch cache, which has no pages.
        long limit = parameters.resourceVersion().equals("0") ? 0 : parameters.limit();
        List<StoredObject> objects = new ArrayList<>();
        Iterator<StoredObject> range = reading(store, source.state().range(source.from(), until), limit);
        while (range.hasNext()) {
            StoredObject object = range.next();
            if (!selection.test(object)) {
                continue;
            }
            objects.add(object);
            if (objects.size() == limit && range.hasNext()) {
                String token =
                        ContinueToken.after(source.revision(), object.key()).encode();
                Long remaining = selection.isEmpty() ? (Long) remaining(source.state(), object.key(), until) : null;
                return new Page(source.revision(), objects, token, remaining);
            }
        }
        return new Page(source.revision(), objects, "", null);
    }

    /** Returns the objects as they are served; a webhook converts several of them in one request. */
    private static Iterator<StoredObject> reading(ResourceStore store, Iterator<StoredObject> stored, long limit) {
        return store.isConvertedByWebhook()
                ? new ChunkedReader(store, stored, limit > 0 && limit < LARGEST_REVIEW ? (int) limit : LARGEST_REVIEW)
                : stored;
    }

    /** Converts the next chunk when the last one is exhausted. Confined to the thread of the list. */
    private static final class ChunkedReader implements Iterator<StoredObject> {

        private final ResourceStore store;
        private final Iterator<StoredObject> stored;
        private final int size;
        private Iterator<StoredObject> chunk = Collections.emptyIterator();

        ChunkedReader(ResourceStore store, Iterator<StoredObject> stored, int size) {
            this.store = store;
            this.stored = stored;
            this.size = size;
        }

        @Override
        public boolean hasNext() {
            return chunk.hasNext() || stored.hasNext();
        }

        @Override
        public StoredObject next() {
            if (!chunk.hasNext()) {
                List<StoredObject> next = new ArrayList<>();
                while (next.size() < size && stored.hasNext()) {
                    next.add(stored.next());
                }
                chunk = store.readKept(next).iterator();
            }
            return chunk.next();
        }
    }

    private static long remaining(PersistentSortedMap<StoredObject> state, String lastKey, @Nullable String until) {
        int end = until == null ? state.size() : state.rank(until);
        return end - state.rank(lastKey) - 1L;
    }

    private static ServerResponse encode(ResourceStore store, Page page) {
        JsonObject metadata = JsonObject.EMPTY.with("resourceVersion", Long.toString(page.revision()));
        if (!page.continueToken().isEmpty() || store.strategy().listsTypes()) {
            metadata = metadata.with("continue", page.continueToken());
        }
        if (page.remaining() != null) {
            metadata = metadata.with("remainingItemCount", page.remaining());
        }
        return encode(store, metadata, page.objects());
    }

    /** Returns a list document that joins the stored bytes of the objects. */
    private static ServerResponse encode(ResourceStore store, JsonObject metadata, List<StoredObject> objects) {
        ResourceType<?> type = store.resource().type();
        String head = "{\"kind\":\"" + type.kind() + "List\",\"apiVersion\":\"" + type.apiVersion() + "\",\"metadata\":"
                + metadata + ",\"items\":[";
        // Every stored object starts with its kind and apiVersion; as upstream, list elements of built-in kinds omit
        // both.
        int kindLength = store.strategy().listsTypes()
                ? "{".length()
                : "{\"kind\":\"\",\"apiVersion\":\"\",".length()
                        + type.kind().length()
                        + type.apiVersion().length();
        List<ByteBuffer> pieces = new ListPieces(head.getBytes(StandardCharsets.UTF_8), objects, object -> {
            byte[] json = store.listedJson(object);
            return ByteBuffer.wrap(json, kindLength, json.length - kindLength);
        });
        return new ServerResponse.Document(200, pieces, 0, List.of());
    }
}
