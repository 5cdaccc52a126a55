/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.kubeloop.apiserver.http.HttpApiServer;
import io.kubeloop.transport.memory.Requests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class ControlPlaneTest {

    /** I12. */
    @Test
    void close_leavesNoThreadOfTheServer() {
        List<Thread> started = new CopyOnWriteArrayList<>();
        ControlPlane.Builder builder = ControlPlane.builder();
        builder.server().threadFactory(task -> {
            Thread thread = new Thread(task);
            started.add(thread);
            return thread;
        });
        ControlPlane plane = builder.start();
        new Requests(plane.transport()).watch("/api/v1/pods?allowWatchBookmarks=true");

        plane.close();
        plane.close();

        assertThat(started).extracting(Thread::getName).anyMatch(name -> name.endsWith("-timer"));
        assertThat(started).noneMatch(Thread::isAlive);
    }

    @Test
    void kubelet_runsPods() {
        try (ControlPlane plane = ControlPlane.builder().kubelet(true).start()) {
            Requests requests = new Requests(plane.transport());
            requests.post(
                            "/api/v1/namespaces/default/pods",
                            "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}]}}")
                    .ok();

            await().untilAsserted(() -> assertThat(requests.get("/api/v1/namespaces/default/pods/p")
                            .body()
                            .string("status", "phase"))
                    .isEqualTo("Running"));
        }
    }

    @Test
    void http_servesTheSameObjects() throws IOException {
        try (ControlPlane plane =
                ControlPlane.builder().http(HttpApiServer.Config.DEFAULT).start()) {
            URI uri = plane.uri().resolve("/api/v1/namespaces/default");
            HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
            assertThat(connection.getResponseCode()).isEqualTo(200);
            connection.disconnect();
        }
    }

    @Test
    void standardRoles_existAndDecideNothing() throws IOException {
        ControlPlane.Builder builder =
                ControlPlane.builder().http(HttpApiServer.Config.DEFAULT).standardRoles(true);
        try (ControlPlane plane = builder.start()) {
            String role = "/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin";
            HttpURLConnection connection =
                    (HttpURLConnection) plane.uri().resolve(role).toURL().openConnection();
            connection.setRequestProperty("Impersonate-User", "user-without-roles");
            assertThat(connection.getResponseCode()).isEqualTo(200);
            connection.disconnect();
        }
    }

    @Test
    void uri_withoutHttp_namesTheRemedy() {
        try (ControlPlane plane = ControlPlane.builder().start()) {
            assertThatIllegalStateException().isThrownBy(plane::uri).withMessageContaining("http(...)");
        }
    }

    @Test
    void start_onATakenPort_leavesNothingRunning() throws IOException {
        List<Thread> started = new CopyOnWriteArrayList<>();
        try (ServerSocket taken = new ServerSocket(0)) {
            ControlPlane.Builder builder =
                    ControlPlane.builder().http(HttpApiServer.Config.DEFAULT.withPort(taken.getLocalPort()));
            builder.server().threadFactory(task -> {
                Thread thread = new Thread(task);
                started.add(thread);
                return thread;
            });
            assertThatExceptionOfType(UncheckedIOException.class)
                    .isThrownBy(builder::start)
                    .withMessageContaining(Integer.toString(taken.getLocalPort()));
        }
        assertThat(started).noneMatch(Thread::isAlive);
    }
}
