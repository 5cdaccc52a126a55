/* SPDX-License-Identifier: Apache-2.0 */
package clients;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

@Group("quarkus.example.com")
@Version("v1")
public class Web extends CustomResource<Web.Spec, Web.Status> implements Namespaced {

    public static class Spec {
        public String page = "";
        public int replicas = 1;
    }

    public static class Status {
        public int ready;
        public long generation;
    }
}
