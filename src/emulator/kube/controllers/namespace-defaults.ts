// What every namespace has from the start: the service account `default`, and the cluster's CA for its pods.
// In: namespaces, and the CA. Out: both objects, made again whenever they are missing or changed.
import { address } from './runtime/addresses.ts';
import type { Controller, ControllerContext, ControllerFactory } from './runtime/controller.ts';

const rootCa = 'kube-root-ca.crt';

export const serviceAccountController: ControllerFactory = (context) =>
  ensuring(context, 'serviceaccount-controller', (namespace) => {
    const accounts = context.informers.of(address.serviceAccounts);
    if (accounts.get(`${namespace}/default`) !== undefined) return;
    const object = {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default', namespace },
    };
    context.client.createIfAbsent(address.serviceAccounts, object, namespace);
  });

export function rootCaPublisher(caPem: string): ControllerFactory {
  return (context) =>
    ensuring(context, 'root-ca-certificate-publisher-controller', (namespace) => {
      const known = context.informers.of(address.configMaps).get(`${namespace}/${rootCa}`);
      const data = { 'ca.crt': caPem };
      if (known !== undefined) {
        const isSame = (known['data'] as { 'ca.crt'?: string } | undefined)?.['ca.crt'] === caPem;
        if (!isSame) context.client.update(address.configMaps, { ...known, data });
        return;
      }
      const annotations = {
        'kubernetes.io/description':
          'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
      };
      const metadata = { name: rootCa, namespace, annotations };
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
      context.client.createIfAbsent(address.configMaps, object, namespace);
    });
}

function ensuring(
  context: ControllerContext,
  name: string,
  ensure: (namespace: string) => void,
): Controller {
  const namespaces = context.informers.of(address.namespaces);
  const watched =
    name === 'serviceaccount-controller' ? address.serviceAccounts : address.configMaps;
  const wanted = name === 'serviceaccount-controller' ? 'default' : rootCa;
  namespaces.onChange(({ after }) => {
    if (after !== undefined) context.enqueue(after.metadata.name);
  });
  context.informers.of(watched).onChange(({ before, after }) => {
    const object = after ?? before;
    if (object?.metadata.name === wanted) context.enqueue(object.metadata.namespace ?? '');
  });
  return {
    name,
    reconcile: (key) => {
      const namespace = namespaces.get(key);
      if (namespace !== undefined && namespace.metadata.deletionTimestamp === undefined)
        ensure(key);
      return undefined;
    },
  };
}
