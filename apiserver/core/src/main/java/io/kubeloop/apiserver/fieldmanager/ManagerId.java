/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.fieldmanager;

import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonObject;

/**
 * The identity of an entry of {@code managedFields}. A manager has one entry for its applies, and one for its updates
 * through each version, in both cases separate for each subresource.
 *
 * @param manager the name of the manager
 * @param operation whether the manager applies or updates
 * @param apiVersion the version of the updates; empty for applies
 * @param subresource the subresource through which the manager writes; empty for the object itself
 */
record ManagerId(String manager, Operation operation, String apiVersion, String subresource)
        implements Comparable<ManagerId> {

    /** The kind of writes of an entry: applies or updates. */
    enum Operation {
        /** Server-side apply. */
        APPLY("Apply"),
        /** Everything else: create, update and the other patches. */
        UPDATE("Update");

        private final String text;

        Operation(String text) {
            this.text = text;
        }

        /** Returns the name in {@code managedFields}. */
        String text() {
            return text;
        }
    }

    static ManagerId applier(String manager, String subresource) {
        return new ManagerId(manager, Operation.APPLY, "", subresource);
    }

    static ManagerId updater(String manager, String apiVersion, String subresource) {
        return new ManagerId(manager, Operation.UPDATE, apiVersion, subresource);
    }

    boolean isApplier() {
        return operation == Operation.APPLY;
    }

    /** Returns the description in conflict messages. */
    String describe() {
        String text = GoText.quoted(manager);
        if (!subresource.isEmpty()) {
            text += " with subresource " + GoText.quoted(subresource);
        }
        return isApplier() ? text : text + " using " + apiVersion;
    }

    /** Orders by the JSON form, as upstream does. */
    @Override
    public int compareTo(ManagerId other) {
        return equals(other) ? 0 : ValueOrder.compareText(json(), other.json());
    }

    private String json() {
        JsonObject.Builder members = JsonObject.builder();
        if (!manager.isEmpty()) {
            members.put("manager", manager);
        }
        members.put("operation", operation.text());
        if (!apiVersion.isEmpty()) {
            members.put("apiVersion", apiVersion);
        }
        if (!subresource.isEmpty()) {
            members.put("subresource", subresource);
        }
        return members.build().toString();
    }
}
