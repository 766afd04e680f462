// Signs approved requests with the cluster's authority. In: approved requests for our signers. Out: a certificate, or a
// condition that says why there will be none.
// Signing takes a few turns of the microtask queue; a request is never signed twice meanwhile, and the certificate goes
// only to the very request that was approved.
import type { Clock } from '../../../../base/clock.ts';
import type {
  CertificateAuthority,
  CertificateRequest,
  CertificateTemplate,
} from '../../../certificates.ts';
import type {
  Again,
  ControllerContext,
  ControllerFactory,
} from '../../controllers/runtime/controller.ts';
import { objectAt } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import { signingRequests } from './approve-requests.ts';
import { isOurSigner, signingError } from './signers.ts';
import {
  certificateOf,
  conditionsOf,
  expirationSecondsOf,
  hasCondition,
  requestOf,
  signerOf,
  usagesOf,
} from './signing-request.ts';
import { toKeyUsages } from './usages.ts';

const minuteMs = 60_000;
const longestMs = 365 * 24 * 60 * minuteMs;
const shortestMs = 10 * minuteMs;
const backdateMs = 5 * minuteMs;
/** Below this a certificate ends when it was asked to; above, the backdating is taken off its end. */
const shortLivedMs = 8 * 60 * minuteMs;
const retryMs = 1000;

export function signSigningRequests(authority: CertificateAuthority): ControllerFactory {
  return (context) => {
    const requests = context.informers.of(signingRequests);
    const underWay = new Set<string>();
    requests.onChange(({ after }) => {
      if (after !== undefined && isDue(after)) context.enqueue(after.metadata.name);
    });
    return {
      name: 'csrsigning',
      reconcile(key): Again {
        const request = requests.get(key);
        const uid = request?.metadata.uid ?? '';
        if (request === undefined || !isDue(request) || underWay.has(uid)) return undefined;
        const parsed = requestOf(request);
        if (typeof parsed === 'string') return undefined;
        const error = signingError(signerOf(request), parsed, usagesOf(request));
        if (error !== undefined) {
          fail(context, request, error);
          return undefined;
        }
        underWay.add(uid);
        sign({ context, authority, request, parsed })
          .catch(() => context.enqueue(key, retryMs))
          .finally(() => underWay.delete(uid));
        return undefined;
      },
    };
  };
}

function isDue(request: ApiObject): boolean {
  return (
    isOurSigner(signerOf(request)) &&
    certificateOf(request) === undefined &&
    hasCondition(request, 'Approved') &&
    !hasCondition(request, 'Denied') &&
    !hasCondition(request, 'Failed')
  );
}

function fail({ client }: ControllerContext, request: ApiObject, message: string): void {
  const failure = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message };
  const conditions = [...conditionsOf(request), failure];
  const status = { ...objectAt(request, 'status'), conditions };
  client.update(signingRequests, { ...request, status }, 'status');
}

async function sign(options: {
  readonly context: ControllerContext;
  readonly authority: CertificateAuthority;
  readonly request: ApiObject;
  readonly parsed: CertificateRequest;
}): Promise<void> {
  const { context, authority, request, parsed } = options;
  const template = templateFor(context.clock, request, parsed);
  const pem = await authority.sign(parsed.publicKey, template);
  const { name, uid } = request.metadata;
  const current = context.client.get(signingRequests, { name });
  if (current === undefined || current.metadata.uid !== uid || !isDue(current)) return;
  const certificate = Buffer.from(pem).toString('base64');
  const status = { ...objectAt(current, 'status'), certificate };
  context.client.update(signingRequests, { ...current, status }, 'status');
}

function templateFor(
  clock: Clock,
  request: ApiObject,
  parsed: CertificateRequest,
): CertificateTemplate {
  const nowMs = clock.now();
  const askedMs = (expirationSecondsOf(request) ?? Number.POSITIVE_INFINITY) * 1000;
  const lifetimeMs = Math.max(shortestMs, Math.min(askedMs, longestMs));
  return {
    subject: parsed.subject,
    alternativeNames: parsed.alternativeNames,
    ...toKeyUsages(usagesOf(request)),
    notBeforeMs: nowMs - backdateMs,
    notAfterMs: nowMs + lifetimeMs - (lifetimeMs < shortLivedMs ? 0 : backdateMs),
  };
}
