// Which sizes suit a node class. In: a size and what of the class matters. Out: yes or no. Every rule stands for
// itself: a size must pass them all.
import { azureLabel, label } from '../../api/labels.ts';
import { allows } from '../../model/requirement.ts';
import { requirementOn, type Requirements } from '../../model/requirements.ts';
import type { ClassParameters } from './class-parameters.ts';
import type { GpuSystem } from './gpu-registry.ts';
import type { VmSize } from './vm-size.ts';

type Rule = (size: VmSize, parameters: ClassParameters) => boolean;

const gpuSystems: Readonly<Record<string, readonly GpuSystem[]>> = {
  Ubuntu: ['ubuntu'],
  Ubuntu2204: ['ubuntu'],
  Ubuntu2404: ['ubuntu'],
  AzureLinux: ['azurelinux', 'azurelinux3'],
};

/** The DNS cache on the node needs room of its own. */
const localDnsNeeds = { vcpus: 4, memoryMiB: 244 };

const rules: readonly Rule[] = [
  ({ gpu }, { imageFamily }) =>
    gpu === undefined ||
    (gpuSystems[imageFamily]?.some((system) => gpu.systems.includes(system)) ?? false),
  // Drivers are installed for NVIDIA only.
  ({ gpu }, { gpuDriver }) => gpu === undefined || !gpuDriver || gpu.vendor === 'nvidia',
  (size, { encryptionAtHost }) => !encryptionAtHost || size.encryptionAtHost,
  (size, { trustedLaunch }) => !trustedLaunch || size.trustedLaunch,
  ({ architecture }, { artifactStreaming }) => !artifactStreaming || architecture !== 'arm64',
  ({ vcpus, memoryGiB }, { localDns }) =>
    !localDns || (vcpus >= localDnsNeeds.vcpus && memoryGiB * 1024 >= localDnsNeeds.memoryMiB),
  // A size that no image runs on would be chosen, fail, and be chosen again.
  (size, { images }) => images === undefined || images.some((image) => runsOn(image, size)),
];

export function suitsClass(size: VmSize, parameters: ClassParameters): boolean {
  return rules.every((rule) => rule(size, parameters));
}

function runsOn(image: Requirements, { architecture, generations }: VmSize): boolean {
  const generation = requirementOn(image, azureLabel.skuHyperVGeneration);
  return (
    allows(requirementOn(image, label.arch), architecture) &&
    generations.some((offered) => allows(generation, offered))
  );
}
