// A size as the solver sees it. In: a size, the class, its quote. Out: an InstanceType.
// What a node of the size has shown overrules the estimate; the difference is booked as reserved by Kubernetes.
import { createInstanceType, type InstanceType, type Overhead } from '../../model/instance-type.ts';
import {
  atLeastZero,
  resourceName,
  type Resources,
  subtractResources,
} from '../../model/resources.ts';
import type { ClassParameters } from './class-parameters.ts';
import type { LearntAmounts } from './learnt-capacity.ts';
import { capacityOf, estimatedMemoryBytes, overheadOf } from './node-resources.ts';
import { OfferingFactory } from './offerings.ts';
import type { Quote } from './quote.ts';
import { RequirementFactory } from './size-requirements.ts';
import type { VmSize } from './vm-size.ts';

export interface ClusterFacts {
  readonly region: string;
  /** The node resource group, as the cluster label has it. */
  readonly clusterLabel: string;
  /** Share of the memory that the operating system will not see. */
  readonly memoryOverheadShare: number;
}

export class InstanceTypeFactory {
  readonly #memoryOverheadShare: number;
  readonly #requirements: RequirementFactory;
  readonly #offerings = new OfferingFactory();

  constructor({ memoryOverheadShare, ...place }: ClusterFacts) {
    this.#memoryOverheadShare = memoryOverheadShare;
    this.#requirements = new RequirementFactory(place);
  }

  create(size: VmSize, parameters: ClassParameters, quote: Quote): InstanceType {
    const offerings = this.#offerings.create(size, quote);
    const { capacity, overhead } = this.#amountsOf(size, parameters, quote.learnt);
    return createInstanceType({
      name: size.name,
      requirements: this.#requirements.create(size, parameters, offerings),
      offerings,
      capacity,
      overhead,
    });
  }

  #amountsOf(
    size: VmSize,
    parameters: ClassParameters,
    learnt: LearntAmounts | undefined,
  ): { readonly capacity: Resources; readonly overhead: Overhead } {
    const capacity = capacityOf({
      vcpus: size.vcpus,
      memoryBytes: estimatedMemoryBytes(size.memoryGiB, this.#memoryOverheadShare),
      osDiskSizeGb: parameters.osDiskSizeGb,
      maxPods: parameters.maxPods,
      nvidiaGpus: size.gpu?.vendor === 'nvidia' ? size.gpus : 0,
      amdGpus: size.gpu?.vendor === 'amd' ? size.gpus : 0,
    });
    const overhead = overheadOf(size.vcpus, size.memoryGiB);
    if (learnt === undefined) return { capacity, overhead };
    const real = new Map(capacity).set(resourceName.memory, learnt.memory);
    return { capacity: real, overhead: learntOverhead(real, overhead, learnt) };
  }
}

function learntOverhead(
  capacity: Resources,
  { evictionThreshold, systemReserved, kubeReserved }: Overhead,
  learnt: LearntAmounts,
): Overhead {
  const withheld = new Map(
    [...kubeReserved.keys()].map((name) => [
      name,
      (capacity.get(name) ?? 0n) - (learnt.allocatable.get(name) ?? 0n),
    ]),
  );
  return {
    kubeReserved: atLeastZero(subtractResources(withheld, evictionThreshold)),
    systemReserved,
    evictionThreshold,
  };
}
