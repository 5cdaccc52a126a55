/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.apiserver.access.AccessRequest;
import io.kubeloop.apiserver.rest.UserInfo;
import io.kubeloop.json.tree.JsonObject;

/** Decides about connections to objects; usually the admission of the API server. Must be thread-safe. */
@FunctionalInterface
interface Connections {

    /**
     * Returns if the connection is admitted. Waits for webhooks.
     *
     * @param options what the client wants, such as {@code PodExecOptions}
     * @throws io.kubeloop.apiserver.rest.StatusException if it is not
     */
    void admit(UserInfo user, AccessRequest.Target target, JsonObject options);
}
