// Who exists in the tenant: applications, managed identities, users. In: principals with what proves them. Out: them
// again by either of their ids. A managed identity is a principal like any other that nobody has a secret of.
/** Trust in another issuer's tokens, as workload identity uses it. */
export interface FederatedCredential {
  readonly name: string;
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
}

export interface Principal {
  readonly objectId: string;
  /** Application id. */
  readonly clientId: string;
  readonly displayName: string;
  readonly kind: 'Application' | 'ManagedIdentity' | 'User';
  readonly secrets?: readonly string[];
  /** PEM. */
  readonly certificates?: readonly string[];
  readonly federated?: readonly FederatedCredential[];
  /** Of a managed identity: the resource that it belongs to. */
  readonly resourceId?: string;
}

export class Directory {
  readonly #byObject = new Map<string, Principal>();
  readonly #byClient = new Map<string, Principal>();

  /** Adds, or takes the place of the principal with the same object id. */
  put(principal: Principal): void {
    this.remove(principal.objectId);
    this.#byObject.set(principal.objectId.toLowerCase(), principal);
    this.#byClient.set(principal.clientId.toLowerCase(), principal);
  }

  remove(objectId: string): void {
    const known = this.byObjectId(objectId);
    if (known === undefined) return;
    this.#byObject.delete(known.objectId.toLowerCase());
    this.#byClient.delete(known.clientId.toLowerCase());
  }

  byObjectId(objectId: string): Principal | undefined {
    return this.#byObject.get(objectId.toLowerCase());
  }

  byClientId(clientId: string): Principal | undefined {
    return this.#byClient.get(clientId.toLowerCase());
  }

  byResourceId(resourceId: string): Principal | undefined {
    const key = resourceId.toLowerCase();
    return this.all().find((principal) => principal.resourceId?.toLowerCase() === key);
  }

  all(): Principal[] {
    return [...this.#byObject.values()];
  }
}
