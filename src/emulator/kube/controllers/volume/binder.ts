// The persistent volume binder: claims and volumes find each other. In: claims, volumes, classes. Out: both bound to
// each other, volumes provisioned on demand, released ones deleted or kept as their policy says.
//
//   claim    Pending ──▶ Bound ──▶ Lost (its volume vanished)
//   volume   Available ──▶ Bound ──▶ Released (its claim is gone) ──▶ deleted, by policy
//
// 1. A volume has at most one claim and a claim at most one volume; each names the other.
// 2. A claim whose class waits for a consumer is left alone until the scheduler has chosen a node or a volume.
import type { Json } from '../../../../api/meta.ts';
import { objectAt, stringAt, type JsonObject } from '../../json.ts';
import { withMeta, type ApiObject } from '../../object.ts';
import { claimOf, volumeClassOf, volumeOf, type Volume } from '../../scheduler/objects.ts';
import { claimClass, findVolume, isMeantFor, selectedNode } from '../../scheduler/volume-match.ts';
import { address } from '../runtime/addresses.ts';
import type {
  Again,
  Controller,
  ControllerContext,
  ControllerFactory,
} from '../runtime/controller.ts';
import { objectKey, type Informer } from '../runtime/informer.ts';
import { canProvision, claimReference, provision } from './provisioner.ts';

const bindCompleted = 'pv.kubernetes.io/bind-completed';
const boundByController = 'pv.kubernetes.io/bound-by-controller';
const claimKey = 'claim ';
const volumeKey = 'volume ';

export const volumeBinder: ControllerFactory = (context) => new VolumeBinder(context);

