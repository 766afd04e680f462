// The DNS cache of a node as both of AKS's APIs take it. In: a node class. Out: the wire's profile, undefined for a
// class without one.
// Preferred is never sent: the decision is in the class's status, and whoever read Preferred would decide once more.
import {
  type AKSNodeClass,
  type LocalDns,
  type LocalDnsZoneOverride,
  specOf,
} from '../../api/aks-node-class.ts';
import { parseDuration } from '../../model/duration.ts';
import { isLocalDnsEnabled } from './node-plan.ts';

export interface LocalDnsOverride {
  readonly queryLogging: string;
  readonly protocol: string;
  readonly forwardDestination: string;
  readonly forwardPolicy: string;
  readonly maxConcurrent: number;
  readonly cacheDurationInSeconds: number;
  readonly serveStaleDurationInSeconds: number;
  readonly serveStale: string;
}

export interface LocalDnsProfile {
  readonly mode: 'Required' | 'Disabled';
  readonly vnetDNSOverrides?: Readonly<Record<string, LocalDnsOverride>>;
  readonly kubeDNSOverrides?: Readonly<Record<string, LocalDnsOverride>>;
}

export function localDnsProfile(nodeClass: AKSNodeClass): LocalDnsProfile | undefined {
  const { localDNS } = specOf(nodeClass);
  if (localDNS === undefined) return undefined;
  const { vnetDNSOverrides, kubeDNSOverrides } = localDNS;
  return {
    mode: modeOf(localDNS, nodeClass),
    ...(vnetDNSOverrides.length > 0 && { vnetDNSOverrides: byZone(vnetDNSOverrides) }),
    ...(kubeDNSOverrides.length > 0 && { kubeDNSOverrides: byZone(kubeDNSOverrides) }),
  };
}

export function wholeSeconds(duration: string): number {
  return Number(parseDuration(duration) / 1_000_000_000n);
}

function modeOf({ mode }: LocalDns, nodeClass: AKSNodeClass): LocalDnsProfile['mode'] {
  if (mode !== 'Preferred') return mode;
  return isLocalDnsEnabled(nodeClass) ? 'Required' : 'Disabled';
}

function byZone(overrides: readonly LocalDnsZoneOverride[]) {
  return Object.fromEntries(
    overrides.map(({ zone, cacheDuration, serveStaleDuration, ...same }) => [
      zone,
      {
        ...same,
        cacheDurationInSeconds: wholeSeconds(cacheDuration),
        serveStaleDurationInSeconds: wholeSeconds(serveStaleDuration),
      },
    ]),
  );
}
