// A small Azure to test against: two regions, a handful of sizes with their real facts, an owner, virtual time. In:
// what a test wants different. Out: the Azure and a client that speaks to it without a socket.
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Json } from '../../api/meta.ts';
import type { HttpHandler } from '../../base/http-server.ts';
import { silentLogger } from '../../base/log.ts';
import { seededRandom } from '../../base/random.ts';
import { VirtualClock } from '../../base/virtual-clock.ts';
import type { JsonObject } from '../kube/json.ts';
import { createAzure, type Azure, type AzureOptions } from './azure.ts';
import type { Principal } from './entra/directory.ts';
import type { ImageFacts, RegionFacts, SizeFacts } from './facts.ts';

export const subscriptionId = '11111111-2222-4333-8444-555555555555';
export const tenantId = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';

export const owner: Principal = {
  objectId: '00000000-0000-4000-8000-000000000001',
  clientId: '00000000-0000-4000-8000-0000000000a1',
  displayName: 'owner',
  kind: 'Application',
  secrets: ['owner-secret'],
};

export const testRegions: readonly RegionFacts[] = [
  { name: 'southcentralus', displayName: 'South Central US', zones: ['1', '2', '3'] },
  { name: 'westcentralus', displayName: 'West Central US', zones: [] },
];

const everywhere = {
  southcentralus: { zones: ['1', '2', '3'] },
  westcentralus: { zones: [] },
} as const;

export const testSizes: readonly SizeFacts[] = [
  {
    name: 'Standard_D2s_v3',
    family: 'standardDSv3Family',
    vCpus: 2,
    memoryGiB: 8,
    architecture: 'x64',
    maxDataDisks: 4,
    maxNics: 2,
    tempDiskMiB: 16_384,
    cacheDiskBytes: 53_687_091_200,
    hyperVGenerations: ['V1', 'V2'],
    premiumStorage: true,
    acceleratedNetworking: true,
    ephemeralOsDisk: true,
    ephemeralPlacements: ['ResourceDisk', 'CacheDisk'],
    encryptionAtHost: true,
    spotCapable: true,
    placements: everywhere,
    pricePerHour: { southcentralus: 0.115 },
  },
  {
    name: 'Standard_D64s_v3',
    family: 'standardDSv3Family',
    vCpus: 64,
    memoryGiB: 256,
    architecture: 'x64',
    maxDataDisks: 32,
    maxNics: 8,
    tempDiskMiB: 524_288,
    cacheDiskBytes: 1_717_986_918_400,
    hyperVGenerations: ['V1', 'V2'],
    premiumStorage: true,
    acceleratedNetworking: true,
    ephemeralOsDisk: true,
    ephemeralPlacements: ['ResourceDisk', 'CacheDisk'],
    encryptionAtHost: true,
    spotCapable: true,
    placements: everywhere,
    pricePerHour: { southcentralus: 3.68 },
  },
  {
    name: 'Standard_D16plds_v5',
    family: 'standardDPLDSv5Family',
    vCpus: 16,
    memoryGiB: 32,
    architecture: 'Arm64',
    maxDataDisks: 32,
    maxNics: 4,
    tempDiskMiB: 614_400,
    cacheDiskBytes: 429_496_729_600,
    hyperVGenerations: ['V2'],
    premiumStorage: true,
    acceleratedNetworking: true,
    ephemeralOsDisk: true,
    ephemeralPlacements: ['ResourceDisk', 'CacheDisk'],
    encryptionAtHost: true,
    spotCapable: true,
    trustedLaunchDisabled: true,
    placements: {
      southcentralus: { zones: ['1', '2', '3'], restricted: ['3'], ultraSsdZones: ['1'] },
    },
  },
  {
    name: 'Standard_A0',
    family: 'standardA0_A7Family',
    vCpus: 1,
    memoryGiB: 0.75,
    architecture: 'x64',
    maxDataDisks: 1,
    maxNics: 2,
    tempDiskMiB: 20_480,
    hyperVGenerations: ['V1'],
    premiumStorage: false,
    acceleratedNetworking: false,
    ephemeralOsDisk: false,
    spotCapable: false,
    placements: {
      southcentralus: { zones: [] },
      westcentralus: { zones: [], restricted: true },
    },
  },
];

export const testImages: readonly ImageFacts[] = [
  {
    gallery: 'AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2',
    definition: '2204gen2containerd',
    architecture: 'x64',
    hyperVGeneration: 'V2',
    versions: [
      { version: '202501.05.0', publishedMs: Date.UTC(2025, 0, 5) },
      { version: '202502.09.0', publishedMs: Date.UTC(2025, 1, 9) },
    ],
  },
  {
    gallery: 'AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2',
    definition: '2204gen2arm64containerd',
    architecture: 'Arm64',
    hyperVGeneration: 'V2',
    versions: [{ version: '202502.09.0', publishedMs: Date.UTC(2025, 1, 9) }],
  },
];

const testLocation = 'southcentralus';

const imageId =
  '/CommunityGalleries/AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2/images/2204gen2containerd/versions/202502.09.0';
