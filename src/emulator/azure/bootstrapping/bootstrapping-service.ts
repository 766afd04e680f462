// AKS's node bootstrapping service: what makes a machine a node, for who makes the machine. In: GET with a JSON body, odd as that
// is, and a token of Resource Manager. Out: custom data and the command of the script extension, with a gap where the bootstrap
// token goes: the service does not know it. A refusal is a plain text.
import type { Json } from '../../../api/meta.ts';
import type { HttpHandler, HttpReply, HttpRequest } from '../../../base/http-server.ts';
import { isObject, textAt, type JsonObject } from '../../kube/json.ts';
import { authenticate, type AuthenticationOptions } from '../arm/authentication.ts';
import { parsePath, typeOf } from '../arm/resource-id.ts';
import { clusterFrom, managedClusterType, type Cluster } from '../containerservice/cluster.ts';
import type { ContainerService } from '../containerservice/container-service.ts';
import { bootCluster } from '../containerservice/machine-parts.ts';
import { ArmError } from '../errors.ts';
import { nodeBoot } from './node-boot.ts';
import { readProvisionValues } from './provision-values.ts';

export interface BootstrappingOptions {
  readonly service: ContainerService;
  readonly authentication: AuthenticationOptions;
}

const tokenGap = '{{.TokenID}}.{{.TokenSecret}}';
const action = 'nodebootstrapping';

export function createBootstrappingHandler(options: BootstrappingOptions): HttpHandler {
  return async (request) => {
    try {
      return await answer(request, options);
    } catch (error) {
      if (!(error instanceof ArmError)) throw error;
      return text(error.status, `${error.code}: ${error.message}`);
    }
  };
}

async function answer(request: HttpRequest, options: BootstrappingOptions): Promise<HttpReply> {
  const { service, authentication } = options;
  const caller = authenticate(request.headers['authorization'], authentication);
  if (request.method !== 'GET') return text(405, 'Method Not Allowed');
  const cluster = clusterOf(request.path, service);
  if (cluster === undefined) return text(404, `managed cluster not found: ${request.path}`);
  service.env.access.require(caller, `${managedClusterType}/read`, cluster.id);
  const body = parsed(await request.body());
  if (body === undefined) return text(400, 'request body is not a JSON object');
  const values = readProvisionValues(service, cluster, body);
  if (!values.ok) return text(400, values.reason);
  const { customData, cse } = nodeBoot(bootCluster(service, cluster), values.node, tokenGap);
  return json({ cse, customData });
}

/** The path is that of an action on the cluster, in any casing. */
function clusterOf(path: string, service: ContainerService): Cluster | undefined {
  const asked = parsePath(path);
  const isAction =
    asked !== undefined &&
    typeOf(asked).toLowerCase() === `${managedClusterType}/${action}`.toLowerCase();
  if (!isAction) return undefined;
  const resource = service.env.store.get(path.slice(0, path.lastIndexOf('/')));
  const isReady = textAt(resource?.body, 'properties', 'provisioningState') !== 'Deleting';
  return resource === undefined || !isReady ? undefined : clusterFrom(service.env, resource);
}

function parsed(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value = JSON.parse(Buffer.from(bytes).toString('utf8')) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function text(status: number, body: string): HttpReply {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}

function json(body: object): HttpReply {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return { status: 200, headers, body: JSON.stringify(body) };
}
