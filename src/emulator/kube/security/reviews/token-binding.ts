// What a token is bound to: the pod, node or secret that it dies with. In: the reference in a TokenRequest.
// Out: the objects themselves; thrown is the answer for one that is not there, or is another of the same name.
import { quote } from '../../../../api/crd/validation/field-error.ts';
import { stringAt, type JsonObject } from '../../json.ts';
import { parseApiVersion, type ApiObject } from '../../object.ts';
import { badRequest, conflict, notFound } from '../../status-error.ts';
import type { TokenSubject } from '../authentication/service-account-tokens.ts';
import { keyOf, tables, type StoredObjects } from '../stored-objects.ts';

type TokenBindings = Omit<TokenSubject, 'account'>;

export function bindToken(
  objects: StoredObjects,
  account: ApiObject,
  reference: JsonObject,
): TokenBindings {
  const part = (field: string): string => stringAt(reference, field) ?? '';
  const kind = part('kind');
  const place = placeOf(part('apiVersion'), kind);
  const namespace = place.isNamespaced ? (account.metadata.namespace ?? '') : '';
  const bound = objects.get(place.table, keyOf(namespace, part('name')));
  if (bound === undefined) throw notFound({ group: '', resource: place.resource }, part('name'));
  if (kind === 'Pod') checkAccount(bound, account);
  checkUid(bound, kind, part('uid'));
  return place.toBindings(bound, objects);
}

interface Place {
  readonly table: string;
  readonly resource: string;
  readonly isNamespaced: boolean;
  readonly toBindings: (bound: ApiObject, objects: StoredObjects) => TokenBindings;
}

const places: Readonly<Record<string, Place>> = {
  Pod: {
    table: tables.pods,
    resource: 'pods',
    isNamespaced: true,
    toBindings: (pod, objects) => ({ pod, node: nodeOf(pod, objects) }),
  },
  Secret: {
    table: tables.secrets,
    resource: 'secrets',
    isNamespaced: true,
    toBindings: (secret) => ({ secret }),
  },
  Node: {
    table: tables.nodes,
    resource: 'nodes',
    isNamespaced: false,
    toBindings: ({ metadata }) => ({ node: { name: metadata.name, uid: metadata.uid } }),
  },
};

function placeOf(apiVersion: string, kind: string): Place {
  const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: '' };
  const place = group === '' ? places[kind] : undefined;
  if (place !== undefined) return place;
  throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
}

function checkAccount(pod: ApiObject, account: ApiObject): void {
  const { name } = account.metadata;
  if (stringAt(pod, 'spec', 'serviceAccountName') === name) return;
  throw badRequest(
    `cannot bind token for serviceaccount ${quote(name)} to pod running with different serviceaccount name.`,
  );
}

function checkUid(bound: ApiObject, kind: string, uid: string): void {
  if (uid === '' || uid === bound.metadata.uid) return;
  throw conflict(
    { group: '', resource: kind },
    bound.metadata.name,
    `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
  );
}

function nodeOf(pod: ApiObject, objects: StoredObjects): TokenBindings['node'] {
  const name = stringAt(pod, 'spec', 'nodeName') ?? '';
  if (name === '') return undefined;
  return { name, uid: objects.get(tables.nodes, name)?.metadata.uid };
}
