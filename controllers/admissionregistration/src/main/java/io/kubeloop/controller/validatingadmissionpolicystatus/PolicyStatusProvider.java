/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.validatingadmissionpolicystatus;

import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerProvider;

/** Creates the controller for a manager. Thread-safe. */
public final class PolicyStatusProvider implements ControllerProvider {

    /** Creates a provider. */
    public PolicyStatusProvider() {}

    @Override
    public String name() {
        return PolicyStatusController.NAME;
    }

    @Override
    public Controller create(ControllerContext context) {
        return PolicyStatusController.of(context);
    }
}
