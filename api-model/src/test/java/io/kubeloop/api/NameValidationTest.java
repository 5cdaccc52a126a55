/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.testing.Vectors;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class NameValidationTest {

    @TestFactory
    Stream<DynamicTest> vectors() {
        return Vectors.tests(NameValidationTest.class, "name-validation", vector -> {
            int repeat = ((BigDecimal) vector.input().getOrDefault("repeat", BigDecimal.ONE)).intValueExact();
            String name = ((String) vector.input().get("value")).repeat(repeat);
            List<String> errors = validate((String) vector.input().get("kind"), name);
            assertThat(errors.isEmpty())
                    .as("%s", errors)
                    .isEqualTo(vector.expected().get("valid"));
        });
    }

    private static List<String> validate(String kind, String name) {
        return switch (kind) {
            case "qualifiedName" -> NameValidation.qualifiedName(name);
            case "labelValue" -> NameValidation.labelValue(name);
            case "dns1123Label" -> NameValidation.dns1123Label(name);
            case "dns1123Subdomain", "podName" -> NameValidation.dns1123Subdomain(name);
            case "podNamePrefix" -> NameValidation.dns1123SubdomainPrefix(name);
            case "dns1035Label", "serviceName" -> NameValidation.dns1035Label(name);
            case "portName" -> NameValidation.portName(name);
            case "ip" -> NameValidation.ip(name);
            case "configMapKey" -> NameValidation.configMapKey(name);
            default -> throw new IllegalArgumentException("unknown kind of name: " + kind);
        };
    }

    @Test
    void dns1123SubdomainPrefix_anyAsciiBeforeTheDash_isNotLookedAt() {
        assertThat(NameValidation.dns1123SubdomainPrefix("web_-")).isEmpty();
        assertThat(NameValidation.dns1123SubdomainPrefix("web\u00e9-")).hasSize(1);
        assertThat(NameValidation.dns1123SubdomainPrefix("-")).hasSize(1);
    }

    @Test
    void dns1123Subdomain_manyParts_noDeepRecursion() {
        assertThat(NameValidation.dns1123Subdomain("a.".repeat(100_000) + "a")).hasSize(1);
    }
}
