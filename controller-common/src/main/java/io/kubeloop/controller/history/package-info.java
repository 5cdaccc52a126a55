/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The revision history of owners: each template that an owner had is kept as a ControllerRevision (upstream: {@code
 * pkg/controller/history}).
 *
 * <p>Entry type: {@link io.kubeloop.controller.history.RevisionHistory}. {@link
 * io.kubeloop.controller.history.RevisionData} computes what a revision contains, and its hash. {@link
 * io.kubeloop.controller.history.PodTemplateHash} is the hash in the names of a Deployment's ReplicaSets.
 *
 * <p>Threading: a history is thread-safe for different owners; everything else is stateless.
 */
@NullMarked
package io.kubeloop.controller.history;

import org.jspecify.annotations.NullMarked;
