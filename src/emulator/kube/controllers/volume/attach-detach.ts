// Attach and detach: volumes follow pods to their nodes. In: pods with a node, their claims and volumes. Out: one
// VolumeAttachment per CSI volume and node, marked attached, and the node's list of what is attached to it.
// 1. A volume is detached only after the last pod on the node that mounts it has ended or is gone.
// 2. A volume that one node only may use is not attached to a second one before it is detached from the first.
// There is no driver behind it: attaching takes no time and always succeeds.
import { createHash } from 'node:crypto';
import type { Json } from '../../../../api/meta.ts';
import { stringAt } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import { attachmentOf, claimOf, podOf, volumeOf } from '../../scheduler/objects.ts';
import { address } from '../runtime/addresses.ts';
import type {
  Again,
  Controller,
  ControllerContext,
  ControllerFactory,
} from '../runtime/controller.ts';
import type { Informer } from '../runtime/informer.ts';

interface Wanted {
  readonly volume: ApiObject;
  readonly driver: string;
  readonly handle: string;
  readonly nodeName: string;
}

export const attachDetachController: ControllerFactory = (context) =>
  new AttachDetachController(context);

class AttachDetachController implements Controller {
  readonly name = 'attachdetach-controller';
  readonly #context: ControllerContext;
  readonly #pods: Informer;
  readonly #nodes: Informer;
  readonly #claims: Informer;
  readonly #volumes: Informer;
  readonly #attachments: Informer;

