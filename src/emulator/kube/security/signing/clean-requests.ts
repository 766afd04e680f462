// Removes requests that nobody waits for any more. In: all requests. Out: deletions, each when its time has come; the real
// controller looks once an hour and is late by as much.
import { parseClientCertificate } from '../client-certificate.ts';
import type { Again, ControllerFactory } from '../../controllers/runtime/controller.ts';
import { stringAt } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import { signingRequests } from './approve-requests.ts';
import { certificateOf, conditionsOf } from './signing-request.ts';

const hourMs = 3600_000;
const decidedMs = hourMs;
const undecidedMs = 24 * hourMs;

export function cleanSigningRequests(): ControllerFactory {
  return ({ informers, client, clock, enqueue }) => {
    const requests = informers.of(signingRequests);
    requests.onChange(({ after }) => {
      if (after !== undefined) enqueue(after.metadata.name);
    });
    return {
      name: 'csrcleaner',
      reconcile(key): Again {
        const request = requests.get(key);
        if (request === undefined) return undefined;
        const remainingMs = dueMs(request) - clock.now();
        if (remainingMs >= 0) return remainingMs + 1;
        client.delete(signingRequests, request);
        return undefined;
      },
    };
  };
}

/** The earliest moment after which the request is not kept. */
function dueMs(request: ApiObject): number {
  const conditions = conditionsOf(request);
  if (conditions.length === 0) return timeMs(request.metadata.creationTimestamp) + undecidedMs;
  const pem = certificateOf(request);
  const times = conditions.map((condition) => {
    const updatedMs = timeMs(stringAt(condition, 'lastUpdateTime'));
    switch (condition['type']) {
      case 'Denied':
      case 'Failed':
        return updatedMs + decidedMs;
      case 'Approved':
        return updatedMs + (pem === undefined ? undecidedMs : decidedMs);
      default:
        return Number.POSITIVE_INFINITY;
    }
  });
  const expiryMs = pem === undefined ? undefined : parseClientCertificate(pem)?.notAfterMs;
  return Math.min(...times, expiryMs ?? Number.POSITIVE_INFINITY);
}

function timeMs(text: string | undefined): number {
  return text === undefined ? Number.POSITIVE_INFINITY : Date.parse(text);
}
