// Gives every pod an identity: the account it names or its namespace's default one, and the token, certificate and
// namespace of that account as files in every container.
import { randomSuffix, type Random } from '../../../base/random.ts';
import { at, objectsAt, stringAt, textAt, withValue, type JsonObject } from '../json.ts';
import type { ApiObject } from '../object.ts';
import type { AdmissionPlugin } from '../ports.ts';
import { forbidden } from '../status-error.ts';
import type { Store } from '../store/store.ts';
import { eachObject } from '../validation/pod-defaults.ts';

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';

function tokenVolume(name: string): JsonObject {
  const namespaceItem = {
    path: 'namespace',
    fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' },
  };
  return {
    name,
    projected: {
      defaultMode: 0o644,
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
        { configMap: { items: [{ key: 'ca.crt', path: 'ca.crt' }], name: 'kube-root-ca.crt' } },
        { downwardAPI: { items: [namespaceItem] } },
      ],
    },
  };
}

function wantsToken(pod: ApiObject, account: ApiObject): boolean {
  const own = at(pod, 'spec', 'automountServiceAccountToken');
  return (own ?? at(account, 'automountServiceAccountToken')) !== false;
}

function isMounted(container: JsonObject): boolean {
  return objectsAt(container, 'volumeMounts').some(
    (mount) => stringAt(mount, 'mountPath') === mountPath,
  );
}

function withToken(pod: ApiObject, random: Random): ApiObject {
  const name = `kube-api-access-${randomSuffix(random)}`;
  const mount = { name, readOnly: true, mountPath };
  const mounted = (container: JsonObject): JsonObject =>
    isMounted(container)
      ? container
      : { ...container, volumeMounts: [...objectsAt(container, 'volumeMounts'), mount] };
  const spec = (pod['spec'] ?? {}) as JsonObject;
  const changed = eachObject(eachObject(spec, 'containers', mounted), 'initContainers', mounted);
  if (changed === spec) return pod;
  return {
    ...pod,
    spec: { ...changed, volumes: [...objectsAt(spec, 'volumes'), tokenVolume(name)] },
  };
}

export function serviceAccount(store: Store, random: Random): AdmissionPlugin {
  return {
    name: 'ServiceAccount',
    mutate: (pod, request) => {
      const { operation, group, resource, subresource, namespace } = request;
      const isPod =
        operation === 'CREATE' && group === '' && resource === 'pods' && subresource === '';
      // A pod that mirrors a file on a node has no account.
      const isMirror = pod.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;
      if (!isPod || isMirror) return pod;
      const given = textAt(pod, 'spec', 'serviceAccountName');
      const name = given === '' ? 'default' : given;
      const named = withValue(
        withValue(pod, ['spec', 'serviceAccountName'], name),
        ['spec', 'serviceAccount'],
        name,
      );
      const account = store.get('/serviceaccounts', `${namespace}/${name}`);
      if (account === undefined) {
        throw forbidden(
          { group, resource },
          request.name,
          `error looking up service account ${namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`,
        );
      }
      const pulled = withPullSecrets(named, account);
      return wantsToken(pulled, account) ? withToken(pulled, random) : pulled;
    },
  };
}

function withPullSecrets(pod: ApiObject, account: ApiObject): ApiObject {
  const secrets = objectsAt(account, 'imagePullSecrets');
  if (secrets.length === 0 || objectsAt(pod, 'spec', 'imagePullSecrets').length > 0) return pod;
  return withValue(pod, ['spec', 'imagePullSecrets'], secrets);
}
