// What the types of Microsoft.ContainerService share. In: options, and the rest of this Azure. Out: one context that each of its
// types is built on. The Kubernetes behind a cluster is not made here: whoever runs it says how it is reached.
import type { TypeRegistry } from '../arm/registry.ts';
import type { Compute } from '../compute/compute.ts';
import type { AzureEnvironment } from '../environment.ts';
import type { ImageFacts } from '../facts.ts';
import { NodeImages } from './node-images.ts';
import { Undertakings } from './undertakings.ts';

export interface ClusterName {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly name: string;
}

/** How the Kubernetes API of a cluster is reached. */
export interface ClusterAccess {
  /** YAML, as `az aks get-credentials` merges it. */
  readonly kubeconfig: string;
  /** Host and port for nodes; the cluster's own made-up name unless given. */
  readonly apiServer?: string;
  /** PEM. */
  readonly caCertificate?: string;
  /** What a node of AKS's own making joins with: `<id>.<secret>`. */
  readonly bootstrapToken?: string;
  /** Of service account tokens. */
  readonly issuerUrl?: string;
}

export interface ContainerServiceOptions {
  readonly clusterAccess?: (cluster: ClusterName) => ClusterAccess | undefined;
  /** `1.35.4`; the first is the default. */
  readonly kubernetesVersions?: readonly string[];
}

export interface ContainerService {
  readonly compute: Compute;
  readonly env: AzureEnvironment;
  readonly registry: () => TypeRegistry;
  readonly images: NodeImages;
  readonly undertakings: Undertakings;
  readonly kubernetesVersions: readonly string[];
  accessOf(cluster: ClusterName): ClusterAccess | undefined;
}

const defaultVersions = ['1.35.4', '1.34.6', '1.33.10'];

export function createContainerService(
  compute: Compute,
  options: ContainerServiceOptions & {
    readonly images?: readonly ImageFacts[] | undefined;
    readonly registry: () => TypeRegistry;
  },
): ContainerService {
  const { env } = compute;
  return {
    compute,
    env,
    registry: options.registry,
    images: new NodeImages(options.images ?? []),
    undertakings: new Undertakings(env),
    kubernetesVersions: options.kubernetesVersions ?? defaultVersions,
    accessOf: (cluster) => options.clusterAccess?.(cluster),
  };
}
