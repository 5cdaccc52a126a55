/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Three controllers that prepare namespaces for pods: the account {@code default}, the config map with the CA bundle,
 * and secrets with tokens. A fourth removes the token secrets of old releases.
 *
 * <p>Entry types: {@link io.kubeloop.controller.serviceaccount.ServiceAccountController}, {@link
 * io.kubeloop.controller.serviceaccount.RootCaPublisher}, {@link
 * io.kubeloop.controller.serviceaccount.ServiceAccountTokenController} and {@link
 * io.kubeloop.controller.serviceaccount.LegacyTokenCleanerController}. {@code TokenSecrets} syncs one secret or
 * account, and {@code LegacyTokenSigner} signs its token.
 *
 * <p>Threading: handlers run on the informers' threads, syncs on the workers, with one worker at a time for a key. They
 * share the queues, which are thread-safe. All other types are immutable.
 */
@NullMarked
package io.kubeloop.controller.serviceaccount;

import org.jspecify.annotations.NullMarked;
