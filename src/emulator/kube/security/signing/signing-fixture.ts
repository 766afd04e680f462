// A server that keeps certificate requests, with the controllers that work on them, for the tests of this folder.
// Everything in it is the real thing: store, operations, admission, controllers, authority.
import { X509Certificate } from 'node:crypto';
import { silentLogger } from '../../../../base/log.ts';
import { seededRandom } from '../../../../base/random.ts';
import { VirtualClock } from '../../../../base/virtual-clock.ts';
import {
  CertificateAuthority,
  createCertificateRequest,
  type AlternativeNames,
} from '../../../certificates.ts';
import type { UserInfo } from '../../api.ts';
import { ControllerManager } from '../../controllers/runtime/manager.ts';
import type { JsonObject } from '../../json.ts';
import type { ApiObject } from '../../object.ts';
import { builtIn } from '../../registry/built-in-kind.ts';
import { accessKinds } from '../../registry/access-kinds.ts';
import { Registry } from '../../registry/registry.ts';
import { Operations } from '../../resource/kube-api.ts';
import { TypeSchemas } from '../../schema/type-schemas.ts';
import { StatusError } from '../../status-error.ts';
import { Fixture, user } from '../fixture.ts';
import { defaultPolicy, nodeBootstrapPolicy } from '../policy/default-policy.ts';
import { Security } from '../security.ts';
import { signingRequests } from './approve-requests.ts';
import { approvalSubresource, signingRequestStrategy } from './signing-request-strategy.ts';

export const root = user('root', 'system:masters', 'system:authenticated');
export const newcomer = user(
  'system:bootstrap:abcdef',
  'system:bootstrappers',
  'system:authenticated',
);
const schemas = new TypeSchemas();
const policy = defaultPolicy();

const kinds = [
  builtIn({
    ...signingRequests,
    kind: 'CertificateSigningRequest',
    plural: signingRequests.resource,
    namespaced: false,
    subresources: [approvalSubresource, 'status'],
    strategy: signingRequestStrategy,
  }),
  ...accessKinds,
];

export interface Condition {
  readonly type: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
}

export class SigningWorld {
  readonly fixture = new Fixture();
  readonly security: Security;
  readonly api: Operations;
  readonly manager: ControllerManager;

  constructor(authority: CertificateAuthority, options: { joins?: boolean } = {}) {
    const { clock, random, newUid, store } = this.fixture;
    const objects = [...policy, ...(options.joins === false ? [] : nodeBootstrapPolicy())];
    this.fixture.putPolicy(objects);
    this.security = new Security({
      objects: store,
      clock,
      newUid,
      issuer: 'https://issuer',
      authority,
    });
    const environment = {
      store,
      registry: new Registry(kinds),
      clock,
      random,
      admission: this.security.admission,
      schemaOf: schemas.lookup.bind(schemas),
      typeOf: schemas.lookup.bind(schemas),
    };
    this.api = new Operations(environment, new Map());
    this.manager = new ControllerManager({
      api: this.api,
      context: {
        user: user('system:serviceaccount:kube-system:certificate-controller', 'system:masters'),
      },
      clock,
      random,
      log: silentLogger,
      controllers: this.security.controllers,
    });
    this.manager.start();
  }

  create(spec: JsonObject, who: UserInfo = root, body: object = {}): ApiObject {
    return this.api.create({
      context: { user: who },
      resource: signingRequests,
      object: { metadata: { name: 'c1' }, spec, ...body },
    });
  }

  get(name = 'c1'): ApiObject {
    return this.api.get({ context: { user: root }, resource: signingRequests, name });
  }

  write(
    subresource: '' | 'approval' | 'status',
    change: (object: ApiObject) => JsonObject,
    who = root,
  ): ApiObject {
    return this.api.update({
      context: { user: who },
      resource: signingRequests,
      name: 'c1',
      subresource,
      object: change(this.get()),
    });
  }

  decide(conditions: readonly Condition[], who = root): ApiObject {
    return this.write(
      'approval',
      (object) => ({
        ...object,
        status: { ...(object['status'] as object), conditions: conditions as never },
      }),
      who,
    );
  }

  /** Types of conditions, and the certificate if there is one. */
  get state(): { conditions: string[]; certificate?: X509Certificate } {
    const { conditions = [], certificate } = this.get()['status'] as {
      conditions?: Condition[];
      certificate?: string;
    };
    return {
      conditions: conditions.map(({ type, reason, message }) =>
        [type, reason, message].filter(Boolean).join(': '),
      ),
      ...(certificate === undefined
        ? {}
        : { certificate: new X509Certificate(Buffer.from(certificate, 'base64')) }),
    };
  }
}

export const authority = await CertificateAuthority.create({
  commonName: 'kubernetes',
  clock: new VirtualClock(),
  random: seededRandom(1),
});

export const signer = {
  client: 'kubernetes.io/kube-apiserver-client',
  kubelet: 'kubernetes.io/kube-apiserver-client-kubelet',
  serving: 'kubernetes.io/kubelet-serving',
};
export const clientUsages = ['digital signature', 'client auth'];

export async function asking(
  commonName: string,
  organizations: string[] = ['system:nodes'],
  alternativeNames: AlternativeNames = {},
): Promise<{ request: string; privateKeyPem: string }> {
  const made = await createCertificateRequest({
    subject: { commonName, organizations },
    alternativeNames,
  });
  return {
    request: Buffer.from(made.requestPem).toString('base64'),
    privateKeyPem: made.privateKeyPem,
  };
}

export const node1 = await asking('system:node:n1');

export function refusalOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return `${error.code} ${error.message}`;
  }
}

export const approved: Condition = {
  type: 'Approved',
  status: 'True',
  reason: 'Test',
  message: 'm',
};
