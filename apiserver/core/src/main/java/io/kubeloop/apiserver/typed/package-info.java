/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Decodes JSON as kube-apiserver does: it checks documents against a type, reports the server's error messages, and
 * returns the stored form.
 *
 * <p>Entry type: {@link io.kubeloop.apiserver.typed.TypedJson}. It is stateless and therefore thread-safe; the other
 * classes decode one document in one thread.
 */
@NullMarked
package io.kubeloop.apiserver.typed;

import org.jspecify.annotations.NullMarked;
