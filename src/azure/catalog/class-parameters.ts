// What of a node class changes its instance types. In: an AKSNodeClass and the cluster's network. Out: a small value,
// and a key that is equal for classes whose instance types are equal.
import {
  type AKSNodeClass,
  type AKSNodeClassSpec,
  type NodeImage,
  specOf,
} from '../../api/aks-node-class.ts';
import type { RequirementEntry } from '../../model/requirement.ts';
import { type Requirements, requirementsFromEntries } from '../../model/requirements.ts';
import { usableImages } from '../image/usable-status.ts';
import { azureLabelRules } from './label-rules.ts';

export interface NetworkOptions {
  readonly plugin: string;
  readonly pluginMode: string;
}

export interface ClassParameters {
  readonly imageFamily: string;
  readonly osDiskSizeGb: number;
  readonly maxPods: number;
  readonly encryptionAtHost: boolean;
  readonly trustedLaunch: boolean;
  readonly gpuDriver: boolean;
  readonly artifactStreaming: boolean;
  readonly fips: boolean;
  readonly localDns: boolean;
  /** What each usable image runs on; undefined as long as nobody has looked for images. */
  readonly images: readonly Requirements[] | undefined;
}

export function classParameters(nodeClass: AKSNodeClass, network: NetworkOptions): ClassParameters {
  const spec = specOf(nodeClass);
  const { security, artifactStreaming } = spec;
  return {
    imageFamily: spec.imageFamily,
    osDiskSizeGb: spec.osDiskSizeGB,
    maxPods: spec.maxPods ?? defaultMaxPods(network),
    encryptionAtHost: security?.encryptionAtHost === true,
    trustedLaunch: hasTrustedLaunch(security),
    gpuDriver: spec.gpu?.mode !== 'None',
    artifactStreaming: artifactStreaming?.enabled === true,
    fips: spec.fipsMode === 'FIPS',
    localDns: nodeClass.status?.localDNSState === 'Enabled',
    images: imagesOf(nodeClass)?.map(({ requirements }) =>
      requirementsFromEntries(azureLabelRules, requirements as readonly RequirementEntry[]),
    ),
  };
}

function hasTrustedLaunch(security: AKSNodeClassSpec['security']): boolean {
  return security?.trustedLaunch?.vtpm === true || security?.trustedLaunch?.secureBoot === true;
}

export function parametersKey(nodeClass: AKSNodeClass, network: NetworkOptions): string {
  const { images: _, ...parameters } = classParameters(nodeClass, network);
  const images = imagesOf(nodeClass)?.map(({ requirements }) => requirements);
  return JSON.stringify([parameters, images]);
}

export function defaultMaxPods({ plugin, pluginMode }: NetworkOptions): number {
  if (plugin === 'none') return 250;
  if (plugin !== 'azure') return 110;
  if (pluginMode === 'overlay') return 250;
  return pluginMode === '' ? 30 : 110;
}

/** A class that is ready without any image has none to judge by. */
function imagesOf(nodeClass: AKSNodeClass): readonly NodeImage[] | undefined {
  const images = usableImages(nodeClass);
  return images.ok && images.value.length > 0 ? images.value : undefined;
}
