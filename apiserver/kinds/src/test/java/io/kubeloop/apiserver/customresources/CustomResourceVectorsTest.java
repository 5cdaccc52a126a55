/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Compares the answers about definitions and custom objects with those of kube-apiserver 1.37.2. */
class CustomResourceVectorsTest {

    @TestFactory
    Stream<DynamicTest> definitionIsAnsweredAsByKubeApiServer() {
        return CustomVectors.definitions("/vectors/custom");
    }

    @TestFactory
    Stream<DynamicTest> requestsForObjectsAreAnsweredAsByKubeApiServer() {
        return CustomVectors.objects("/vectors/custom");
    }
}
