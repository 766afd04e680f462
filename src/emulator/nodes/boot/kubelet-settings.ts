// What a kubelet makes of its command line. In: flags and labels as the payload has them, and its version. Out: its settings,
// or the sentence with which it refuses to start.
import { tryParseQuantity, type Quantity } from '../../../model/quantity.ts';
import { isKnownFlag } from './known-flags.ts';

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

export type Amounts = Readonly<Record<string, Quantity>>;

/** A signal's floor: an amount, or a share of the whole. */
export type Floor = { readonly amount: Quantity } | { readonly share: number };

export interface KubeletSettings {
  readonly flags: ReadonlyMap<string, string>;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly maxPods: number;
  readonly kubeReserved: Amounts;
  readonly systemReserved: Amounts;
  readonly evictionHard: ReadonlyMap<string, Floor>;
}

export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };

const kubeletDefaults = {
  maxPods: 110,
  evictionHard:
    'memory.available<100Mi,nodefs.available<10%,nodefs.inodesFree<5%,imagefs.available<15%',
};

export function kubeletSettings(command: {
  readonly flags: string;
  readonly labels: string;
  readonly minor: number;
}): Reading<KubeletSettings> {
  try {
    const flags = readFlags(command.flags, command.minor);
    return {
      ok: true,
      value: {
        flags,
        labels: readLabels(command.labels),
        taints: listed(flags.get('register-with-taints')).reduce(withTaint, []),
        maxPods: readCount(flags, 'max-pods', kubeletDefaults.maxPods),
        kubeReserved: readAmounts(flags, 'kube-reserved'),
        systemReserved: readAmounts(flags, 'system-reserved'),
        evictionHard: readFloors(flags.get('eviction-hard') ?? kubeletDefaults.evictionHard),
      },
    };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, reason: error.message };
    throw error;
  }
}

/** Leaves this file as a value: every flag may be the one at which the kubelet gives up. */
class Refusal extends Error {}

function listed(text = ''): readonly string[] {
  return text.split(',').filter((item) => item !== '');
}

function readFlags(text: string, minor: number): ReadonlyMap<string, string> {
  const flags = new Map<string, string>();
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const [, flag, value = 'true'] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (flag === undefined) throw new Refusal(`unknown command ${word}`);
    if (!isKnownFlag(flag, minor)) {
      throw new Refusal(`failed to parse kubelet flag: unknown flag: --${flag}`);
    }
    flags.set(flag, value);
  }
  return flags;
}

function readCount(flags: ReadonlyMap<string, string>, flag: string, fallback: number): number {
  const text = flags.get(flag);
  if (text === undefined) return fallback;
  if (!/^\d+$/.test(text)) throw new Refusal(`invalid argument "${text}" for "--${flag}" flag`);
  return Number(text);
}

const restricted = /(^|\.)(kubernetes\.io|k8s\.io)$/;
const kubeletPrefixes = /(^|\.)(kubelet|node)\.kubernetes\.io$/;
const kubeletLabels = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/arch',
  'kubernetes.io/os',
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/instance-type',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
]);

function readLabels(text: string): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {};
  for (const item of listed(text)) {
    const mark = item.indexOf('=');
    if (mark === -1) throw new Refusal(`--node-labels: ${item} is not of the form key=value`);
    const key = item.slice(0, mark);
    const value = item.slice(mark + 1);
    if (!isQualified(key)) throw new Refusal(`--node-labels: invalid label key "${key}"`);
    if (value !== '' && !name.test(value)) {
      throw new Refusal(`--node-labels: invalid label value "${value}" of "${key}"`);
    }
    labels[key] = value;
  }
  const unknown = Object.keys(labels).filter((key) => isForbidden(key));
  if (unknown.length === 0) return labels;
  throw new Refusal(
    `unknown 'kubernetes.io' or 'k8s.io' labels specified with --node-labels: [${unknown.join(' ')}]`,
  );
}

function isForbidden(key: string): boolean {
  const prefix = key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
  return restricted.test(prefix) && !kubeletPrefixes.test(prefix) && !kubeletLabels.has(key);
}

const name = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const domain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

function isQualified(key: string): boolean {
  const parts = key.split('/');
  const [last = ''] = parts.slice(-1);
  return (
    name.test(last) && parts.length <= 2 && parts.slice(0, -1).every((one) => domain.test(one))
  );
}

const taintForm =
  /^(?<key>[^=:]+)(?:=(?<value>[^:]*))?:(?<effect>NoSchedule|PreferNoSchedule|NoExecute)$/;

function withTaint(taints: readonly Taint[], item: string): readonly Taint[] {
  const { key = '', value = '', effect = '' } = taintForm.exec(item)?.groups ?? {};
  if (!isQualified(key)) {
    throw new Refusal(`--register-with-taints: invalid taint spec: ${item}`);
  }
  if (taints.some((one) => one.key === key && one.effect === effect)) {
    throw new Refusal(
      `--register-with-taints: duplicated taints with the same key and effect: ${item}`,
    );
  }
  return [...taints, { key, ...(value === '' ? {} : { value }), effect }];
}

function readAmounts(flags: ReadonlyMap<string, string>, flag: string): Amounts {
  const amounts: Record<string, Quantity> = {};
  for (const item of listed(flags.get(flag))) {
    const [resource = '', text = ''] = item.split('=');
    const parsed = tryParseQuantity(text);
    if (!parsed.ok || parsed.quantity.nano < 0n) {
      throw new Refusal(`--${flag}: ${item} is not an amount of a resource`);
    }
    amounts[resource] = parsed.quantity;
  }
  return amounts;
}

function readFloors(text: string): ReadonlyMap<string, Floor> {
  const floors = new Map<string, Floor>();
  for (const item of listed(text)) {
    const [signal = '', floor = ''] = item.split('<');
    const percent = /^(\d+(?:\.\d+)?)%$/.exec(floor)?.[1];
    const parsed = tryParseQuantity(floor);
    if (percent !== undefined) floors.set(signal, { share: Number(percent) / 100 });
    else if (parsed.ok) floors.set(signal, { amount: parsed.quantity });
    else throw new Refusal(`--eviction-hard: ${item} is not a threshold`);
  }
  return floors;
}
