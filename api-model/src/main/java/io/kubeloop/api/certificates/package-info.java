/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Types of the {@code certificates.k8s.io} API group (upstream: {@code k8s.io/api/certificates/v1}).
 *
 * <p>Entry type: {@link io.kubeloop.api.certificates.CertificateSigningRequest}. Absent fields follow the rule of
 * {@link io.kubeloop.api}.
 *
 * <p>Threading: every type is immutable and may be shared freely.
 */
@NullMarked
package io.kubeloop.api.certificates;

import org.jspecify.annotations.NullMarked;
