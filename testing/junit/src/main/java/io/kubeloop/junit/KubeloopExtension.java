/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.junit;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.controlplane.Faults;
import io.kubeloop.controlplane.SimulatedClock;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/**
 * The extension behind {@link KubeloopTest}, which registers it. It keeps its control planes in the store of JUnit's
 * context, so one instance serves any number of tests in parallel.
 */
public final class KubeloopExtension
        implements BeforeAllCallback,
                TestInstancePreConstructCallback,
                BeforeEachCallback,
                AfterEachCallback,
                AfterAllCallback,
                ParameterResolver {

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(KubeloopExtension.class);

    private static final Map<Class<?>, Function<TestCluster, Object>> PARTS = parts();

    /** Creates the extension; JUnit calls it. */
    public KubeloopExtension() {}

    private static Map<Class<?>, Function<TestCluster, Object>> parts() {
        Map<Class<?>, Function<TestCluster, Object>> parts = new LinkedHashMap<>();
        parts.put(TestCluster.class, cluster -> cluster);
        parts.put(ControlPlane.class, TestCluster::plane);
        parts.put(KubeClient.class, TestCluster::client);
        parts.put(SharedInformerFactory.class, TestCluster::informers);
        parts.put(SimulatedClock.class, TestCluster::clock);
        parts.put(Faults.class, TestCluster::faults);
        parts.put(URI.class, TestCluster::uri);
        parts.put(TestKubeconfig.class, TestCluster::kubeconfig);
        return parts;
    }

    /** The control planes that one context has started, by their owner: the class or a field. */
    private record Started(Map<Object, TestCluster> clusters) implements AutoCloseable {

        /** Also called by JUnit, at the end of a context whose test class has a constructor that throws. */
        @Override
        public void close() {
            clusters.values().forEach(TestCluster::close);
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        Class<?> type = context.getRequiredTestClass();
        KubeloopTest settings = settings(context);
        Started started = new Started(new LinkedHashMap<>());
        context.getStore(NAMESPACE).put(context.getUniqueId(), started);
        if (settings != null && settings.scope() == KubeloopTest.Scope.CLASS && cluster(context) == null) {
            start(context, started, KubeloopTest.class, settings);
        }
        for (Field field : fields(type, true)) {
            set(context, started, field, null);
        }
    }

    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
        return ExtensionContextScope.TEST_METHOD;
    }

    /** Starts the clock before the fields of the test class are initialized, so a queue in a field follows it. */
    @Override
    public void preConstructTestInstance(TestInstanceFactoryContext factory, ExtensionContext context) {
        if (context.getTestMethod().isPresent()) {
            startForMethod(context);
        }
    }

    /** Returns the objects of the method's control plane, which is started if the method has none. */
    private static Started startForMethod(ExtensionContext context) {
        Started before = context.getStore(NAMESPACE).get(context.getUniqueId(), Started.class);
        if (before != null) {
            return before;
        }
        KubeloopTest settings = settings(context);
        Started started = new Started(new LinkedHashMap<>());
        context.getStore(NAMESPACE).put(context.getUniqueId(), started);
        if (settings != null && settings.scope() == KubeloopTest.Scope.METHOD) {
            start(context, started, KubeloopTest.class, settings);
        }
        return started;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        Started started = startForMethod(context);
        for (Object instance : context.getRequiredTestInstances().getAllInstances()) {
            for (Field field : fields(instance.getClass(), false)) {
                set(context, started, field, instance);
            }
        }
    }

    private static void start(ExtensionContext context, Started started, Object owner, KubeloopTest settings) {
        TestCluster cluster = TestCluster.start(settings, context.getRequiredTestClass());
        started.clusters().put(owner, cluster);
        if (owner == KubeloopTest.class) {
            context.getStore(NAMESPACE).put(KubeloopTest.class, cluster);
        }
    }

    private static void set(ExtensionContext context, Started started, Field field, @Nullable Object instance) {
        if (started.clusters().containsKey(field)) {
            return;
        }
        Function<TestCluster, Object> part = PARTS.get(field.getType());
        if (part == null) {
            throw new ExtensionConfigurationException("a field with @KubeloopTest cannot be of type "
                    + field.getType().getName() + ": " + field);
        }
        KubeloopTest settings = AnnotationSupport.findAnnotation(field, KubeloopTest.class)
                .orElseThrow(() -> new IllegalStateException("a field without @KubeloopTest: " + field));
        start(context, started, field, settings);
        try {
            field.setAccessible(true);
            field.set(instance, part.apply(started.clusters().get(field)));
        } catch (IllegalAccessException | RuntimeException e) {
            throw new ExtensionConfigurationException("cannot set the field " + field + ": " + e.getMessage(), e);
        }
    }

    private static List<Field> fields(Class<?> type, boolean isStatic) {
        return AnnotationSupport.findAnnotatedFields(
                type,
                KubeloopTest.class,
                field -> Modifier.isStatic(field.getModifiers()) == isStatic,
                HierarchyTraversalMode.TOP_DOWN);
    }

    /** Returns the annotation of the test class, or of the class that encloses it; null for none. */
    private static @Nullable KubeloopTest settings(ExtensionContext context) {
        for (Class<?> type = context.getRequiredTestClass(); type != null; type = type.getEnclosingClass()) {
            var found = AnnotationSupport.findAnnotation(type, KubeloopTest.class);
            if (found.isPresent()) {
                return found.get();
            }
        }
        return null;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Started started = context.getStore(NAMESPACE).remove(context.getUniqueId(), Started.class);
        if (context.getExecutionException().isPresent()) {
            report(context, started);
        }
        close(started);
    }

    /** Prints the state of every control plane that the failed test could use. */
    private static void report(ExtensionContext context, @Nullable Started started) {
        Map<Object, TestCluster> all = new LinkedHashMap<>(started == null ? Map.of() : started.clusters());
        for (ExtensionContext outer = context;
                outer != null;
                outer = outer.getParent().orElse(null)) {
            Started shared = outer.getStore(NAMESPACE).get(outer.getUniqueId(), Started.class);
            if (shared != null) {
                shared.clusters().forEach(all::putIfAbsent);
            }
        }
        String test = context.getRequiredTestClass().getSimpleName() + " " + context.getDisplayName();
        all.forEach((owner, cluster) -> System.err.println("Control plane of the failed test " + test + ", at "
                + cluster.clock().now() + "\n"
                + "  faults that met no request: " + cluster.faults().pending() + "\n"
                + cluster.plane().report()));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close(context.getStore(NAMESPACE).remove(context.getUniqueId(), Started.class));
    }

    private static void close(@Nullable Started started) {
        if (started != null) {
            started.close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return PARTS.containsKey(parameter.getParameter().getType()) && settings(context) != null;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        Function<TestCluster, Object> part = PARTS.get(type);
        TestCluster cluster = cluster(context);
        if (cluster == null || part == null) {
            throw new ParameterResolutionException("no control plane has started for the parameter "
                    + parameter.getParameter() + ": @BeforeAll methods need @KubeloopTest(scope = CLASS)");
        }
        return part.apply(cluster);
    }

    private static @Nullable TestCluster cluster(ExtensionContext context) {
        return context.getStore(NAMESPACE).get(KubeloopTest.class, TestCluster.class);
    }
}
