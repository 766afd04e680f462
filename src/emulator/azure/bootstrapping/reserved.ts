// What AKS keeps of a node for Kubernetes itself. In: the size. Out: CPU by its published table, memory by its published rule:
// 20 MB for each pod and 50 MB more, but never more than a quarter.

/** Cores of a size, and the millicores kept of it; in between the last step holds with what each further core adds. */
const cpuSteps: readonly (readonly [vCpus: number, millis: number])[] = [
  [1, 60],
  [2, 100],
  [4, 140],
  [8, 180],
  [16, 260],
  [32, 420],
  [64, 740],
];

export function reservedCpuMillis(vCpus: number): number {
  let [lowCpus, lowMillis] = [0, 0];
  for (const [cpus, millis] of cpuSteps) {
    if (vCpus === cpus) return millis;
    if (vCpus < cpus) {
      const share = (vCpus - lowCpus) / (cpus - lowCpus);
      return Math.round(lowMillis + share * (millis - lowMillis));
    }
    [lowCpus, lowMillis] = [cpus, millis];
  }
  // Beyond the table every core costs what the last ones cost.
  return lowMillis + (vCpus - lowCpus) * 10;
}

export function reservedMemoryMib(node: {
  readonly maxPods: number;
  readonly memoryGib: number;
}): number {
  return Math.floor(Math.min(20 * node.maxPods + 50, node.memoryGib * 1024 * 0.25));
}
