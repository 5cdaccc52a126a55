/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.KubeObject;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a list, requested page by page; see {@link ResourceClient#listAll}. Thread-safe; its iterators are
 * not.
 */
record ObjectPages<T extends KubeObject>(ResourceClient<T> client, String namespace, ListOptions options)
        implements Iterable<T> {

    private static final long DEFAULT_LIMIT = 500;

    @Override
    public Iterator<T> iterator() {
        ListOptions first = options.limit() == 0
                ? ListOptionsBuilder.builder(options).limit(DEFAULT_LIMIT).build()
                : options;
        return new Iterator<>() {
            private Iterator<T> page = Collections.emptyIterator();
            private @Nullable ListOptions next = first;
            private final EmptyPages empty = new EmptyPages();
            private int pages;

            @Override
            public boolean hasNext() {
                // A page may be empty although another one follows: the server applies the selectors after it has
                // filled the page.
                while (!page.hasNext() && next != null) {
                    KubeList<T> list = request(next, pages + 1);
                    pages++;
                    page = list.items().iterator();
                    String token = list.metadata().continueToken();
                    next = token.isEmpty() ? null : after(token);
                    empty.count(list);
                }
                return page.hasNext();
            }

            @Override
            public T next() {
                if (!hasNext()) {
                    throw new NoSuchElementException("the list has no more objects");
                }
                return page.next();
            }
        };
    }

    /**
     * The continue token contains the version of the first page. A server rejects a request that has a token and a
     * version.
     */
    private ListOptions after(String token) {
        return ListOptionsBuilder.builder(options)
                .limit(options.limit() == 0 ? DEFAULT_LIMIT : options.limit())
                .continueToken(token)
                .resourceVersion("")
                .resourceVersionMatch("")
                .build();
    }

    private KubeList<T> request(ListOptions page, int number) {
        try {
            return client.list(namespace, page);
        } catch (ApiException e) {
            if (page.continueToken().isEmpty() || !(e.isExpired() || e.isGone())) {
                throw e;
            }
            ApiException expired = new ApiException(
                    "Cannot continue a list at page " + number
                            + ": the continue token has expired; list again from the start, or use a larger limit",
                    e.status(),
                    e.retryAfter(),
                    e.auditId());
            expired.initCause(e);
            throw expired;
        }
    }
}
