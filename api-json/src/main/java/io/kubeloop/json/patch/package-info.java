/**
 * The four kinds of patch that an API server accepts, on JSON trees, and the making of merge patches.
 *
 * <p>{@link io.kubeloop.json.patch.Patches} applies any of them to an object; the other types stand alone. Nothing here has
 * state: everything is thread-safe, documents go in and new documents come out.
 */
@NullMarked
package io.kubeloop.json.patch;

import org.jspecify.annotations.NullMarked;
