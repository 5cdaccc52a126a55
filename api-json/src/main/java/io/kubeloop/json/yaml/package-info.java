/**
 * YAML as Kubernetes' tools read it, into JSON trees, and manifests made of it.
 *
 * <p>Start at {@link io.kubeloop.json.yaml.Manifests}. Scalars mean what they mean to kubectl ({@code 0644} is 420,
 * {@code yes} is true, a date is a string). Everything here is stateless and thread-safe.
 */
@NullMarked
package io.kubeloop.json.yaml;

import org.jspecify.annotations.NullMarked;
