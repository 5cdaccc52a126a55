/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.rest;

import java.util.Arrays;
import java.util.List;

/**
 * The fields of an object that its scale subresource shows (upstream: {@code CustomResourceSubresourceScale}).
 * Immutable.
 *
 * @param specReplicas the path of the desired replicas
 * @param statusReplicas the path of the observed replicas
 * @param selector the path of the label selector, which is a string; empty for none
 */
public record ScalePaths(List<String> specReplicas, List<String> statusReplicas, List<String> selector) {

    /** Copies the paths. */
    public ScalePaths {
        specReplicas = List.copyOf(specReplicas);
        statusReplicas = List.copyOf(statusReplicas);
        selector = List.copyOf(selector);
    }

    /** Reads paths such as {@code .spec.replicas}. */
    public static ScalePaths of(String specReplicas, String statusReplicas, String selector) {
        return new ScalePaths(path(specReplicas), path(statusReplicas), path(selector));
    }

    private static List<String> path(String text) {
        String path = text.startsWith(".") ? text.substring(1) : text;
        return path.isEmpty() ? List.of() : Arrays.asList(path.split("\\.", -1));
    }
}
