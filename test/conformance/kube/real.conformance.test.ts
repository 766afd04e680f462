// Holds a real API server to the suites of this folder: what they expect is what it says. Point
// KUBE_CONFORMANCE_KUBECONFIG at a kubeconfig with an administrator's token; without it nothing runs.
import { readFileSync } from 'node:fs';
import { afterAll, describe } from 'vitest';
import { parse } from 'yaml';
import { differencesOn } from './differences.ts';
import { RealSession } from './real-session.ts';
import { describeApiServer } from './suites.ts';

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: { readonly server: string } }];
  readonly users: readonly [{ readonly user: { readonly token: string } }];
}

const file = process.env['KUBE_CONFORMANCE_KUBECONFIG'] ?? '';

function connect(): RealSession {
  const { clusters, users } = parse(readFileSync(file, 'utf8')) as Kubeconfig;
  return new RealSession({ url: clusters[0].cluster.server, token: users[0].user.token });
}

describe.runIf(file !== '')('a real API server', () => {
  let session: RealSession | undefined;

  afterAll(() => session?.close());

  describeApiServer(() => (session ??= connect()), differencesOn('real'));
});
