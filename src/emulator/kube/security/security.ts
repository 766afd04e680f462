// Security of the emulated server, put together. In: the store, an authority, a clock. Out: what the server plugs in:
// who asks, may they, what is refused at the door, and the calls that answer questions about all this.
// 1. Everything is decided by what is stored at that moment; nothing here is cached across a write.
// 2. Nothing is written here: roles to start with and controllers are handed out for the server to store and run.
import type { KeyObject } from 'node:crypto';
import type { Clock } from '../../../base/clock.ts';
import type { HttpReply } from '../../../base/http-server.ts';
import type { CertificateAuthority } from '../../certificates.ts';
import type { ControllerFactory } from '../controllers/runtime/controller.ts';
import type { AdmissionPlugin, VirtualCreates } from '../ports.ts';
import { certificatePlugins } from './admission/certificate-plugins.ts';
import { EscalationGuard } from './admission/escalation-guard.ts';
import { NodeRestriction } from './admission/node-restriction.ts';
import { RequestAuthenticator } from './authentication/authenticator.ts';
import { BootstrapTokens } from './authentication/bootstrap-tokens.ts';
import { ClientCertificates } from './authentication/client-certificates.ts';
import { openIdDocuments } from './authentication/oidc-discovery.ts';
import { ServiceAccountTokens } from './authentication/service-account-tokens.ts';
import { staticTokens, type StaticToken } from './authentication/static-tokens.ts';
import { TokenKey } from './authentication/token-key.ts';
import { ClusterAuthorizer } from './authorization/authorizer.ts';
import { NodeAuthorizer } from './authorization/node-authorizer.ts';
import { NodeReferences } from './authorization/node-references.ts';
import { RbacAuthorizer } from './authorization/rbac-authorizer.ts';
import { aggregateClusterRoles } from './policy/aggregate-roles.ts';
import { nodeRules } from './policy/default-policy.ts';
import {
  localSubjectAccessReviews,
  selfSubjectAccessReviews,
  subjectAccessReviews,
} from './reviews/access-reviews.ts';
import { selfSubjectRulesReviews } from './reviews/rules-review.ts';
import { tokenRequests } from './reviews/token-request.ts';
import { selfSubjectReviews, tokenReviews } from './reviews/token-review.ts';
import { approveSigningRequests } from './signing/approve-requests.ts';
import { cleanSigningRequests } from './signing/clean-requests.ts';
import { signSigningRequests } from './signing/sign-requests.ts';
import type { StoredObjects } from './stored-objects.ts';

export interface SecurityOptions {
  readonly objects: StoredObjects;
  readonly clock: Clock;
  readonly newUid: () => string;
  /** Signs client certificates, and those that nodes ask for. */
  readonly authority: CertificateAuthority;
  /** Of service account tokens: the address under which others find the keys. */
  readonly issuer: string;
  /** What tokens for this server are made out to; the issuer unless told. */
  readonly audiences?: readonly string[];
  /** RSA or P-256; a new P-256 key unless told. */
  readonly tokenKey?: KeyObject;
  readonly staticTokens?: readonly StaticToken[];
}

export class Security {
  readonly authenticator: RequestAuthenticator;
  readonly authorizer: ClusterAuthorizer;
  /** In the order in which they look at a write. */
  readonly admission: readonly AdmissionPlugin[];
  readonly virtualCreates: VirtualCreates;
  readonly controllers: readonly ControllerFactory[];
  readonly tokens: ServiceAccountTokens;
  readonly #key: TokenKey;

  constructor(options: SecurityOptions) {
    const { objects, clock, newUid, authority, issuer, audiences = [issuer] } = options;
    const rbac = new RbacAuthorizer(objects);
    const references = new NodeReferences(objects);
    const node = new NodeAuthorizer({ objects, references, rules: nodeRules() });
    const authorizer = new ClusterAuthorizer({ node, rbac });
    this.#key = new TokenKey(options.tokenKey);
    const tokens = new ServiceAccountTokens({
      issuer,
      audiences,
      key: this.#key,
      objects,
      clock,
      newUid,
    });
    this.authorizer = authorizer;
    this.tokens = tokens;
    this.authenticator = new RequestAuthenticator({
      certificates: new ClientCertificates({ authority, clock }),
      tokens: [
        staticTokens({ tokens: options.staticTokens ?? [], audiences }),
        tokens,
        new BootstrapTokens({ objects, clock, audiences }),
      ],
      audiences,
      authorizer,
    });
    this.admission = [
      new EscalationGuard({ rbac, authorizer }),
      new NodeRestriction(objects),
      ...certificatePlugins(authorizer),
    ];
    const authenticateToken = this.authenticator.authenticateToken.bind(this.authenticator);
    this.virtualCreates = new Map([
      ['/serviceaccounts/token', tokenRequests({ tokens, objects, authorizer, clock })],
      ['authentication.k8s.io/tokenreviews', tokenReviews({ authenticateToken, audiences })],
      ['authentication.k8s.io/selfsubjectreviews', selfSubjectReviews(clock)],
      ['authorization.k8s.io/subjectaccessreviews', subjectAccessReviews(authorizer)],
      ['authorization.k8s.io/selfsubjectaccessreviews', selfSubjectAccessReviews(authorizer)],
      ['authorization.k8s.io/localsubjectaccessreviews', localSubjectAccessReviews(authorizer)],
      ['authorization.k8s.io/selfsubjectrulesreviews', selfSubjectRulesReviews(authorizer)],
    ]);
    this.controllers = [
      aggregateClusterRoles(),
      approveSigningRequests(authorizer),
      signSigningRequests(authority),
      cleanSigningRequests(),
    ];
  }

  /** By path, for whoever may read it. `keysUri` is where the keys are found from outside. */
  openIdDocuments(keysUri: string): ReadonlyMap<string, HttpReply> {
    return openIdDocuments({ issuer: this.tokens.issuer, key: this.#key, keysUri });
  }

  close(): void {
    this.authorizer.close();
  }
}
