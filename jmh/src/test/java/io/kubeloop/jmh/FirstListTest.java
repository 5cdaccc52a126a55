/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.jmh.canned.CannedApiServer;
import io.kubeloop.jmh.contender.KubeloopInformer;
import io.kubeloop.jmh.contender.PodInformer;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.OwnJvm;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The cost of the first list of a process that does not depend on the machine: the classes that it loads and makes. */
class FirstListTest {

    private static final int PODS = 100;

    /** The measured number and 10 %: 834 with JDK 17; up to 947, and not always the same, with JDK 25. */
    private static final long MOST_CLASSES = Runtime.version().feature() < 21 ? 920 : 1_040;

    /** Lists the pods of a server, and ends. */
    static final class Program {

        private Program() {}

        /** Takes the server's URL. */
        public static void main(String[] arguments) throws InterruptedException {
            CountDownLatch added = new CountDownLatch(PODS);
            PodInformer informer = new KubeloopInformer(
                    arguments[0], JsonCodec.standard(), ResourceTypes.PODS, new PodInformer.Listener() {
                        @Override
                        public void added() {
                            added.countDown();
                        }

                        @Override
                        public void updated() {}
                    });
            informer.start();
            added.await();
            informer.close();
        }
    }

    @Test
    void classesOfAFirstList_areBounded() throws Exception {
        try (CannedApiServer server = new CannedApiServer(PODS)) {
            long classes = OwnJvm.loadedClasses(Program.class, server.url());

            System.out.println("classes of a first list: " + classes);
            assertThat(classes).isBetween(500L, MOST_CLASSES);
        }
    }
}
