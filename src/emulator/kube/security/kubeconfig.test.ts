import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { kubeconfigText } from './kubeconfig.ts';

const common = {
  server: 'https://127.0.0.1:6443',
  authorityPem: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  cluster: 'local',
  user: 'administrator',
};
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a kubeconfig', () => {
  test('leads to the cluster with a token', () => {
    expect(parse(kubeconfigText({ ...common, credential: { token: 'secret' } }))).toEqual({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'local',
          cluster: {
            server: 'https://127.0.0.1:6443',
            'certificate-authority-data': base64(common.authorityPem),
          },
        },
      ],
      users: [{ name: 'administrator', user: { token: 'secret' } }],
      contexts: [{ name: 'local', context: { cluster: 'local', user: 'administrator' } }],
      'current-context': 'local',
    });
  });

  test('or with a certificate, and may begin in a namespace', () => {
    const text = kubeconfigText({
      ...common,
      namespace: 'shop',
      credential: { certificatePem: 'certificate', privateKeyPem: 'key' },
    });
    const { users, contexts } = parse(text) as Record<string, unknown>;
    expect({ users, contexts }).toEqual({
      users: [
        {
          name: 'administrator',
          user: {
            'client-certificate-data': base64('certificate'),
            'client-key-data': base64('key'),
          },
        },
      ],
      contexts: [
        { name: 'local', context: { cluster: 'local', user: 'administrator', namespace: 'shop' } },
      ],
    });
  });

  test('keeps a token that looks like a number a text', () => {
    const text = kubeconfigText({ ...common, credential: { token: '123456' } });
    expect((parse(text) as { users: { user: object }[] }).users[0]?.user).toEqual({
      token: '123456',
    });
  });
});
