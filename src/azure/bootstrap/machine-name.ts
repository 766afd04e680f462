// Names of AKS machines and of the virtual machines behind them. In: a NodeClaim's name, or a virtual machine's. Out: the
// machine's name. A name that is too long keeps its beginning and its random end; six characters stand for the middle.
import { textHash } from '../../model/structural-hash.ts';

const longest = 34;
const hashLength = 6;

export type MachineName =
  | { readonly ok: true; readonly name: string }
  | { readonly ok: false; readonly reason: string };

export function machineNameOf(nodeClaimName: string): MachineName {
  if (nodeClaimName.length <= longest) return { ok: true, name: nodeClaimName };
  const lastDash = nodeClaimName.lastIndexOf('-');
  const suffix = nodeClaimName.slice(lastDash);
  const keptLength = longest - suffix.length - hashLength;
  if (lastDash < 0 || keptLength < 0) {
    return {
      ok: false,
      reason: `NodeClaim ${nodeClaimName} has more than ${longest} characters and no short part after a last dash, so that no AKS machine can be named after it`,
    };
  }
  const kept = nodeClaimName.slice(0, keptLength);
  return { ok: true, name: kept + digest(nodeClaimName.slice(keptLength, lastDash)) + suffix };
}

/** `aks-<pool>-<machine>-<8 characters>-vm`; undefined for a virtual machine that is none of the pool's. */
export function machineNameOfVm(pool: string, vmName: string): string | undefined {
  const prefix = `aks-${pool}-`;
  if (!vmName.startsWith(prefix) || !vmName.endsWith('-vm')) return undefined;
  const middle = vmName.slice(prefix.length, -'-vm'.length);
  const lastDash = middle.lastIndexOf('-');
  return lastDash < 0 ? undefined : middle.slice(0, lastDash);
}

/** The lowest digits to base 36, the lowest last. */
function digest(text: string): string {
  return textHash(text).toString(36).padStart(hashLength, '0').slice(-hashLength);
}
