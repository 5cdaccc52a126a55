/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.kubeloop.apiserver.kinds.AdmissionSelection;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests.Reply;
import io.kubeloop.transport.memory.ServerFixture;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The admission plug-ins as those of kube-apiserver v1.36.3, each with what it changes and what it rejects. */
class AdmissionFidelityTest extends ServerFixture {

    private static final String MERGE = "application/merge-patch+json";
    private static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";
    private static final String CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses";
    private static final String RUNTIMES = "/apis/node.k8s.io/v1/runtimeclasses";
    private static final String STORAGE = "/apis/storage.k8s.io/v1/storageclasses";
    private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
    private static final String INGRESS_CLASSES = "/apis/networking.k8s.io/v1/ingressclasses";
    private static final String INGRESSES = "/apis/networking.k8s.io/v1/namespaces/default/ingresses";
    private static final String NODES = "/api/v1/nodes";
    private static final String REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
    private static final String SOURCES = "[{'serviceAccountToken':{'expirationSeconds':3607,'path':'token'}},"
            + "{'configMap':{'name':'kube-root-ca.crt','items':[{'key':'ca.crt','path':'ca.crt'}]}},"
            + "{'downwardAPI':{'items':[{'path':'namespace','fieldRef':{'apiVersion':'v1',"
            + "'fieldPath':'metadata.namespace'}}]}}]";

    @Override
    protected EmbeddedApiServer.Builder configure(EmbeddedApiServer.Builder builder) {
        return builder.admission(AdmissionSelection.STANDARD);
    }

    @BeforeEach
    void createAccount() {
        requests.post(ACCOUNTS, "{'metadata':{'name':'default'}}").ok();
    }

    private Reply pod(String metadata, String spec) {
        return requests.post(
                PODS, "{'metadata':{" + metadata + "},'spec':{'containers':[{'name':'c','image':'i'}]" + spec + "}}");
    }

    private Reply pod(String spec) {
        return pod("'name':'p'", spec);
    }

    private static JsonObject json(String text) {
        return JsonObject.parse(text.replace('\'', '"'));
    }

    private static JsonObject first(JsonObject object, String... list) {
        return object.array(list).objects().toList().get(0);
    }

    @Test
    void pod_withoutAccount_runsAsDefaultWithATokenInEachContainer() {
        JsonObject spec =
                pod(",'initContainers':[{'name':'d','image':'i'}]").ok().body().object("spec");

        assertThat(spec.string("serviceAccountName")).isEqualTo("default");
        assertThat(spec.string("serviceAccount")).isEqualTo("default");
        JsonObject volume = first(spec, "volumes");
        assertThat(volume.string("name")).matches("kube-api-access-[a-z0-9]{5}");
        assertThat(volume.object("projected")).isEqualTo(json("{'sources':" + SOURCES + ",'defaultMode':420}"));
        JsonObject mount = json("{'name':'" + volume.string("name")
                + "','readOnly':true,'mountPath':'/var/run/secrets/kubernetes.io/serviceaccount'}");
        assertThat(first(first(spec, "containers"), "volumeMounts")).isEqualTo(mount);
        assertThat(first(first(spec, "initContainers"), "volumeMounts")).isEqualTo(mount);
    }

    @Test
    void pod_thatWantsNoToken_hasNoVolume() {
        requests.post(ACCOUNTS, "{'metadata':{'name':'quiet'},'automountServiceAccountToken':false}")
                .ok();
        assertThat(pod("'name':'a'", ",'automountServiceAccountToken':false")
                        .ok()
                        .body()
                        .object("spec")
                        .has("volumes"))
                .isFalse();
        assertThat(pod("'name':'b'", ",'serviceAccountName':'quiet'")
                        .ok()
                        .body()
                        .object("spec")
                        .has("volumes"))
                .isFalse();
        assertThat(pod("'name':'c'", ",'serviceAccountName':'quiet','automountServiceAccountToken':true")
                        .ok()
                        .body()
                        .object("spec")
                        .has("volumes"))
                .isTrue();
    }

