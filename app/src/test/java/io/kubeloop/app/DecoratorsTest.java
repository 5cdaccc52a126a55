/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A class that decorates an interface of this project passes on every call: one that keeps a default method, which
 * does nothing, hides that method of what it decorates.
 */
class DecoratorsTest {

    /** A view is no decorator: its changes are those of another object, and it tracks them itself. */
    private static final String VIEW = "io.kubeloop.apiserver.registry.ScaleView$1";

    private static boolean isDefault(JavaMethod method) {
        return !method.getModifiers().contains(JavaModifier.ABSTRACT)
                && !method.getModifiers().contains(JavaModifier.STATIC)
                && !method.getModifiers().contains(JavaModifier.PRIVATE)
                && !method.getModifiers().contains(JavaModifier.SYNTHETIC);
    }

    /**
     * A default method that calls another method of its interface reaches what is decorated by that, as does one that
     * is only called by another default method, and one that returns a further decorator.
     */
    private static boolean isPassedOn(JavaMethod method) {
        return method.getRawReturnType().equals(method.getOwner())
                || Stream.concat(
                                method.getMethodCallsFromSelf().stream(),
                                method.getCallsOfSelf().stream()
                                        .filter(call -> call.getOriginOwner().equals(method.getOwner())))
                        .anyMatch(call -> call.getTargetOwner().equals(method.getOwner()));
    }

    private static boolean overrides(JavaClass type, JavaMethod method) {
        return type.getAllMethods().stream()
                .anyMatch(own -> own.getName().equals(method.getName())
                        && own.getRawParameterTypes().size()
                                == method.getRawParameterTypes().size()
                        && !own.getOwner().equals(method.getOwner()));
    }

    private static List<String> hidden(JavaClass type, JavaClass contract) {
        return contract.getMethods().stream()
                .filter(method -> isDefault(method) && !isPassedOn(method) && !overrides(type, method))
                .map(method -> type.getName() + " hides " + contract.getSimpleName() + "." + method.getName())
                .toList();
    }

    @Test
    void decorators_passOnEveryMethod() {
        JavaClasses classes = ArchitectureTest.CLASSES;
        List<String> found = new ArrayList<>();
        int decorators = 0;
        for (JavaClass type : classes) {
            if (type.isInterface() || type.getName().equals(VIEW)) {
                continue;
            }
            for (JavaClass contract : type.getAllRawInterfaces()) {
                if (contract.getName().startsWith("io.kubeloop.")
                        && type.getFields().stream()
                                .anyMatch(field -> field.getRawType().equals(contract)
                                        && !field.getModifiers().contains(JavaModifier.STATIC))) {
                    decorators++;
                    found.addAll(hidden(type, contract));
                }
            }
        }
        assertThat(decorators).isGreaterThan(10);
        assertThat(found).isEmpty();
    }
}
