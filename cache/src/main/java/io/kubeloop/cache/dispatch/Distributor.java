/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.dispatch;

import io.kubeloop.api.KubeObject;

/** Receives what the processing thread has committed to the store, for the handlers. Processing thread only. */
public interface Distributor<T extends KubeObject> {

    /** Adds the changes of one commit to every backlog. A listener whose replay includes the commit skips them. */
    void distribute(Notification.Batch<T> changes);

    /** Passes the cached objects on again to the handlers that are due. */
    void resync();

    /** Notifies every handler that the first list is complete. */
    void synced();
}
