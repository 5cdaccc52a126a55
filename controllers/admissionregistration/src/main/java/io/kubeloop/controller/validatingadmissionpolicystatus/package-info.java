/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller that checks the expressions of ValidatingAdmissionPolicies against the types of the objects (upstream:
 * {@code pkg/controller/validatingadmissionpolicystatus} and {@code plugin/policy/validating/typechecking.go}).
 *
 * <p>Entry type: {@link io.kubeloop.controller.validatingadmissionpolicystatus.PolicyStatusController}.
 *
 * <p>Threading: the handler runs on the informer's thread, syncs on the workers. They share the queue and the catalog
 * of served kinds, which is immutable.
 */
@NullMarked
package io.kubeloop.controller.validatingadmissionpolicystatus;

import org.jspecify.annotations.NullMarked;
