package io.kubeloop.apiserver.cel;

import io.kubeloop.apiserver.customresources.CustomVectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Compares the answers about expressions in CEL with those of kube-apiserver 1.36.3. */
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
}
