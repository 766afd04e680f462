// Tokens with which machines ask for their first certificate: secrets of kube-system. In: a token and the secrets.
// Out: the user that it stands for. A token that is not exactly right is treated as one that does not exist.
import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../../base/clock.ts';
import { stringAt } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import { keyOf, tables, type StoredObjects } from '../stored-objects.ts';
import { wellKnownGroups } from '../user.ts';
import { unknownCredential, type Credential, type TokenAuthenticator } from './credential.ts';

const tokenShape = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const extraGroupShape = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const secretType = 'bootstrap.kubernetes.io/token';

export class BootstrapTokens implements TokenAuthenticator {
  readonly #objects: StoredObjects;
  readonly #clock: Clock;
  readonly #audiences: readonly string[];

  constructor(options: {
    readonly objects: StoredObjects;
    readonly clock: Clock;
    /** Of the server: these tokens name none of their own. */
    readonly audiences: readonly string[];
  }) {
    this.#objects = options.objects;
    this.#clock = options.clock;
    this.#audiences = options.audiences;
  }

  authenticate(token: string, wanted: readonly string[]): Credential {
    const audiences = this.#audiences.filter((audience) => wanted.includes(audience));
    const [, id, secretText] = tokenShape.exec(token) ?? [];
    if (audiences.length === 0 || id === undefined || secretText === undefined) {
      return unknownCredential;
    }
    const secret = this.#objects.get(tables.secrets, keyOf('kube-system', `bootstrap-token-${id}`));
    if (secret === undefined || !this.#isUsable(secret, id, secretText)) return unknownCredential;
    const groups = groupsOf(secret);
    if (groups === undefined) return unknownCredential;
    return { outcome: 'valid', user: { username: `system:bootstrap:${id}`, groups }, audiences };
  }

  #isUsable(secret: ApiObject, id: string, secretText: string): boolean {
    return (
      secret.metadata.deletionTimestamp === undefined &&
      secret['type'] === secretType &&
      isSameText(dataOf(secret, 'token-secret'), secretText) &&
      dataOf(secret, 'token-id') === id &&
      !this.#hasExpired(secret) &&
      dataOf(secret, 'usage-bootstrap-authentication') === 'true'
    );
  }

  #hasExpired(secret: ApiObject): boolean {
    const text = dataOf(secret, 'expiration');
    if (text === '') return false;
    const expiresMs = isTimestamp(text) ? Date.parse(text) : Number.NaN;
    // What cannot be read has expired.
    return !(expiresMs > this.#clock.now());
  }
}

/** RFC 3339: Date.parse alone would take much more. */
function isTimestamp(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text);
}

function dataOf(secret: ApiObject, key: string): string {
  return Buffer.from(stringAt(secret, 'data', key) ?? '', 'base64').toString();
}

function isSameText(a: string, b: string): boolean {
  const first = Buffer.from(a);
  const second = Buffer.from(b);
  return first.length === second.length && timingSafeEqual(first, second);
}

/** Undefined when an extra group is none that a bootstrap token may carry. */
function groupsOf(secret: ApiObject): readonly string[] | undefined {
  const text = dataOf(secret, 'auth-extra-groups');
  const extra = text === '' ? [] : text.split(',');
  if (!extra.every((group) => extraGroupShape.test(group))) return undefined;
  return [...new Set([wellKnownGroups.bootstrappers, ...extra])].toSorted();
}
