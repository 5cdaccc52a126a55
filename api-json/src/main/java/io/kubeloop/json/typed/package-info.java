/**
 * JSON as kube-apiserver decodes it: checked against a type, with its error messages and in the form in which it is stored.
 *
 * <p>Entry type: {@link io.kubeloop.json.typed.TypedJson}. It is stateless and so thread-safe; the other classes decode one
 * document in one thread.
 */
@NullMarked
package io.kubeloop.json.typed;

import org.jspecify.annotations.NullMarked;
