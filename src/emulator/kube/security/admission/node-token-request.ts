// Which tokens a kubelet may ask for: those of pods that run on its node, for the audiences that these name.
// In: a TokenRequest by a kubelet. Out: nothing, or the StatusError that it is refused with.
// Token requests are answered and never written, so no admission plugin sees them: whoever answers asks here first.
import { quote } from '../../../../api/crd/validation/field-error.ts';
import type { UserInfo } from '../../api.ts';
import { at, listAt, objectAt, stringAt, type JsonObject } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import type { Authorizer } from '../../ports.ts';
import { forbidden, notFound } from '../../status-error.ts';
import { keyOf, tables, type StoredObjects } from '../stored-objects.ts';
import { nodeNameOf } from '../user.ts';
import { searchAudience } from './token-audience.ts';

interface TokenQuestion {
  readonly user: UserInfo;
  readonly namespace: string;
  readonly account: string;
  readonly object: JsonObject;
}

interface Deciders {
  readonly objects: StoredObjects;
  readonly authorizer: Authorizer;
}

export function checkNodeTokenRequest(deciders: Deciders, question: TokenQuestion): void {
  const node = nodeNameOf(question.user);
  if (node === undefined) return;
  const error = tokenError(deciders, question, node);
  if (error !== undefined) {
    throw forbidden({ group: '', resource: 'serviceaccounts' }, question.account, error);
  }
}

function tokenError(deciders: Deciders, question: TokenQuestion, node: string): string | undefined {
  const reference = objectAt(question.object, 'spec', 'boundObjectRef');
  const isPod = at(reference, 'apiVersion') === 'v1' && at(reference, 'kind') === 'Pod';
  const name = stringAt(reference, 'name') ?? '';
  const uid = stringAt(reference, 'uid') ?? '';
  if (!isPod || name === '') return 'node requested token not bound to a pod';
  if (uid === '') return 'node requested token with a pod binding without a uid';
  const pod = deciders.objects.get(tables.pods, keyOf(question.namespace, name));
  if (pod === undefined) throw notFound({ group: '', resource: 'pod' }, name);
  if (pod.metadata.uid !== uid) {
    return `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  }
  return stringAt(pod, 'spec', 'nodeName') === node
    ? audienceError(deciders, question, pod)
    : 'node requested token bound to a pod scheduled on a different node';
}

function audienceError(
  { objects, authorizer }: Deciders,
  question: TokenQuestion,
  pod: ApiObject,
): string | undefined {
  const [audience = '', ...others] = listAt(question.object, 'spec', 'audiences').map(String);
  if (others.length > 0) return 'node may only request 0 or 1 audiences';
  const { found, errors } = searchAudience(objects, pod, audience);
  if (found) return undefined;
  if (errors.length > 0) {
    const text = errors.length > 1 ? `[${errors.join(', ')}]` : errors.join('');
    return `error validating audience ${quote(audience)}: ${text}`;
  }
  const { user, namespace, account } = question;
  // The audience stands where the resource would: so a role can name it.
  const resource = { group: '', version: 'v1', resource: audience, subresource: '', namespace };
  const { allowed } = authorizer.authorize({
    user,
    verb: 'request-serviceaccounts-token-audience',
    resource: { ...resource, name: account },
    path: '',
  });
  return allowed
    ? undefined
    : `audience ${quote(audience)} not found in pod spec volume, ${user.username} is not authorized to request tokens for this audience`;
}
