/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.controlplane.ControlPlane;
import io.kubeloop.testing.OwnJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The cost of a manager's start that does not depend on the machine: the classes that it loads and makes. */
@Timeout(120)
class ManagerStartTest {

    /** The measured number and 10 %. */
    private static final long MOST_CLASSES = 2_980;

    /** Starts all controllers, and ends when they have started. */
    static final class Program {

        private Program() {}

        /** Takes the server's URL. */
        public static void main(String[] args) throws IOException, InterruptedException {
            ShutdownSignal signal = ShutdownSignal.inert();
            PipedWriter pipe = new PipedWriter();
            BufferedReader printed = new BufferedReader(new PipedReader(pipe));
            Thread manager =
                    new Thread(() -> run(signal, new PrintWriter(pipe, true), args[0]), "kubeloop-test-manager");
            manager.start();
            for (String line = printed.readLine(); line != null; line = printed.readLine()) {
                System.out.println(line);
                if (line.contains("started ")) {
                    signal.ask();
                }
            }
            manager.join();
        }

        private static void run(ShutdownSignal signal, PrintWriter out, String url) {
            try (out) {
                Main.run(
                        signal,
                        out,
                        out,
                        "controller-manager",
                        "--master=" + url,
                        "--secure-port=0",
                        "--leader-elect=false");
            }
        }
    }

    @Test
    void classesOfAStart_areBounded() throws Exception {
        try (ControlPlane plane = ControlPlane.builder()
                .http(HttpApiServer.Config.DEFAULT)
                .controllers(List.of())
                .start()) {
            String url = plane.uri().toString();

            assertThat(OwnJvm.run(List.of(), Program.class, url)).contains("started ");
            long classes = OwnJvm.loadedClasses(Program.class, url);

            System.out.println("classes of a manager's start: " + classes);
            assertThat(classes).isBetween(2_000L, MOST_CLASSES);
        }
    }
}
