/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The versions of the objects that an autoscaler refers to, as kube-apiserver 1.36.3 checks them. */
class ScalingRulesTest {

    private static final String NO_GROUP =
            "spec.scaleTargetRef.apiVersion: Invalid value: \"v1\": apiVersion must specify API group";

    private static JsonObject autoscaler(String kind, String version, String described) {
        return JsonObject.parse("""
                {"metadata":{"name":"a"},"spec":{"maxReplicas":2,"scaleTargetRef":{"kind":"%s","name":"a",\
                "apiVersion":"%s"},
                "metrics":[{"type":"Object","object":{"metric":{"name":"m"},"target":{"type":"Value","value":"1"},
                "describedObject":{"kind":"Service","name":"s","apiVersion":"%s"}}}]}\
                }""".formatted(kind, version, described));
    }

    private static String errors(JsonObject object, @Nullable JsonObject old) {
        FieldErrors errors = new FieldErrors();
        FieldCursor cursor = FieldCursor.of(object, errors);
        if (old == null) {
            ScalingRules.create(cursor);
        } else {
            ScalingRules.update(cursor, FieldCursor.ofOld(old, errors), Part.MAIN);
        }
        return errors.isEmpty()
                ? ""
                : String.valueOf(StatusException.invalid("autoscaling", "HorizontalPodAutoscaler", "a", errors)
                        .getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "ReplicationController,v1,v1,''",
        "ReplicationController,'',v1,''",
        "Deployment,apps/v1,v1,''",
        "Deployment,v1,v1,'" + NO_GROUP + "'",
        "ReplicationController,a/b/c,v1,'unexpected GroupVersion string: a/b/c'",
        "Deployment,apps/v1,a/b/c,'unexpected GroupVersion string: a/b/c'",
    })
    void create_onlyAReplicationControllerNeedsNoGroup(String kind, String version, String described, String error) {
        String errors = errors(autoscaler(kind, version, described), null);
        assertThat(errors).contains(error);
        assertThat(errors.isEmpty()).isEqualTo(error.isEmpty());
    }

    /** The defaults have replaced the empty list that the client has sent. */
    @ParameterizedTest
    @CsvSource({
        "'{\"policies\":[]}','spec.behavior.scaleUp.policies: Required value: must specify at least one Policy'",
        "'{}',''",
    })
    void policies_mustNotBeEmpty(String sent, String error) {
        JsonObject rules =
                JsonObject.parse("{\"scaleUp\":{\"policies\":[{\"type\":\"Pods\",\"value\":4,\"periodSeconds\":15}]}}");
        JsonObject autoscaler = autoscaler("Deployment", "apps/v1", "v1");
        FieldErrors errors = new FieldErrors(
                autoscaler.with(List.of("spec", "behavior"), JsonObject.of("scaleUp", JsonObject.parse(sent))));
        ScalingRules.create(FieldCursor.of(autoscaler.with(List.of("spec", "behavior"), rules), errors));
        assertThat(errors.isEmpty() ? "" : errors.message()).isEqualTo(error);
    }

    @ParameterizedTest
    @CsvSource({
        "Deployment,v1,v1,Deployment,v1,v1,''",
        "Deployment,a/b/c,v1,Deployment,a/b/c,v1,''",
        "ReplicationController,v1,v1,Deployment,v1,v1,'" + NO_GROUP + "'",
        "Deployment,apps/v1,v1,Deployment,v1,v1,'" + NO_GROUP + "'",
        "Deployment,apps/v1,a/b/c,Deployment,apps/v1,d/e/f,''",
        "Deployment,apps/v1,v1,Deployment,apps/v1,d/e/f,'unexpected GroupVersion string: d/e/f'",
    })
    void update_keepsWhatWasInvalidBefore(
            String oldKind,
            String oldVersion,
            String oldDescribed,
            String kind,
            String version,
            String described,
            String error) {
        String errors = errors(autoscaler(kind, version, described), autoscaler(oldKind, oldVersion, oldDescribed));
        assertThat(errors).contains(error);
        assertThat(errors.isEmpty()).isEqualTo(error.isEmpty());
    }
}
