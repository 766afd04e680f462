// The ReplicaSets of a Deployment, written. In: a deployment and what its sets should be. Out: sets made, scaled and
// annotated, each write at most once for the same outcome, and an event for every change of size.
import type { JsonObject } from '../../json.ts';
import { withMeta, type ApiObject } from '../../object.ts';
import { isReason } from '../../status-error.ts';
import { controllerReference } from '../pods.ts';
import { address } from '../runtime/addresses.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import {
  desiredAnnotation,
  hashLabel,
  historyAnnotation,
  limitsOf,
  maxAnnotation,
  revisionAnnotation,
  revisionNumber,
  sizeOf,
  specOf,
} from './deployment-view.ts';
import { templateHash } from './template-hash.ts';

const notCopied = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maxAnnotation,
  'deprecated.deployment.rollback.to',
]);

export class SetWriter {
  readonly #context: ControllerContext;

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  /** Sets that are not named keep their size. */
  resize(
    deployment: ApiObject,
    sets: readonly ApiObject[],
    sizes: ReadonlyMap<string, number>,
  ): readonly ApiObject[] {
    return sets.map((set) => {
      const wanted = sizes.get(set.metadata.name) ?? sizeOf(set);
      return this.#scale(deployment, set, wanted);
    });
  }

  #scale(deployment: ApiObject, set: ApiObject, replicas: number): ApiObject {
    const before = sizeOf(set);
    const sized = replicas > 0 || before > 0 ? sizeAnnotations(deployment) : {};
    const annotations = { ...set.metadata.annotations, ...sized };
    const isSame = Object.entries(sized).every(([k, v]) => set.metadata.annotations?.[k] === v);
    if (before === replicas && isSame) return set;
    const { client } = this.#context;
    const spec = { ...(set['spec'] as object), replicas };
    const updated = client.update(address.replicaSets, {
      ...withMeta(set, { annotations }),
      spec,
    });
    this.#sayScaled(deployment, set.metadata.name, before, replicas);
    return updated;
  }

  /** Undefined when the name is taken by somebody else's set. */
  create(
    deployment: ApiObject,
    options: {
      readonly revision: string;
      readonly replicas: number;
      readonly collisionCount: number;
    },
  ): ApiObject | undefined {
    const { revision, replicas, collisionCount } = options;
    const { template, selector, minReadySeconds = 0 } = specOf(deployment);
    const { namespace = '' } = deployment.metadata;
    const hash = templateHash(template, collisionCount);
    const labels = { ...template.metadata?.labels, [hashLabel]: hash };
    const name = `${deployment.metadata.name}-${hash}`;
    const matchLabels = { ...selector.matchLabels, [hashLabel]: hash };
    const object: JsonObject = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name,
        namespace,
        labels,
        annotations: {
          ...copiedAnnotations(deployment),
          ...sizeAnnotations(deployment),
          [revisionAnnotation]: revision,
        },
        ownerReferences: [controllerReference(deployment)],
      },
      spec: {
        replicas,
        ...(minReadySeconds === 0 ? {} : { minReadySeconds }),
        selector: { ...selector, matchLabels } as unknown as JsonObject,
        template: { ...template, metadata: { ...template.metadata, labels } },
      },
    };
    try {
      const set = this.#context.client.create(address.replicaSets, object, namespace);
      this.#sayScaled(deployment, name, 0, replicas);
      return set;
    } catch (error) {
      if (isReason(error, 'AlreadyExists')) return undefined;
      throw error;
    }
  }

  /** A set that is current again, after a rollback, gets the next number and remembers the last one. */
  noteRevision(deployment: ApiObject, set: ApiObject, revision: string): ApiObject {
    const { annotations = {} } = set.metadata;
    const noted: Record<string, string> = { ...annotations, ...copiedAnnotations(deployment) };
    const before = revisionNumber(set);
    if (before < Number(revision)) {
      noted[revisionAnnotation] = revision;
      if (before > 0) {
        const history = annotations[historyAnnotation];
        noted[historyAnnotation] = history === undefined ? `${before}` : `${history},${before}`;
      }
    }
    const { minReadySeconds = 0 } = specOf(deployment);
    const isSame =
      JSON.stringify(noted) === JSON.stringify(annotations) &&
      (specOf(set).minReadySeconds ?? 0) === minReadySeconds;
    if (isSame) return set;
    const spec = { ...(set['spec'] as object), minReadySeconds };
    return this.#context.client.update(address.replicaSets, {
      ...withMeta(set, { annotations: noted }),
      spec,
    });
  }

  #sayScaled(deployment: ApiObject, name: string, before: number, after: number): void {
    if (before === after) return;
    const verb = after > before ? 'up' : 'down';
    const message = `Scaled ${verb} replica set ${name} from ${before} to ${after}`;
    this.#context.events.say({ about: deployment, reason: 'ScalingReplicaSet', message });
  }
}

function sizeAnnotations(deployment: ApiObject): Record<string, string> {
  const { replicas, maxSurge } = limitsOf(deployment);
  return { [desiredAnnotation]: `${replicas}`, [maxAnnotation]: `${replicas + maxSurge}` };
}

function copiedAnnotations(deployment: ApiObject): Record<string, string> {
  const annotations = Object.entries(deployment.metadata.annotations ?? {});
  return Object.fromEntries(annotations.filter(([key]) => !notCopied.has(key)));
}
