/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volumes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodSpec;
import io.kubeloop.api.core.PodStatus;
import io.kubeloop.controller.fake.FakeLister;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodVolumesTest {

    private static final PodVolumes NONE = new PodVolumes(new FakeLister<>(), new FakeLister<>());
    private static final Pod POD =
            Pod.of(ObjectMetaBuilder.builder().namespace("ns").name("p").build(), PodSpec.EMPTY, PodStatus.EMPTY);

    private static JsonObject json(String text) {
        return JsonObject.parse(text.replace('\'', '"'));
    }

    private static Optional<VolumeSpec> persistent(String spec, Map<String, String> labels) {
        ObjectMeta metadata =
                ObjectMetaBuilder.builder().name("pv").labels(labels).build();
        return PodVolumes.spec(new GenericObject(
                "v1",
                "PersistentVolume",
                metadata,
                JsonObject.of("spec", json(spec)).toUnknownFields()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'csi':{'driver':'d','volumeHandle':'h'}} | kubernetes.io/csi/d^h",
                "{'fc':{'targetWWNs':['a','b'],'lun':0}} | kubernetes.io/fc/[a b]:0",
                "{'fc':{'wwids':['c']}} | kubernetes.io/fc/[c]",
                "{'iscsi':{'targetPortal':'1.2.3.4:3260','iqn':'iqn.x','lun':3}} | "
                        + "kubernetes.io/iscsi/1.2.3.4:3260:iqn.x:3",
                "{'nfs':{'server':'s','path':'/p'}} | kubernetes.io/nfs/s//p",
                "{'hostPath':{'path':'/p'}} | kubernetes.io/host-path//p",
                "{'awsElasticBlockStore':{'volumeID':'aws://eu-1a/vol-1'}} | kubernetes.io/csi/ebs.csi.aws.com^vol-1",
                "{'awsElasticBlockStore':{'volumeID':'vol-1'}} | kubernetes.io/csi/ebs.csi.aws.com^vol-1",
                "{'awsElasticBlockStore':{'volumeID':'aws://eu-1a/x'}} |",
                "{'gcePersistentDisk':{'pdName':'d'}} | "
                        + "kubernetes.io/csi/pd.csi.storage.gke.io^projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d",
                "{'azureDisk':{'diskName':'n','diskURI':'/u','kind':'Managed'}} | "
                        + "kubernetes.io/csi/disk.csi.azure.com^/u",
                "{'azureDisk':{'diskName':'n','diskURI':'/u','kind':'Shared'}} |",
                "{'azureFile':{'secretName':'azure-storage-account-acc-secret','shareName':'s','secretNamespace':'n'}}"
                        + " | kubernetes.io/csi/file.csi.azure.com^#acc#s#pv#n",
                "{'azureFile':{'secretName':'x','shareName':'s'},'claimRef':{'namespace':'c'}} | "
                        + "kubernetes.io/csi/file.csi.azure.com^#x#s#pv#c",
                "{'azureFile':{'secretName':'x','shareName':'s'}} |",
                "{'cinder':{'volumeID':'v'}} | kubernetes.io/csi/cinder.csi.openstack.org^v",
                "{'vsphereVolume':{'volumePath':'[ds] v'}} | kubernetes.io/csi/csi.vsphere.vmware.com^[ds] v",
                "{'portworxVolume':{'volumeID':'v'}} | kubernetes.io/csi/pxd.portworx.com^v",
                "{'local':{'path':'/p'}} |",
            })
    void persistentVolume_isNamedAsItsPlugInNamesIt(String spec, String expected) {
        assertThat(persistent(spec, Map.of()).map(VolumeSpec::uniqueName)).isEqualTo(Optional.ofNullable(expected));
    }

    @Test
    void diskOfSeveralZones_isOfTheirRegion() {
        String spec = "{'gcePersistentDisk':{'pdName':'d'},'accessModes':['ReadOnlyMany','ReadWriteOnce']}";
        VolumeSpec volume = persistent(spec, Map.of("topology.kubernetes.io/zone", "eu-1-a__eu-1-b"))
                .orElseThrow();
        assertThat(volume.handle()).isEqualTo("projects/UNSPECIFIED/regions/eu-1/disks/d");
        assertThat(volume.accessModes()).containsExactly("ReadWriteOnce");
        assertThat(volume.allowsSeveralNodes()).isFalse();
        assertThat(persistent(spec, Map.of("topology.kubernetes.io/zone", "eu-1-a__us-1-b")))
                .isEmpty();
    }

    @Test
    void ownVolumeOfAFormerPlugIn_isDescribedToItsDriver() {
        VolumeSpec disk = NONE.spec(
                        POD, json("{'name':'v','gcePersistentDisk':{'pdName':'d','readOnly':true,'partition':2}}"))
                .orElseThrow();
        assertThat(disk.name()).isEqualTo("pd.csi.storage.gke.io-d");
        assertThat(disk.inline())
                .isEqualTo(json("{'accessModes':['ReadOnlyMany'],'volumeMode':'Filesystem','csi':{'driver':"
                        + "'pd.csi.storage.gke.io','readOnly':true,'volumeAttributes':{'partition':'2'},'volumeHandle':"
                        + "'projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d'}}"));

        VolumeSpec share = NONE.spec(POD, json("{'name':'v','azureFile':{'secretName':'x','shareName':'s'}}"))
                .orElseThrow();
        assertThat(share.handle()).isEqualTo("#x#s#v#ns");
        assertThat(share.accessModes()).containsExactly("ReadWriteMany");
        assertThat(share.inline().object("csi", "nodeStageSecretRef")).isEqualTo(json("{'name':'x','namespace':'ns'}"));
    }

    @Test
    void volumeOfOnePod_hasNoName_andNeedsNoAttachment() {
        CsiDrivers drivers = new CsiDrivers(new FakeLister<>());
        VolumeSpec inline =
                NONE.spec(POD, json("{'name':'v','csi':{'driver':'d'}}")).orElseThrow();
        assertThat(inline.id()).isEmpty();
        assertThat(drivers.requiresAttachment(inline)).isFalse();
        assertThat(NONE.spec(POD, json("{'name':'v','emptyDir':{}}"))).isEmpty();
    }

    @Test
    void driver_decidesAboutAttachmentsAndLabels() {
        FakeLister<GenericObject> objects = new FakeLister<>();
        CsiDrivers drivers = new CsiDrivers(objects);
        VolumeSpec volume = persistent("{'csi':{'driver':'d','volumeHandle':'h'}}", Map.of())
                .orElseThrow();
        assertThat(drivers.requiresAttachment(volume)).isTrue();
        assertThat(drivers.mountsWithLabel(volume)).isFalse();
        objects.with(new GenericObject(
                "storage.k8s.io/v1",
                "CSIDriver",
                ObjectMetaBuilder.builder().name("d").build(),
                json("{'spec':{'attachRequired':false,'seLinuxMount':true}}").toUnknownFields()));
        assertThat(drivers.requiresAttachment(volume)).isFalse();
        assertThat(drivers.mountsWithLabel(volume)).isTrue();
        assertThat(List.of(VolumeSpec.FIBRE_CHANNEL, VolumeSpec.ISCSI, "kubernetes.io/nfs"))
                .extracting(plugin -> new VolumeSpec("v", plugin, "id", List.of(), true, false, JsonObject.EMPTY))
                .extracting(drivers::requiresAttachment, drivers::mountsWithLabel)
                .containsExactly(tuple(true, true), tuple(true, true), tuple(false, false));
    }
}
