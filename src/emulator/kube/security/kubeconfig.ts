// A kubeconfig: how kubectl and the product find the server and prove who they are. In: address, authority, credential.
// Out: the file's text. It holds a secret: whoever writes it keeps it from others' eyes.
import { stringify } from 'yaml';

export type KubeconfigCredential =
  | { readonly token: string }
  | { readonly certificatePem: string; readonly privateKeyPem: string };

export interface KubeconfigOptions {
  /** `https://127.0.0.1:6443`. */
  readonly server: string;
  readonly authorityPem: string;
  /** Of the cluster, as `kubectl config get-contexts` shows it. */
  readonly cluster: string;
  readonly user: string;
  readonly credential: KubeconfigCredential;
  readonly namespace?: string;
}

export function kubeconfigText(options: KubeconfigOptions): string {
  const { cluster, user, namespace } = options;
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: cluster,
        cluster: {
          server: options.server,
          'certificate-authority-data': base64(options.authorityPem),
        },
      },
    ],
    users: [{ name: user, user: userOf(options.credential) }],
    contexts: [
      {
        name: cluster,
        context: { cluster, user, ...(namespace === undefined ? {} : { namespace }) },
      },
    ],
    'current-context': cluster,
  });
}

function userOf(credential: KubeconfigCredential): object {
  if ('token' in credential) return { token: credential.token };
  return {
    'client-certificate-data': base64(credential.certificatePem),
    'client-key-data': base64(credential.privateKeyPem),
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
