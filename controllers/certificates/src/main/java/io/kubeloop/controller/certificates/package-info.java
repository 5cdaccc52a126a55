/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Three controllers of {@code CertificateSigningRequest} objects: they approve those of kubelets, sign approved ones
 * for the four signers of Kubernetes, and delete old ones. Two more delete old {@code PodCertificateRequest} objects
 * and publish the authorities of the API server as a {@code ClusterTrustBundle}.
 *
 * <p>Entry types: {@link io.kubeloop.controller.certificates.CertificateApprovingController}, {@link
 * io.kubeloop.controller.certificates.CertificateSigningController}, {@link
 * io.kubeloop.controller.certificates.CertificateCleanerController}, {@link
 * io.kubeloop.controller.certificates.PodCertificateCleanerController} and {@link
 * io.kubeloop.controller.certificates.TrustBundlePublisher}. {@link
 * io.kubeloop.controller.certificates.CertificateAuthority} issues certificates, {@code CertificateRequest} reads what
 * is requested, and {@link io.kubeloop.controller.certificates.BuiltInSigner} decides what each signer accepts.
 *
 * <p>Threading: handlers run on the informer's threads, syncs on the workers, with one worker of a controller at a time
 * for a request. They share the queues, which are thread-safe. All other types are immutable.
 */
@NullMarked
package io.kubeloop.controller.certificates;

import org.jspecify.annotations.NullMarked;