const sshKey = 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ test@example.com';

/** In subnet `nodes` of network `vnet` of the same group. */
export function nicBody(group: string, properties: JsonObject = {}): JsonObject {
  const place = `/subscriptions/${subscriptionId}/resourceGroups/${group}/providers`;
  const subnet = { id: `${place}/Microsoft.Network/virtualNetworks/vnet/subnets/nodes` };
  return {
    location: testLocation,
    properties: {
      ipConfigurations: [{ name: 'primary', properties: { primary: true, subnet } }],
      ...properties,
    },
  };
}

/** A machine as a node's is made, on the interface of its own name; `changes` are to its properties. */
export function vmBody(options: {
  readonly name: string;
  readonly group: string;
  readonly changes?: JsonObject;
  readonly zones?: readonly string[];
}): JsonObject {
  const { name, group, changes = {}, zones = ['1'] } = options;
  const place = `/subscriptions/${subscriptionId}/resourceGroups/${group}/providers`;
  return {
    location: testLocation,
    zones,
    tags: { 'karpenter.sh_nodepool': 'default' },
    properties: {
      hardwareProfile: { vmSize: 'Standard_D2s_v3' },
      storageProfile: {
        imageReference: { communityGalleryImageId: imageId },
        osDisk: {
          name,
          createOption: 'FromImage',
          deleteOption: 'Delete',
          diskSizeGB: 128,
          caching: 'ReadWrite',
        },
      },
      osProfile: {
        computerName: name,
        adminUsername: 'azureuser',
        customData: Buffer.from('#cloud-config').toString('base64'),
        linuxConfiguration: {
          disablePasswordAuthentication: true,
          ssh: {
            publicKeys: [{ path: '/home/azureuser/.ssh/authorized_keys', keyData: sshKey }],
          },
        },
      },
      networkProfile: {
        networkInterfaces: [
          {
            id: `${place}/Microsoft.Network/networkInterfaces/${name}`,
            properties: { primary: true, deleteOption: 'Delete' },
          },
        ],
      },
      ...changes,
    },
  };
}

let sharedKey: KeyObject | undefined;

/** Making an RSA key takes longer than most tests; one for all of them is as good. */
export function tokenKey(): KeyObject {
  sharedKey ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  return sharedKey;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

export interface TestAzure {
  readonly azure: Azure;
  readonly clock: VirtualClock;
  /** As the owner unless another token is given. */
  send(
    method: string,
    target: string,
    body?: Json,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** Sends, lets time pass until the operation is over, and gives its final status. */
  finish(method: string, target: string, body?: Json): Promise<Answer>;
  tokenOf(principal: Principal): string;
}

export const armUrl = 'https://management.azure.com';

export function testAzure(changes: Partial<AzureOptions> = {}): TestAzure {
  const clock = new VirtualClock();
  const azure = createAzure(
    {
      clock,
      random: seededRandom(1),
      log: silentLogger,
      tenantId,
      subscriptions: [{ id: subscriptionId, name: 'Test' }],
      regions: testRegions,
      owner,
      tokenKey: tokenKey(),
      ...changes,
    },
    () => ({ armUrl, entraUrl: 'https://login.microsoftonline.com' }),
  );
  const tokens = new Map<string, { readonly token: string; readonly expiresOnSeconds: number }>();
  const tokenOf = (principal: Principal): string => {
    const known = tokens.get(principal.objectId);
    if (known !== undefined && known.expiresOnSeconds * 1000 > clock.now()) return known.token;
    const issued = azure.tokens.issue(principal, armUrl);
    tokens.set(principal.objectId, issued);
    return issued.token;
  };
  const send: TestAzure['send'] = (method, target, body, headers = {}) =>
    ask(azure.armHandler, {
      method,
      target,
      headers: { authorization: `Bearer ${tokenOf(owner)}`, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    azure,
    clock,
    send,
    tokenOf,
    finish: async (method, target, body) => {
      const first = await send(method, target, body);
      const poll = first.headers['azure-asyncoperation'] ?? first.headers['location'];
      if (poll === undefined) return first;
      let answer = first;
      const isDone = (): boolean => answer.status !== 202 && answer.body['status'] !== 'InProgress';
      do {
        await clock.advance(5000);
        answer = await send('GET', poll.slice(armUrl.length));
      } while (!isDone());
      return answer;
    },
  };
}

export async function ask(
  handler: HttpHandler,
  request: {
    readonly method: string;
    readonly target: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  },
): Promise<Answer> {
  const [path = '/', query = ''] = request.target.split('?');
  const reply = await handler({
    method: request.method,
    path,
    query: new URLSearchParams(query),
    headers: request.headers ?? {},
    signal: new AbortController().signal,
    body: () => Promise.resolve(Buffer.from(request.body ?? '')),
  });
  const text = typeof reply.body === 'string' ? reply.body : '{}';
  return {
    status: reply.status,
    headers: reply.headers ?? {},
    body: JSON.parse(text === '' ? '{}' : text) as JsonObject,
  };
}
