/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import io.kubeloop.api.client.Transport;
import io.kubeloop.transport.memory.ServerFixture;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;

/** A new control plane for each test, with a fixed clock and reproducible names. */
abstract class ControlPlaneFixture extends ServerFixture {

    private ControlPlane plane;

    @Override
    protected Transport open() {
        ControlPlane.Builder builder = ControlPlane.builder();
        builder.server().clock(clock).random(new Random(1));
        plane = configure(builder).start();
        return plane.transport();
    }

    ControlPlane.Builder configure(ControlPlane.Builder builder) {
        return builder;
    }

    @AfterEach
    @Override
    protected void stopServer() {
        plane.close();
    }
}