  constructor(context: ControllerContext) {
    this.#context = context;
    const { informers } = context;
    this.#pods = informers.of(address.pods);
    this.#nodes = informers.of(address.nodes);
    this.#claims = informers.of(address.claims);
    this.#volumes = informers.of(address.volumes);
    this.#attachments = informers.of(address.volumeAttachments);
    this.#pods.addIndex('node', (pod) => [podOf(pod).spec.nodeName ?? '']);
    this.#attachments.addIndex('node', (item) => [attachmentOf(item).spec.nodeName]);
    this.#attachments.addIndex('volume', (item) => [
      attachmentOf(item).spec.source.persistentVolumeName ?? '',
    ]);
    this.#pods.onChange(({ before, after }) => {
      const pod = after ?? before;
      const spec = pod === undefined ? undefined : podOf(pod).spec;
      if ((spec?.volumes ?? []).length === 0 || spec?.nodeName === undefined) return;
      context.enqueue(spec.nodeName);
    });
    this.#nodes.onChange(({ before, after }) => {
      const name = (after ?? before)?.metadata.name ?? '';
      if (before === undefined || after === undefined) context.enqueue(name);
    });
    this.#attachments.onChange(({ before, after }) => {
      const item = after ?? before;
      if (item === undefined) return;
      context.enqueue(attachmentOf(item).spec.nodeName);
      if (after === undefined) this.#enqueueWaiting(item);
    });
    this.#claims.onChange(({ after }) => {
      if (stringAt(after, 'status', 'phase') === 'Bound') this.#enqueueUsers(after as ApiObject);
    });
  }

  reconcile(nodeName: string): Again {
    const node = this.#nodes.get(nodeName);
    const wanted = node === undefined ? new Map<string, Wanted>() : this.#wantedOn(nodeName);
    const present = this.#attachments.indexed('node', nodeName);
    for (const item of present) if (!wanted.has(item.metadata.name)) this.#detach(item);
    for (const [name, want] of wanted) this.#attach(name, want);
    if (node !== undefined) this.#report(node, wanted);
    return undefined;
  }

  /** Pods elsewhere may have waited for a volume that has just become free. */
  #enqueueWaiting(item: ApiObject): void {
    const volumeName = attachmentOf(item).spec.source.persistentVolumeName ?? '';
    const volume = this.#volumes.get(volumeName);
    const { claimRef } = volume === undefined ? {} : volumeOf(volume).spec;
    const claim = this.#claims.get(`${claimRef?.namespace}/${claimRef?.name}`);
    if (claim !== undefined) this.#enqueueUsers(claim);
  }

  #enqueueUsers(claim: ApiObject): void {
    const { namespace, name } = claim.metadata;
    for (const pod of this.#pods.values()) {
      const { spec, metadata } = podOf(pod);
      if (metadata.namespace !== namespace || spec.nodeName === undefined) continue;
      const mounts = spec.volumes?.some(
        (volume) =>
          volume.persistentVolumeClaim?.claimName === name ||
          (volume.ephemeral !== undefined && `${metadata.name}-${volume.name}` === name),
      );
      if (mounts === true) this.#context.enqueue(spec.nodeName);
    }
  }

  #wantedOn(nodeName: string): Map<string, Wanted> {
    const wanted = new Map<string, Wanted>();
    for (const pod of this.#pods.indexed('node', nodeName)) {
      const phase = stringAt(pod, 'status', 'phase');
      if (phase === 'Succeeded' || phase === 'Failed') continue;
      for (const volume of this.#volumesOf(pod)) {
        const { csi } = volumeOf(volume).spec;
        if (csi?.volumeHandle === undefined || !this.#isAttachable(csi.driver)) continue;
        const want = { volume, driver: csi.driver, handle: csi.volumeHandle, nodeName };
        wanted.set(attachmentName(want), want);
      }
    }
    return wanted;
  }

  #isAttachable(driver: string): boolean {
    const known = this.#context.informers.of(address.csiDrivers).get(driver);
    const spec = known?.['spec'] as { attachRequired?: boolean } | undefined;
    return spec?.attachRequired !== false;
  }

  #volumesOf(pod: ApiObject): readonly ApiObject[] {
    const { spec, metadata } = podOf(pod);
    return (spec.volumes ?? []).flatMap((volume) => {
      const name =
        volume.persistentVolumeClaim?.claimName ??
        (volume.ephemeral === undefined ? undefined : `${metadata.name}-${volume.name}`);
      const claim =
        name === undefined ? undefined : this.#claims.get(`${metadata.namespace}/${name}`);
      const found =
        claim === undefined ? undefined : this.#volumes.get(claimOf(claim).spec.volumeName ?? '');
      return found === undefined ? [] : [found];
    });
  }

  #attach(name: string, { volume, driver, nodeName }: Wanted): void {
    const { client, events } = this.#context;
    const known = this.#attachments.get(name);
    if (known === undefined) {
      if (this.#isHeldElsewhere(volume, nodeName)) return;
      const spec = {
        attacher: driver,
        nodeName,
        source: { persistentVolumeName: volume.metadata.name },
      };
      const object = {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'VolumeAttachment',
        metadata: { name },
        spec,
      };
      client.createIfAbsent(address.volumeAttachments, object);
      client.merge(address.volumeAttachments, { name }, { status: { attached: true } }, 'status');
      const message = `AttachVolume.Attach succeeded for volume "${volume.metadata.name}" `;
      for (const pod of this.#pods.indexed('node', nodeName)) {
        if (!this.#volumesOf(pod).includes(volume)) continue;
        events.say({ about: pod, reason: 'SuccessfulAttachVolume', message });
      }
    } else if (attachmentOf(known).status?.attached !== true) {
      client.merge(address.volumeAttachments, { name }, { status: { attached: true } }, 'status');
    }
  }

  #isHeldElsewhere(volume: ApiObject, nodeName: string): boolean {
    const { accessModes = [] } = volumeOf(volume).spec;
    if (accessModes.some((mode) => mode === 'ReadWriteMany' || mode === 'ReadOnlyMany'))
      return false;
    return this.#attachments
      .indexed('volume', volume.metadata.name)
      .some((item) => attachmentOf(item).spec.nodeName !== nodeName);
  }

  #detach(item: ApiObject): void {
    this.#context.client.delete(address.volumeAttachments, item);
  }

  #report(node: ApiObject, wanted: ReadonlyMap<string, Wanted>): void {
    const attached: Json = [...wanted]
      .filter(([name]) => this.#attachments.get(name) !== undefined)
      .map(([, { driver, handle }]) => ({
        name: `kubernetes.io/csi/${driver}^${handle}`,
        devicePath: '',
      }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const { volumesAttached = [] } = (node['status'] ?? {}) as { volumesAttached?: Json };
    if (JSON.stringify(volumesAttached) === JSON.stringify(attached)) return;
    const patch = { status: { volumesAttached: attached.length === 0 ? null : attached } };
    this.#context.client.merge(address.nodes, { name: node.metadata.name }, patch, 'status');
  }
}

/** As upstream names them: a digest of volume, driver and node. */
function attachmentName({ handle, driver, nodeName }: Omit<Wanted, 'volume'>): string {
  return `csi-${createHash('sha256').update(`${handle}${driver}${nodeName}`).digest('hex')}`;
}
