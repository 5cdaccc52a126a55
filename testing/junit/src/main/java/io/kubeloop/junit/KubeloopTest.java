/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Starts a control plane in the process of a test: API server, controllers and a simulated kubelet, without binaries,
 * containers or a network.
 *
 * <pre>{@code
 * @KubeloopTest(manifests = "crds/shop.yaml")
 * class ShopOperatorTest {
 *
 *     @Test
 *     void createsPods(KubeClient client, SimulatedClock clock) {
 *         client.resource(PODS).create(pod);
 *         clock.awaitQuiet();
 *         assertThat(client.resource(PODS).get(name).status().phase()).isEqualTo("Running");
 *     }
 * }
 * }</pre>
 *
 * <p><b>On a class</b>, methods and constructors can have parameters of these types, in any order:
 *
 * <ul>
 *   <li>{@code KubeClient}: a client without a socket;
 *   <li>{@code SharedInformerFactory}: informers of that client, which the test starts;
 *   <li>{@code ControlPlane}: the control plane itself; {@code TestCluster}: everything in this list;
 *   <li>{@code SimulatedClock}: moves the time, and waits until nothing is under way;
 *   <li>{@code Faults}: failures to inject;
 *   <li>{@code java.net.URI} and {@code TestKubeconfig}: for clients of other libraries. An HTTP port is opened for
 *       them, and only for them.
 * </ul>
 *
 * <p>{@code @BeforeAll} and {@code @AfterAll} methods have parameters with {@link Scope#CLASS} only, and so has the
 * constructor of a class of which JUnit makes one instance for all methods. Nested classes use the control plane of the
 * enclosing class.
 *
 * <p><b>On a field</b> of one of these types, the field has a control plane of its own: a static field for the class,
 * another for each method. A test of two clusters has two fields.
 *
 * <p>Everything is closed after the method or the class. After a failed test, objects, events and requests are printed
 * to standard error.
 *
 * <p>Tests can run in parallel: no control plane shares state, ports or files with another.
 */
@Target({ElementType.TYPE, ElementType.FIELD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@ExtendWith(KubeloopExtension.class)
public @interface KubeloopTest {

    /** The life of a control plane. */
    enum Scope {
        /** Each test method has its own. */
        METHOD,
        /** The methods of a class share one. */
        CLASS
    }

    /** The treatment of unknown fields in writes, unless the client selects another. */
    enum FieldValidation {
        /** Rejects them with 400, as {@code kubectl} requests. */
        STRICT("Strict"),
        /** Drops the fields and sends a warning: the default of Kubernetes. */
        WARN("Warn"),
        /** Drops the fields. */
        IGNORE("Ignore");

        private final String parameter;

        FieldValidation(String parameter) {
            this.parameter = parameter;
        }

        String parameter() {
            return parameter;
        }
    }

    /** Returns how long a control plane lives. Fields ignore it. Default: one test method. */
    Scope scope() default Scope.METHOD;

    /**
     * Returns the manifests to apply at the start, in this order, as resources of the class path such as {@code
     * crds/shop.yaml}. Each may hold several documents. Default: none.
     */
    String[] manifests() default {};

    /**
     * Returns the number of simulated nodes, 0 to 100. Their kubelet binds pods and reports them as running and ready.
     * With 0, pods stay pending, as with envtest. Default: 1.
     */
    int nodes() default 1;

    /**
     * An entry of {@link #controllers} that leaves out every controller without an entry of its own; alone, it leaves
     * out all, as with envtest.
     */
    String NO_CONTROLLERS = "-*";

    /**
     * Returns the controllers that run beside those that every server needs: garbage collection, deletion of
     * namespaces, quotas and service accounts. The entries mean the same as those of {@link
     * io.kubeloop.controlplane.ControlPlane.Builder#controllers(java.util.List)}: upstream's names, such as {@code
     * deployment-controller}, {@code *} for all that kube-controller-manager runs by default, {@code -name} for one
     * that does not run, or {@code -*} for none but the named ones. Default: no others.
     */
    String[] controllers() default {};

    /** Returns the treatment of unknown fields in writes. Default: {@link FieldValidation#STRICT}. */
    FieldValidation fieldValidation() default FieldValidation.STRICT;

    /**
     * Returns whether time stands still until the test moves it. Default: false, and time passes as in a cluster;
     * {@code SimulatedClock.advance} moves it ahead.
     */
    boolean frozen() default false;

    /** Returns whether the HTTP port speaks TLS. The kubeconfig has the certificate. Default: false. */
    boolean tls() default false;
}
