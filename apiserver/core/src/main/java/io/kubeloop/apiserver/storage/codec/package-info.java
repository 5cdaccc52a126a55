/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The forms of an object: as a client sends it, as it is stored, and as each version serves it (upstream: {@code
 * apimachinery/pkg/runtime}).
 *
 * <p>{@link io.kubeloop.apiserver.storage.codec.StorageForm} names the stored form of a served version. Every
 * implementation of these interfaces must be thread-safe.
 */
@NullMarked
package io.kubeloop.apiserver.storage.codec;

import org.jspecify.annotations.NullMarked;
