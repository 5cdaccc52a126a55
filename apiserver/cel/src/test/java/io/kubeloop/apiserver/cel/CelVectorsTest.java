/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import io.kubeloop.apiserver.customresources.CustomVectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Compares the answers about expressions in CEL with those of kube-apiserver 1.37.2. */
class CelVectorsTest {

    @TestFactory
    Stream<DynamicTest> definitionIsAnsweredAsByKubeApiServer() {
        return CustomVectors.definitions("/vectors/cel");
    }

    @TestFactory
    Stream<DynamicTest> requestsForObjectsAreAnsweredAsByKubeApiServer() {
        return CustomVectors.objects("/vectors/cel");
    }

    @TestFactory
    Stream<DynamicTest> requestsUnderPoliciesAreAnsweredAsByKubeApiServer() {
        return CustomVectors.policies("/vectors/cel");
    }

    /**
     * The server visits policies in random order. These are its answers when it visits them in the order of their
     * names, as here.
     */
    @TestFactory
    Stream<DynamicTest> requestsUnderSeveralPoliciesAreAnsweredAsByKubeApiServer() {
        return CustomVectors.policies("/vectors/cel/in-order");
    }
}
