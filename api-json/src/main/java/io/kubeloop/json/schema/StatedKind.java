/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.schema;

/**
 * The kind that a document states.
 *
 * @param apiVersion empty if the document does not state it
 * @param kind empty if the document does not state it
 */
public record StatedKind(String apiVersion, String kind) {}
