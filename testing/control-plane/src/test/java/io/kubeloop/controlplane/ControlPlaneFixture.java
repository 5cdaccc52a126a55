/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import io.kubeloop.api.client.Transport;
import io.kubeloop.transport.memory.ServerFixture;
import java.util.Random;

/** A new control plane for each test, with a fixed clock and reproducible names. */
abstract class ControlPlaneFixture extends ServerFixture {

    private ControlPlane plane;

    @Override
    protected Transport open() {
        ControlPlane.Builder builder = ControlPlane.builder();
        builder.server().clock(clock).random(new Random(1));
        plane = builder.start();
        return plane.transport();
    }

    @Override
    protected void stopServer() {
        plane.close();
    }
}