    @Test
    void pod_withAMountAtTheSamePath_keepsIt() {
        JsonObject spec = requests.post(
                        PODS,
                        "{'metadata':{'name':'p'},'spec':{'volumes':[{'name':'own','emptyDir':{}}],'containers':[{"
                                + "'name':'c',"
                                + "'image':'i','volumeMounts':[{'name':'own','mountPath':"
                                + "'/var/run/secrets/kubernetes.io/serviceaccount'}]}]}}")
                .ok()
                .body()
                .object("spec");
        assertThat(spec.array("volumes").size()).isEqualTo(1);
        assertThat(first(spec, "containers").array("volumeMounts").size()).isEqualTo(1);
    }

    @Test
    void pod_takesThePullSecretsOfItsAccountUnlessItHasSome() {
        requests.post(ACCOUNTS, "{'metadata':{'name':'puller'},'imagePullSecrets':[{'name':'s'}]}")
                .ok();
        String account = ",'serviceAccountName':'puller'";
        assertThat(pod("'name':'a'", account).ok().body().array("spec", "imagePullSecrets"))
                .hasToString("[{\"name\":\"s\"}]");
        assertThat(pod("'name':'b'", account + ",'imagePullSecrets':[{'name':'t'}]")
                        .ok()
                        .body()
                        .array("spec", "imagePullSecrets"))
                .hasToString("[{\"name\":\"t\"}]");
    }

