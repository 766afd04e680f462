// Many machines with one PUT. In: a header with a name, zones and tags for each, and a body that all share. Out: the answer for
// the machine of the path when all were accepted; otherwise one refusal with a detail for each that was not. The others are
// made all the same.
import { isObject, listAt, objectAt, objectsAt, textAt, type JsonObject } from '../../kube/json.ts';
import type { Json } from '../../../api/meta.ts';
import type { ArmCall, ArmReply } from '../arm/arm-call.ts';
import { ArmError, type ArmErrorDetail } from '../errors.ts';
import type { FaultEffect } from '../faults.ts';
import { aksError, badRequest, operationNotAllowed } from './errors.ts';

const header = 'batchputmachine';
const most = 50;

interface World {
  readonly put: (member: ArmCall) => ArmReply;
  exists(id: string): boolean;
  strike(id: string): FaultEffect | undefined;
}

export function putBatch(call: ArmCall, world: World): ArmReply {
  const text = call.headers[header];
  if (text === undefined) return world.put(call);
  const details: ArmErrorDetail[] = [];
  const replies: ArmReply[] = [];
  for (const member of membersOf(text)) {
    try {
      replies.push(putMember(call, member, world));
    } catch (error) {
      if (!(error instanceof ArmError)) throw error;
      const target = textAt(member, 'machineName');
      details.push({ code: error.code, message: error.message, target });
    }
  }
  const [first] = replies;
  if (details.length > 0 || first === undefined) throw batchRefusal(details);
  return first;
}

function putMember(call: ArmCall, member: JsonObject, world: World): ArmReply {
  const own = memberCall(call, member, textAt(member, 'machineName'));
  if (world.exists(own.id)) {
    throw operationNotAllowed('A batch can only create machines; this one exists already.');
  }
  // The door has struck the machine of the path already.
  const fault = own.id === call.id ? call.fault : world.strike(own.id);
  if (fault?.kind === 'refuse') {
    throw new ArmError(fault.status, fault.code, fault.message ?? fault.code);
  }
  return world.put({ ...own, fault });
}

function membersOf(text: string): readonly JsonObject[] {
  let parsed: Json;
  try {
    parsed = JSON.parse(text) as Json;
  } catch {
    throw badRequest('The header BatchPutMachine is not valid JSON.');
  }
  const members = isObject(parsed) ? objectsAt(parsed, 'batchMachines') : [];
  const names = members.map((member) => textAt(member, 'machineName').toLowerCase());
  const isUsable =
    members.length > 0 &&
    names.every((name) => name !== '') &&
    new Set(names).size === names.length;
  if (!isUsable) {
    throw badRequest('The header BatchPutMachine must name at least one machine, and each once.');
  }
  if (members.length <= most) return members;
  throw badRequest(
    `The header BatchPutMachine names ${members.length} machines; ${most} is the limit.`,
  );
}

function memberCall(call: ArmCall, member: JsonObject, name: string): ArmCall {
  const shared = isObject(call.body) ? call.body : {};
  const zones = listAt(member, 'zones');
  const names = [...call.path.names.slice(0, -1), name];
  return {
    ...call,
    id: [...call.id.split('/').slice(0, -1), name].join('/'),
    path: { ...call.path, names },
    // A condition is about the one machine of the path.
    headers: { ...call.headers, 'if-match': undefined, 'if-none-match': undefined },
    body: {
      ...shared,
      ...(zones.length === 0 ? {} : { zones }),
      properties: {
        ...objectAt(shared, 'properties'),
        tags: { ...objectAt(shared, 'properties', 'tags'), ...objectAt(member, 'tags') },
      },
    },
  };
}

/** The service's own failures come with their details inside the message. */
function batchRefusal(details: readonly ArmErrorDetail[]): ArmError {
  const isClients = details.some(({ code }) => !code.startsWith('Internal'));
  return isClients
    ? aksError(
        400,
        'BatchMachineClientError',
        'One or more machines of the batch were refused. See details.',
        details,
      )
    : aksError(500, 'BatchMachineInternalServerError', JSON.stringify(details));
}