class VolumeBinder implements Controller {
  readonly name = 'persistentvolume-controller';
  readonly #context: ControllerContext;
  readonly #claims: Informer;
  readonly #volumes: Informer;
  readonly #classes: Informer;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#claims = context.informers.of(address.claims);
    this.#volumes = context.informers.of(address.volumes);
    this.#classes = context.informers.of(address.storageClasses);
    context.informers.of(address.nodes);
    const pendingClaims = (): void => {
      for (const claim of this.#claims.values()) {
        if (stringAt(claim, 'status', 'phase') !== 'Bound') {
          context.enqueue(claimKey + objectKey(claim));
        }
      }
    };
    this.#claims.onChange(({ before, after }) => {
      const claim = after ?? before;
      if (claim === undefined) return;
      if (after !== undefined) context.enqueue(claimKey + objectKey(claim));
      const volumeName = stringAt(claim, 'spec', 'volumeName');
      if (volumeName !== undefined) context.enqueue(volumeKey + volumeName);
    });
    this.#volumes.onChange(({ before, after }) => {
      const volume = after ?? before;
      if (volume === undefined) return;
      context.enqueue(volumeKey + volume.metadata.name);
      const { claimRef } = volumeOf(volume).spec;
      if (claimRef === undefined) pendingClaims();
      else context.enqueue(`${claimKey}${claimRef.namespace}/${claimRef.name}`);
    });
    this.#classes.onChange(pendingClaims);
  }

  reconcile(key: string): Again {
    if (key.startsWith(claimKey)) {
      const claim = this.#claims.get(key.slice(claimKey.length));
      if (claim !== undefined) this.#syncClaim(claim);
    } else {
      const volume = this.#volumes.get(key.slice(volumeKey.length));
      if (volume !== undefined) this.#syncVolume(volume);
    }
    return undefined;
  }

  #syncClaim(claim: ApiObject): void {
    if (claim.metadata.annotations?.[bindCompleted] !== undefined) {
      this.#syncBoundClaim(claim);
      return;
    }
    const wanted = stringAt(claim, 'spec', 'volumeName') ?? '';
    if (wanted === '') this.#findVolume(claim);
    else this.#bindToNamed(claim, wanted);
  }

  #findVolume(claim: ApiObject): void {
    const view = claimOf(claim);
    const volumes = new Map([...this.#volumes.values()].map((v) => [v.metadata.name, volumeOf(v)]));
    const isDelayed = this.#waitsForConsumer(claim);
    const found =
      this.#reserved(claim) ??
      (isDelayed
        ? undefined
        : findVolume({
            claim: view,
            storage: { volumes },
            taken: new Set(),
          }));
    if (found !== undefined) {
      this.#bind(claim, found.metadata.name);
    } else if (!isDelayed || selectedNode(view) !== undefined) {
      this.#provision(claim);
    } else {
      this.#setPhase(claim, 'Pending');
      const message = 'waiting for first consumer to be created before binding';
      this.#context.events.say({ about: claim, reason: 'WaitForFirstConsumer', message });
    }
  }

  /** A volume that somebody, usually the scheduler, has set aside for this claim. */
  #reserved(claim: ApiObject): Volume | undefined {
    for (const object of this.#volumes.values()) {
      const volume = volumeOf(object);
      if (isMeantFor(volume, claimOf(claim))) return volume;
    }
    return undefined;
  }

  #waitsForConsumer(claim: ApiObject): boolean {
    const storageClass = this.#classes.get(claimClass(claimOf(claim)));
    if (storageClass === undefined) return false;
    return volumeClassOf(storageClass).volumeBindingMode === 'WaitForFirstConsumer';
  }

  #bindToNamed(claim: ApiObject, name: string): void {
    const volume = this.#volumes.get(name);
    const { claimRef } = volume === undefined ? {} : volumeOf(volume).spec;
    const isFree =
      volume !== undefined &&
      (claimRef === undefined || isMeantFor(volumeOf(volume), claimOf(claim)));
    if (isFree) this.#bind(claim, name);
    else this.#setPhase(claim, 'Pending');
  }

  /** Both sides, the volume first: a claim that says bound can rely on its volume. */
  #bind(claim: ApiObject, volumeName: string): void {
    const { client } = this.#context;
    const volume = this.#volumes.get(volumeName);
    if (volume === undefined) return;
    const { claimRef } = volumeOf(volume).spec;
    if (claimRef?.uid !== claim.metadata.uid) {
      const annotations = { ...volume.metadata.annotations, [boundByController]: 'yes' };
      const spec = { ...(volume['spec'] as JsonObject), claimRef: claimReference(claim) };
      const wasOurs = claimRef === undefined;
      client.update(address.volumes, {
        ...(wasOurs ? withMeta(volume, { annotations }) : volume),
        spec,
      });
    }
    this.#setVolumePhase(volumeName, 'Bound');
    const wasUnnamed = (stringAt(claim, 'spec', 'volumeName') ?? '') === '';
    const annotations = {
      ...claim.metadata.annotations,
      [bindCompleted]: 'yes',
      ...(wasUnnamed ? { [boundByController]: 'yes' } : {}),
    };
    const bound = client.update(address.claims, {
      ...withMeta(claim, { annotations }),
      spec: { ...(claim['spec'] as JsonObject), volumeName },
    });
    this.#setPhase(bound, 'Bound', volume);
  }

  #syncBoundClaim(claim: ApiObject): void {
    const name = stringAt(claim, 'spec', 'volumeName') ?? '';
    const volume = this.#volumes.get(name);
    if (volume !== undefined && isMeantFor(volumeOf(volume), claimOf(claim))) {
      this.#setPhase(claim, 'Bound', volume);
      return;
    }
    const message = 'Bound claim has lost its PersistentVolume. Data on the volume is lost!';
    const about = { about: claim, type: 'Warning' as const, reason: 'ClaimLost' };
    if (stringAt(claim, 'status', 'phase') !== 'Lost')
      this.#context.events.say({ ...about, message });
    this.#setPhase(claim, 'Lost');
  }

  #provision(claim: ApiObject): void {
    const { client, events, informers } = this.#context;
    const className = claimClass(claimOf(claim));
    const storageClass = this.#classes.get(className);
    this.#setPhase(claim, 'Pending');
    if (storageClass === undefined || !canProvision(storageClass)) {
      this.#explainNoVolume(claim, className, storageClass);
      return;
    }
    const node = informers.of(address.nodes).get(selectedNode(claimOf(claim)) ?? '');
    const made = client.createIfAbsent(address.volumes, provision({ claim, storageClass, node }));
    if (made === undefined) return;
    const message = `Successfully provisioned volume ${made.metadata.name}`;
    events.say({ about: claim, reason: 'ProvisioningSucceeded', message });
  }

  #explainNoVolume(claim: ApiObject, className: string, storageClass: ApiObject | undefined): void {
    const { events } = this.#context;
    if (className === '') {
      const message = 'no persistent volumes available for this claim and no storage class is set';
      events.say({ about: claim, reason: 'FailedBinding', message });
    } else if (storageClass === undefined) {
      const message = `storageclass.storage.k8s.io "${className}" not found`;
      events.say({ about: claim, type: 'Warning', reason: 'ProvisioningFailed', message });
    } else {
      const { provisioner } = volumeClassOf(storageClass);
      const message = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
      events.say({ about: claim, reason: 'ExternalProvisioning', message });
    }
  }

  #syncVolume(volume: ApiObject): void {
    const { claimRef } = volumeOf(volume).spec;
    if (claimRef === undefined) {
      this.#setVolumePhase(volume.metadata.name, 'Available');
      return;
    }
    const claim = this.#claims.get(`${claimRef.namespace}/${claimRef.name}`);
    const hasUid = claimRef.uid !== undefined && claimRef.uid !== '';
    if (!hasUid) {
      this.#setVolumePhase(volume.metadata.name, 'Available');
    } else if (claim?.metadata.uid === claimRef.uid) {
      const isBound = stringAt(claim, 'spec', 'volumeName') === volume.metadata.name;
      if (isBound) this.#setVolumePhase(volume.metadata.name, 'Bound');
    } else this.#release(volume);
  }

  /** The claim is gone: what the policy says happens to the volume. */
  #release(volume: ApiObject): void {
    const { name, deletionTimestamp } = volume.metadata;
    this.#setVolumePhase(name, 'Released');
    const policy = stringAt(volume, 'spec', 'persistentVolumeReclaimPolicy');
    const provisioner = volume.metadata.annotations?.['pv.kubernetes.io/provisioned-by'];
    // Only what was provisioned here can be deleted here; the rest waits for its owner.
    if (policy !== 'Delete' || provisioner === undefined || deletionTimestamp !== undefined) return;
    const latest = this.#context.client.get(address.volumes, { name });
    if (latest !== undefined) this.#context.client.delete(address.volumes, latest);
  }

  #setPhase(claim: ApiObject, phase: string, volume?: ApiObject): void {
    const status: Record<string, Json> = { phase };
    if (volume !== undefined) {
      status['accessModes'] = (volumeOf(volume).spec.accessModes ?? []) as Json;
      status['capacity'] = objectAt(volume, 'spec', 'capacity') ?? {};
    }
    const known = objectAt(claim, 'status') ?? {};
    const isSame = Object.entries(status).every(
      ([field, value]) => JSON.stringify(known[field]) === JSON.stringify(value),
    );
    if (isSame) return;
    const { namespace, name } = claim.metadata;
    this.#context.client.merge(address.claims, { namespace, name }, { status }, 'status');
  }

  #setVolumePhase(name: string, phase: string): void {
    const volume = this.#volumes.get(name);
    if (volume === undefined || stringAt(volume, 'status', 'phase') === phase) return;
    this.#context.client.merge(address.volumes, { name }, { status: { phase } }, 'status');
  }
}
