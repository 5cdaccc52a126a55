/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import io.kubeloop.api.KubeList;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.EmptyPages;
import io.kubeloop.api.client.ListOptionsBuilder;
import io.kubeloop.api.client.ListerWatcher;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists page by page where that is useful, and without a limit where it lets an API server answer from its watch cache.
 * Confined to the reflector thread.
 */
final class PagedList<T> {

    static final long PAGE_SIZE = 500;

    private final ListerWatcher<T> source;
    private final Progress progress;

    /** True after a list at version "0" came in pages, which means that this server has no watch cache. */
    private boolean noWatchCache;

    PagedList(ListerWatcher<T> source, Progress progress) {
        this.source = source;
        this.progress = progress;
    }

    /**
     * A complete list.
     *
     * @param objects the objects of all pages
     * @param resourceVersion the version of the first page
     * @param inPages whether the server sent more than one page, or started to
     */
    record Listed<T>(List<T> objects, String resourceVersion, boolean inPages) {}

    /**
     * Returns a list at least as fresh as the last received version. If the server cannot serve that version, requests
     * the current state at once. Blocks until the server has answered; an interrupt ends the request, if the transport
     * supports it.
     */
    Listed<T> list() {
        String version = "";
        if (!progress.isVersionUnavailable()) {
            String last = progress.lastSyncResourceVersion();
            version = last.isEmpty() ? "0" : last;
        }
        // A limit makes the server read from its storage. Without a limit it answers a request for a particular version
        // from its watch cache.
        boolean anyVersion = version.isEmpty() || version.equals("0");
        long limit = noWatchCache || anyVersion ? PAGE_SIZE : 0;
        Listed<T> listed = pagesOrPresent(version, limit);
        noWatchCache |= version.equals("0") && listed.inPages();
        return listed;
    }

    private Listed<T> pagesOrPresent(String version, long limit) {
        try {
            return pages(version, limit);
        } catch (RuntimeException e) {
            if (!ReflectorDecision.isVersionUnavailable(e)) {
                throw e;
            }
            progress.versionUnavailable();
            return pages("", limit);
        }
    }

    private Listed<T> pages(String version, long limit) {
        progress.listed();
        KubeList<T> page = source.list(ListOptionsBuilder.builder()
                .resourceVersion(version)
                .limit(limit)
                .build());
        String listVersion = page.metadata().resourceVersion();
        if (page.metadata().continueToken().isEmpty()) {
            return new Listed<>(page.items(), listVersion, false);
        }
        List<T> objects = new ArrayList<>(page.items());
        EmptyPages empty = new EmptyPages();
        while (!page.metadata().continueToken().isEmpty()) {
            empty.count(page);
            try {
                page = source.list(ListOptionsBuilder.builder()
                        .limit(limit)
                        .continueToken(page.metadata().continueToken())
                        .build());
            } catch (ApiException e) {
                if (!e.isExpired()) {
                    throw e;
                }
                return whole(version);
            }
            objects.addAll(page.items());
        }
        return new Listed<>(objects, listVersion, true);
    }

    /** Requests the whole list without pages, because the snapshot of the pages has expired. */
    private Listed<T> whole(String version) {
        progress.listed();
        KubeList<T> all = source.list(
                ListOptionsBuilder.builder().resourceVersion(version).build());
        return new Listed<>(all.items(), all.metadata().resourceVersion(), true);
    }
}
