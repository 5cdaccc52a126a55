/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ForwardingApiStreamTest {

    private static final Map<Class<?>, Object> RESULTS = Map.of(
            int.class,
            410,
            Map.class,
            Map.of("warning", List.of("a")),
            byte[].class,
            new byte[] {1},
            ByteBuffer.class,
            ByteBuffer.wrap(new byte[] {2}));

    private static @Nullable Object result(Class<?> type) {
        assertThat(type == void.class || RESULTS.containsKey(type))
                .as("RESULTS has one for %s", type)
                .isTrue();
        return RESULTS.get(type);
    }

    /** Calls each method of the interface, so a new method with a default fails here until it is forwarded. */
    @TestFactory
    Stream<DynamicTest> everyMethod_isForwarded() {
        return Stream.of(ApiStream.class.getMethods())
                .map(method -> DynamicTest.dynamicTest(method.getName(), () -> {
                    List<Method> called = new ArrayList<>();
                    ApiStream other = (ApiStream) Proxy.newProxyInstance(
                            ApiStream.class.getClassLoader(),
                            new Class<?>[] {ApiStream.class},
                            (proxy, calledMethod, arguments) -> {
                                called.add(calledMethod);
                                return result(calledMethod.getReturnType());
                            });
                    Object returned = method.invoke(new ForwardingApiStream(other) {});
                    assertThat(called).extracting(Method::getName).containsExactly(method.getName());
                    assertThat(returned)
                            .isSameAs(method.getReturnType() == int.class ? returned : result(method.getReturnType()));
                }));
    }
}
