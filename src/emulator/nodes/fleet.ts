// The virtual machines of the local Azure, alive. In: what happens to machines in Azure, and the Kubernetes APIs that they can reach.
// Out: nodes, made from the payload of each machine; and ways to make them fail.
// 1. A machine of Azure is one machine here, from its creation to its deletion. 2. After `stop` no timer or watch of it is left.
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Random } from '../../base/random.ts';
import type { SizeCatalog } from '../azure/compute/size-catalog.ts';
import type { VirtualMachine, VmChange, VmEvents } from '../azure/compute/vm-events.ts';
import { CloudNodeLifecycle, type MachineWhereabouts } from './cloud-node-lifecycle.ts';
import type { KubeEndpoint } from './kube-endpoint.ts';
import { nodeNameOf } from './kubelet/node-object.ts';
import { Machine, type MachineHost, type MachinePhase } from './machine.ts';
import type { NodeFault } from './node-fault.ts';
import type { ScheduledEvent } from './problem-detector.ts';
import { createDelays, type NodeTimings } from './timings.ts';

export interface FleetOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly machines: Pick<VmEvents, 'onChanged'>;
  readonly sizes: Pick<SizeCatalog, 'find'>;
  readonly endpoints: readonly KubeEndpoint[];
  readonly timings?: Partial<NodeTimings>;
  /** 10: machines boot and pods start ten times as fast. */
  readonly speed?: number;
  /** DaemonSets that bring the network to nodes whose image has none; without any the plugin's time alone counts. */
  readonly networkAgents?: readonly string[];
  readonly leaseRenewMs?: number;
}

export interface FleetNode {
  /** The resource id of its machine. */
  readonly vmId: string;
  readonly nodeName: string;
  readonly phase: MachinePhase;
  /** As its kubelet last said. */
  readonly isReady: boolean;
  readonly bootLog: readonly string[];
}

export interface Fleet {
  nodes(): readonly FleetNode[];
  /** By node name; a node that is not running cannot fail. */
  setFault(nodeName: string, fault: NodeFault, isOn: boolean): void;
  /** A scheduled event of Azure's, as the machine hears of it. */
  announce(nodeName: string, event: ScheduledEvent): void;
  /** From within: Azure hears nothing of it. */
  reboot(nodeName: string): void;
  stop(): void;
}

const usualRenewMs = 10_000;

export function startFleet(options: FleetOptions): Fleet {
  const { clock, log, sizes } = options;
  const random = options.random.fork();
  const host: MachineHost = {
    clock,
    random,
    log,
    delays: createDelays({ timings: options.timings, speed: options.speed, random: random.fork() }),
    endpoints: options.endpoints,
    networkAgents: options.networkAgents ?? [],
    leaseRenewMs: options.leaseRenewMs ?? usualRenewMs,
  };
  const lifecycle = new CloudNodeLifecycle({ clock, endpoints: options.endpoints });
  const machines = new Map<string, Machine>();
  let made = 0;
  const machineOf = (vm: VirtualMachine): Machine | undefined => {
    const key = vm.id.toLowerCase();
    const known = machines.get(key);
    if (known !== undefined) return known;
    const size = sizes.find(vm.size, vm.location);
    if (size === undefined) return undefined;
    const machine = new Machine(host, { vm, size, nextPodAddress: podAddresses(made++) });
    machines.set(key, machine);
    return machine;
  };
  const hearing = options.machines.onChanged((change) => {
    const machine = machineOf(change.vm);
    if (machine === undefined) return;
    machine.see(change.vm);
    const { move, whereabouts } = acts[change.kind];
    move(machine, change);
    if (whereabouts !== undefined) lifecycle.note(change.vm, whereabouts);
    if (change.kind === 'deleted') machines.delete(change.vm.id.toLowerCase());
  });
  const named = (nodeName: string): Machine | undefined =>
    [...machines.values()].find(({ vm }) => nodeNameOf(vm) === nodeName);
  return {
    nodes: () => [...machines.values()].map((machine) => viewOf(machine)),
    setFault: (nodeName, fault, isOn) => named(nodeName)?.setFault(fault, isOn),
    announce: (nodeName, event) => named(nodeName)?.announce(event),
    reboot: (nodeName) => named(nodeName)?.restart(),
    stop: () => {
      hearing[Symbol.dispose]();
      lifecycle.stop();
      for (const machine of machines.values()) machine.powerOff();
      machines.clear();
    },
  };
}

/** What a change in Azure does to a machine, and what the cloud's controller makes of its node. */
interface Act {
  readonly move: (machine: Machine, change: VmChange) => void;
  readonly whereabouts?: MachineWhereabouts;
}

const off = (machine: Machine): void => machine.powerOff();
const nothing = (): void => undefined;

const acts: Readonly<Record<VmChange['kind'], Act>> = {
  created: { move: nothing },
  updated: { move: nothing },
  running: { move: (machine) => machine.powerOn(), whereabouts: 'back' },
  restarted: { move: (machine) => machine.restart() },
  reimaged: { move: (machine) => machine.reimage() },
  extended: { move: (machine) => machine.extensionInstalled() },
  preempting: { move: (machine, { atMs = 0 }) => machine.announce({ type: 'Preempt', atMs }) },
  failed: { move: off },
  stopped: { move: off, whereabouts: 'stopped' },
  deallocated: { move: off, whereabouts: 'stopped' },
  // Whether it is deleted or deallocated then is told at once.
  evicted: { move: off },
  deleted: { move: off, whereabouts: 'gone' },
};

function viewOf(machine: Machine): FleetNode {
  const { vm, phase, isReady, bootLog } = machine;
  return { vmId: vm.id, nodeName: nodeNameOf(vm), phase, isReady, bootLog: [...bootLog] };
}

/** Each machine has 256 addresses of the overlay to itself, and gives them out in turn. */
function podAddresses(machine: number): () => string {
  let given = 0;
  const network = `10.${244 + ((machine >> 8) % 12)}.${machine % 256}`;
  return () => `${network}.${4 + (given++ % 250)}`;
}