    @Test
    void pod_ofAMissingAccount_isForbidden() {
        Reply refused = pod("'generateName':'web-'", ",'serviceAccountName':'none'");
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message())
                .isEqualTo("pods \"web-\" is forbidden: error looking up service account default/none: "
                        + "serviceaccount \"none\" not found");
        assertThat(pod("'generateName':'web-'", ",'serviceAccountName':'a/b'").message())
                .isEqualTo("pods \"web-\" is forbidden: error looking up service account default/a/b: "
                        + "invalid resource name \"a/b\": [may not contain '/']");
    }

    @Test
    void mirrorPod_mayNotUseAccountsOrSecrets() {
        String mirror = "'name':'m','annotations':{'kubernetes.io/config.mirror':'x'}";
        assertThat(pod(mirror, ",'nodeName':'n','serviceAccountName':'default'").message())
                .isEqualTo("pods \"m\" is forbidden: a mirror pod may not reference service accounts");
        assertThat(pod(mirror, ",'nodeName':'n','volumes':[{'name':'v','secret':{'secretName':'s'}}]")
                        .message())
                .isEqualTo("pods \"m\" is forbidden: a mirror pod may not reference secrets");
        assertThat(pod(
                                mirror,
                                ",'nodeName':'n','volumes':[{'name':'v','projected':{'sources':[{'serviceAccountToken':"
                                        + "{'path':'t'}}]}}]")
                        .message())
                .isEqualTo("pods \"m\" is forbidden: a mirror pod may not use ServiceAccountToken volume projections");
        assertThat(pod(mirror, ",'nodeName':'n'").ok().body().object("spec").has("volumes"))
                .isFalse();
    }

    @Test
    void pod_ofAnAccountThatEnforcesSecrets_mayUseOnlyThose() {
        requests.post(
                        ACCOUNTS,
                        "{'metadata':{'name':'strict','annotations':{'kubernetes.io/enforce-mountable-secrets':"
                                + "'true'}},"
                                + "'secrets':[{'name':'known'}]}")
                .ok();
        String strict = ",'serviceAccountName':'strict'";
        String end = " is not allowed because service account strict does not reference that ";
        assertThat(pod(strict + ",'volumes':[{'name':'v','secret':{'secretName':'other'}}]")
                        .message())
                .isEqualTo("pods \"p\" is forbidden: volume with secret.secretName=\"other\"" + end + "secret");
        assertThat(pod(strict + ",'initContainers':[{'name':'d','image':'i','env':[{'name':'E','valueFrom':"
                                + "{'secretKeyRef':{'name':'other','key':'k'}}}]}]")
                        .message())
                .isEqualTo("pods \"p\" is forbidden: init container d with envVar E referencing "
                        + "secret.secretName=\"other\"" + end + "secret");
        assertThat(pod(strict + ",'imagePullSecrets':[{'name':'s'}]").message())
                .isEqualTo("pods \"p\" is forbidden: imagePullSecrets[0].name=\"s\"" + end + "imagePullSecret");
        pod(strict + ",'volumes':[{'name':'v','secret':{'secretName':'known'}}]")
                .ok();
    }

    @Test
    void pod_toleratesTroubleOfItsNodeForFiveMinutes() {
        assertThat(pod("").ok().body().array("spec", "tolerations").toString().replace('"', '\''))
                .isEqualTo("[{'key':'node.kubernetes.io/not-ready','operator':'Exists','effect':'NoExecute',"
                        + "'tolerationSeconds':300},{'key':'node.kubernetes.io/unreachable','operator':'Exists',"
                        + "'effect':'NoExecute','tolerationSeconds':300}]");
        assertThat(pod("'name':'q'", ",'tolerations':[{'operator':'Exists'}]")
                        .ok()
                        .body()
                        .array("spec", "tolerations"))
                .hasSize(1);
    }

    @Test
    void pod_withoutClass_hasPriorityZeroOrThatOfTheDefaultClass() {
        JsonObject plain = pod("'name':'a'", "").ok().body().object("spec");
        assertThat(plain.number("priority")).isZero();
        assertThat(plain.string("preemptionPolicy")).isEqualTo("PreemptLowerPriority");
        assertThat(plain.has("priorityClassName")).isFalse();

        requests.post(
                        CLASSES,
                        "{'metadata':{'name':'usual'},'value':7,'globalDefault':true,'preemptionPolicy':'Never'}")
                .ok();
        JsonObject usual = pod("'name':'b'", "").ok().body().object("spec");
        assertThat(usual.string("priorityClassName")).isEqualTo("usual");
        assertThat(usual.number("priority")).isEqualTo(7);
        assertThat(usual.string("preemptionPolicy")).isEqualTo("Never");
    }

    @Test
    void pod_mustNotContradictItsClass() {
        requests.post(CLASSES, "{'metadata':{'name':'high'},'value':9,'preemptionPolicy':'PreemptLowerPriority'}")
                .ok();
        String high = ",'priorityClassName':'high'";
        assertThat(pod("'name':'a'", high + ",'priority':9").ok().body().number("spec", "priority"))
                .isEqualTo(9);
        assertThat(pod(high + ",'priority':8").message())
                .isEqualTo(
                        "pods \"p\" is forbidden: the integer value of priority (8) must not be provided in pod spec; "
                                + "priority admission controller computed 9 from the given PriorityClass name");
        assertThat(pod(high + ",'preemptionPolicy':'Never'").message())
                .isEqualTo("pods \"p\" is forbidden: the string value of PreemptionPolicy (Never) must not be provided "
                        + "in pod spec; priority admission controller computed PreemptLowerPriority from the given "
                        + "PriorityClass name");
        assertThat(pod(",'priorityClassName':'none'").message())
                .isEqualTo("pods \"p\" is forbidden: no PriorityClass with name none was found");
    }

    @Test
    void priorityClasses_haveOneDefault() {
        requests.post(CLASSES, "{'metadata':{'name':'a'},'value':1,'globalDefault':true}")
                .ok();
        Reply refused = requests.post(CLASSES, "{'metadata':{'name':'b'},'value':2,'globalDefault':true}");
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message())
                .isEqualTo("priorityclasses.scheduling.k8s.io \"b\" is forbidden: PriorityClass a is already marked as "
                        + "default. Only one default can exist");
        requests.send("PATCH", CLASSES + "/a", MERGE, "{'description':'d'}").ok();
    }

    @Test
    void pod_takesOverheadSelectorAndTolerationsOfItsRuntime() {
        requests.post(
                        RUNTIMES,
                        "{'metadata':{'name':'vm'},'handler':'h','overhead':{'podFixed':{'cpu':'100m'}},'scheduling':{"
                                + "'nodeSelector':{'vm':'yes'},'tolerations':[{'key':'vm','operator':'Exists'}]}}")
                .ok();
        String vm = ",'runtimeClassName':'vm'";
        JsonObject spec = pod("'name':'a'", vm + ",'nodeSelector':{'zone':'z'},'overhead':{'cpu':'0.1'}")
                .ok()
                .body()
                .object("spec");
        assertThat(spec.object("overhead")).hasToString("{\"cpu\":\"100m\"}");
        assertThat(spec.object("nodeSelector")).hasToString("{\"vm\":\"yes\",\"zone\":\"z\"}");
        assertThat(spec.array("tolerations")).hasSize(3);

        assertThat(pod(vm + ",'overhead':{'cpu':'1'}").message())
                .isEqualTo("pods \"p\" is forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's defined "
                        + "Overhead");
        assertThat(pod(vm + ",'nodeSelector':{'vm':'no'}").message())
                .isEqualTo("pods \"p\" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[vm] = yes; "
                        + "pod.spec.nodeSelector[vm] = no");
        assertThat(pod(",'overhead':{'cpu':'1'}").message())
                .isEqualTo("pods \"p\" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass "
                        + "defined Overhead");
        assertThat(pod(",'runtimeClassName':'none'").message())
                .isEqualTo("pods \"p\" is forbidden: pod rejected: RuntimeClass \"none\" not found");
    }

    @Test
    void node_isTaintedUntilItIsReady() {
        JsonObject node = requests.post(NODES, "{'metadata':{'name':'n'}}").ok().body();
        assertThat(node.array("spec", "taints"))
                .hasToString("[{\"key\":\"node.kubernetes.io/not-ready\",\"effect\":\"NoSchedule\"}]");
        JsonObject untainted = requests.send("PATCH", NODES + "/n", MERGE, "{'spec':{'taints':null}}")
                .ok()
                .body();
        assertThat(untainted.object("spec").has("taints")).isFalse();
    }

    @Test
    void pod_takesTheTopologyOfItsNode() {
        requests.post(NODES, "{'metadata':{'name':'n','labels':{'topology.kubernetes.io/zone':'z','other':'o'}}}")
                .ok();
        pod("'name':'a','labels':{'app':'a'}", "").ok();
        requests.post(
                        PODS + "/a/binding",
                        "{'metadata':{'name':'a','labels':{'from':'binding'}},'target':{'kind':'Node','name':'n'}}")
                .ok();
        JsonObject labels = requests.get(PODS + "/a").ok().body().object("metadata", "labels");
        assertThat(labels).isEqualTo(json("{'app':'a','from':'binding','topology.kubernetes.io/zone':'z'}"));
        assertThat(pod("'name':'b'", ",'nodeName':'n'").ok().body().object("metadata", "labels"))
                .isEqualTo(json("{'topology.kubernetes.io/zone':'z'}"));
    }

    private Reply claim(String name, String metadata, String spec) {
        return requests.post(
                CLAIMS,
                "{'metadata':{'name':'" + name + "'" + metadata
                        + "},'spec':{'accessModes':['ReadWriteOnce'],'resources':{" + "'requests':{'storage':'1Gi'}}"
                        + spec + "}}");
    }

    private void storageClass(String name, String metadata, String more) {
        requests.post(
                        STORAGE,
                        "{'metadata':{'name':'" + name + "'" + metadata + "},'provisioner':'p.example.com'" + more
                                + "}")
                .ok();
    }

    @Test
    void claim_takesTheNewestDefaultClassAndIsProtected() {
        String isDefault = ",'annotations':{'storageclass.kubernetes.io/is-default-class':'true'}";
        assertThat(claim("a", "", "").ok().body().object("spec").has("storageClassName"))
                .isFalse();
        storageClass("old", isDefault, "");
        clock.advance(Duration.ofSeconds(1));
        storageClass("new", isDefault, "");
        storageClass("plain", "", "");

        JsonObject claim = claim("b", "", "").ok().body();
        assertThat(claim.string("spec", "storageClassName")).isEqualTo("new");
        assertThat(claim.array("metadata", "finalizers").strings()).containsExactly("kubernetes.io/pvc-protection");
        assertThat(claim("c", "", ",'storageClassName':''").ok().body().string("spec", "storageClassName"))
                .isEmpty();
    }

    @Test
    void claim_growsOnlyIfItIsBoundAndItsClassAllowsIt() {
        storageClass("fixed", "", "");
        storageClass("elastic", "", ",'allowVolumeExpansion':true");
        String more = "{'spec':{'resources':{'requests':{'storage':'2Gi'}}}}";
        for (String name : List.of("fixed", "elastic")) {
            claim(name, "", ",'volumeName':'v','storageClassName':'" + name + "'")
                    .ok();
        }
        assertThat(requests.send("PATCH", CLAIMS + "/elastic", MERGE, more).code())
                .isNotEqualTo(200);
        for (String name : List.of("fixed", "elastic")) {
            requests.send("PATCH", CLAIMS + "/" + name + "/status", MERGE, "{'status':{'phase':'Bound'}}")
                    .ok();
        }
        assertThat(requests.send("PATCH", CLAIMS + "/fixed", MERGE, more).message())
                .isEqualTo("persistentvolumeclaims \"fixed\" is forbidden: only dynamically provisioned pvc can be "
                        + "resized and the storageclass that provisions the pvc must support resize");
        requests.send("PATCH", CLAIMS + "/elastic", MERGE, more).ok();
    }

    @Test
    void ingress_takesTheDefaultClass() {
        requests.post(
                        INGRESS_CLASSES,
                        "{'metadata':{'name':'usual','annotations':{'ingressclass.kubernetes.io/is-default-class':"
                                + "'true'}},"
                                + "'spec':{'controller':'example.com/c'}}")
                .ok();
        String spec = "'spec':{'defaultBackend':{'service':{'name':'s','port':{'number':80}}}}}";
        assertThat(requests.post(INGRESSES, "{'metadata':{'name':'a'}," + spec)
                        .ok()
                        .body()
                        .string("spec", "ingressClassName"))
                .isEqualTo("usual");
        assertThat(requests.post(
                                INGRESSES,
                                "{'metadata':{'name':'b','annotations':{'kubernetes.io/ingress.class':'x'}}," + spec)
                        .ok()
                        .body()
                        .object("spec")
                        .has("ingressClassName"))
                .isFalse();
    }

    @Test
    void certificateRequest_forTheGroupOfAllPower_isForbidden() {
        String powerful = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIak1JR0tBZ0VBTUNneEZ6QVZCZ05WQkFvTURu"
                + "TjVjM1JsYlRwdFlYTjBaWEp6TVEwd0N3WURWUVFEREFScQpZVzVsTUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemow"
                + "REFRY0RRZ0FFUzh5dm9CUHRWenlRYjNIYkhtd28wVU9rCnFRU0xINlNoaTJPWWZoRlI0MDJnVGRIdHphdFgrOFRI"
                + "dzVSa0dzRW53Z1g2Z1FzTVc5YkUvTEFhK1NUbzE2QUEKTUFvR0NDcUdTTTQ5QkFNQ0EwZ0FNRVVDSVFDZ0pqR01z"
                + "RVQ5V3lkZGtGR3d5V0xoSzJBek4vazVGcTI2WmRYUAoxYXBUMVFJZ2JRcE4yOFZoK2hFUFRsWGpDZmRNcGowVkJY"
                + "blVVSTlNekNSbFBCWENXQTg9Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=";
        String usual = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIYU1JR0FBZ0VBTUI0eERUQUxCZ05WQkFvTUJH"
                + "Umxkbk14RFRBTEJnTlZCQU1NQkdwaGJtVXdXVEFUQmdjcQpoa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVJMeksr"
                + "Z0UrMVhQSkJ2Y2RzZWJDalJRNlNwQklzZnBLR0xZNWgrCkVWSGpUYUJOMGUzTnExZjd4TWZEbEdRYXdTZkNCZnFC"
                + "Q3d4YjFzVDhzQnI1Sk9qWG9BQXdDZ1lJS29aSXpqMEUKQXdJRFNRQXdSZ0loQVBwcVJwK2cxZGZNYWZ2bDNJS2Rn"
                + "UEY5cGRTOXZOeHJObWpZMGNDME5mdmdBaUVBL1NvZwpNcURsMTlWMFlmbGYydUJMYmhkOFpuL0RsTzlvOXpSdHVY"
                + "bEZ0SU09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=";
        String spec = "','usages':['client auth'],'signerName':'kubernetes.io/kube-apiserver-client'}}";
        assertThat(requests.post(REQUESTS, "{'metadata':{'name':'a'},'spec':{'request':'" + powerful + spec)
                        .message())
                .isEqualTo("certificatesigningrequests.certificates.k8s.io \"a\" is forbidden: use of "
                        + "kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed");
        requests.post(REQUESTS, "{'metadata':{'name':'b'},'spec':{'request':'" + usual + spec)
                .ok();
    }

    /** As {@code kube-apiserver --help} of 1.37.2 lists them. */
    @Test
    void selection_hasTheDefaultPluginsInTheirOrder() {
        assertThat(AdmissionSelection.names())
                .containsExactly(
                        ("NamespaceLifecycle LimitRanger ServiceAccount TaintNodesByCondition PodSecurity Priority"
                                        + " DefaultTolerationSeconds DefaultStorageClass StorageObjectInUseProtection"
                                        + " PodGroupProtection PersistentVolumeClaimResize RuntimeClass "
                                        + "CertificateApproval"
                                        + " CertificateSigning ClusterTrustBundleAttest CertificateSubjectRestriction"
                                        + " DefaultIngressClass PodTopologyLabels NodeDeclaredFeatureValidator"
                                        + " PodResizeValidator MutatingAdmissionPolicy MutatingAdmissionWebhook"
                                        + " ValidatingAdmissionPolicy ValidatingAdmissionWebhook ResourceQuota")
                                .split(" ", -1));
    }

    @Test
    void selection_namesUnknownPlugins() {
        assertThat(AdmissionSelection.STANDARD.isEnabled("ServiceAccount")).isTrue();
        assertThat(AdmissionSelection.WITHOUT_CONTROLLERS.isEnabled("ServiceAccount"))
                .isFalse();
        assertThat(catchThrowable(() -> AdmissionSelection.STANDARD.enable("Nonsense")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("unknown admission plugin \"Nonsense\"");
    }

    @Test
    void emptyOverhead_countsAsOverhead() {
        assertThat(pod(",'overhead':{}").message())
                .isEqualTo("pods \"p\" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass"
                        + " defined Overhead");
    }

    @Test
    void definition_withEmptyDependencies_isInvalid() {
        String definition =
                "{'metadata':{'name':'%1$ss.example.com'},'spec':{'group':'example.com','scope':'Namespaced',"
                        + "'names':{'plural':'%1$ss','kind':'%1$s'},'versions':[{'name':'v1','served':true,"
                        + "'storage':true,"
                        + "'schema':{'openAPIV3Schema':{'type':'object','properties':{'dependencies':{'type':'object'},"
                        + "'spec':{'type':'object'%2$s}}}}}]}}";
        String definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

        assertThat(requests.post(definitions, String.format(definition, "a", ",'dependencies':{}"))
                        .message())
                .isEqualTo("CustomResourceDefinition.apiextensions.k8s.io \"as.example.com\" is invalid:"
                        + " spec.validation.openAPIV3Schema.properties[spec].dependencies: Forbidden: "
                        + "dependencies is not"
                        + " supported");
        requests.post(definitions, String.format(definition, "b", ",'definitions':{}"))
                .ok();
    }
}
