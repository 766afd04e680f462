// Which providers a subscription may use. In: register, unregister. Out: yes or no; a write to one that is not
// registered is refused. Registering takes no time here.

export class Registrations {
  readonly #unregistered = new Set<string>();

  constructor(
    unregistered: readonly (readonly [subscriptionId: string, namespace: string])[] = [],
  ) {
    for (const [subscriptionId, namespace] of unregistered)
      this.unregister(subscriptionId, namespace);
  }

  isRegistered(subscriptionId: string, namespace: string): boolean {
    return !this.#unregistered.has(keyOf(subscriptionId, namespace));
  }

  register(subscriptionId: string, namespace: string): void {
    this.#unregistered.delete(keyOf(subscriptionId, namespace));
  }

  unregister(subscriptionId: string, namespace: string): void {
    this.#unregistered.add(keyOf(subscriptionId, namespace));
  }
}

function keyOf(subscriptionId: string, namespace: string): string {
  return `${subscriptionId} ${namespace}`.toLowerCase();
}
