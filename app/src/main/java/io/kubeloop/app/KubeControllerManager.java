/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import io.kubeloop.manager.ControllerTable;
import java.util.stream.Stream;

/**
 * The command {@code controller-manager} as a program of its own, with the command line of kube-controller-manager. The
 * container image has it under that name, so a manifest of a static pod needs another image and nothing else.
 */
public final class KubeControllerManager {

    private KubeControllerManager() {}

    /** Runs the command and exits with its code; wrong usage has the code 1, as in the original. */
    public static void main(String[] args) {
        Main.start(
                ControllerTable.BUILT_IN,
                1,
                Stream.concat(Stream.of("controller-manager"), Stream.of(args)).toArray(String[]::new));
    }
}
