/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.validatingadmissionpolicystatus;

import io.kubeloop.json.tree.JsonObject;
import java.util.Collection;

/** The kinds of a server and their schemas. Implementations must be thread-safe; the methods can block for requests. */
interface KindSchemas {

    /**
     * Returns the kinds of a resource.
     *
     * @param group the API group; the empty one also stands for every group with this version
     * @param isRefreshed whether the kinds are read from the server again
     */
    Collection<ServedKind> kindsOf(String group, String version, String resource, boolean isRefreshed);

    /** Returns the OpenAPI document of a group version; empty if the server has none. */
    JsonObject document(String group, String version);
}
