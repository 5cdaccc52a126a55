/* SPDX-License-Identifier: Apache-2.0 */
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.webhook.AdmissionAnswer;
import io.kubeloop.webhook.OperatorServer;
import io.kubeloop.webhook.VersionConversions;
import io.kubeloop.webhook.Webhooks;
import java.nio.file.Path;

/** The webhooks of webhooks.sh: SiteWebhooks PORT CERTIFICATE KEY. */
public final class SiteWebhooks {

    public record Spec(String image, int replicas, UnknownFields unknownFields) {}

    public record Site(ObjectMeta metadata, Spec spec, UnknownFields unknownFields) implements KubeObject {

        @Override
        public Site withMetadata(ObjectMeta changed) {
            return new Site(changed, spec, unknownFields);
        }
    }

    public record NewSpec(String image, int copies, UnknownFields unknownFields) {}

    public record NewSite(ObjectMeta metadata, NewSpec spec, UnknownFields unknownFields) implements KubeObject {

        @Override
        public NewSite withMetadata(ObjectMeta changed) {
            return new NewSite(changed, spec, unknownFields);
        }
    }

    private static <T extends KubeObject> ResourceType<T> sites(String version, Class<T> type) {
        return new ResourceType<>("example.com", version, "sites", "Site", ResourceType.Scope.NAMESPACED, type);
    }

    private static AdmissionAnswer<Site> review(Site site) {
        if (site.spec().replicas() > 9) {
            return AdmissionAnswer.deny("a site has at most 9 replicas");
        }
        if (site.spec().image().contains(":")) {
            return AdmissionAnswer.allow();
        }
        Spec pinned = new Spec(
                site.spec().image() + ":latest",
                site.spec().replicas(),
                site.spec().unknownFields());
        return AdmissionAnswer.change(new Site(site.metadata(), pinned, site.unknownFields()))
                .withWarnings("the image has no tag");
    }

    public static void main(String[] args) throws Exception {
        ResourceType<Site> older = sites("v1", Site.class);
        ResourceType<NewSite> newer = sites("v2", NewSite.class);
        JsonCodec codec = JsonCodec.standard().with(older).with(newer);
        VersionConversions conversions = VersionConversions.of(codec)
                .with(
                        older,
                        newer,
                        site -> new NewSite(
                                site.metadata(),
                                new NewSpec(
                                        site.spec().image(),
                                        site.spec().replicas(),
                                        site.spec().unknownFields()),
                                site.unknownFields()),
                        site -> new Site(
                                site.metadata(),
                                new Spec(
                                        site.spec().image(),
                                        site.spec().copies(),
                                        site.spec().unknownFields()),
                                site.unknownFields()));
        OperatorServer server = OperatorServer.builder()
                .address("127.0.0.1")
                .port(Integer.parseInt(args[0]))
                .certificate(Path.of(args[1]), Path.of(args[2]))
                .webhooks(Webhooks.of(codec)
                        .admission("/sites", older, review -> review(review.object()))
                        .conversion("/convert", conversions))
                .start();
        System.out.println("listening on " + server.port());
        Thread.currentThread().join();
    }
}
