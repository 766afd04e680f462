// A node of a pool that makes its own, worded as a machine that a client would ask for. In: the pool and how many nodes were
// made before. Out: the body of a machine; zones are taken in turn.
import { listAt, objectAt, textAt, type JsonObject } from '../../kube/json.ts';

export function poolMachine(pool: JsonObject, index: number): JsonObject {
  const zones = listAt(pool, 'availabilityZones');
  const zone = zones[index % Math.max(1, zones.length)];
  return {
    ...(zone === undefined ? {} : { zones: [zone] }),
    properties: {
      hardware: { vmSize: textAt(pool, 'vmSize') },
      operatingSystem: { osType: 'Linux', ...taken(pool, systemFields) },
      kubernetes: {
        nodeLabels: objectAt(pool, 'nodeLabels') ?? {},
        orchestratorVersion: textAt(pool, 'orchestratorVersion'),
        nodeTaints: listAt(pool, 'nodeTaints'),
        ...taken(pool, ['maxPods', 'kubeletConfig']),
      },
      network: taken(pool, ['vnetSubnetID']),
      mode: textAt(pool, 'mode'),
      ...(textAt(pool, 'scaleSetPriority') === 'Spot' ? { priority: 'Spot' } : {}),
      ...taken(pool, ['nodeImageVersion', 'tags']),
      security: taken(pool, ['enableEncryptionAtHost']),
    },
  };
}

const systemFields = ['osSKU', 'osDiskSizeGB', 'osDiskType', 'enableFIPS'];

function taken(pool: JsonObject, fields: readonly string[]): JsonObject {
  const entries = fields.flatMap((field) => {
    const value = pool[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(entries);
}
