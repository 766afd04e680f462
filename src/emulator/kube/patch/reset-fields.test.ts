import { expect, test } from 'vitest';
import { FieldSet } from './field-set.ts';
import { pathText } from './path-element.ts';
import { ownableFields } from './reset-fields.ts';

const everything = FieldSet.of(
  ['f:metadata', 'f:labels', 'f:a'],
  ['f:metadata', 'f:deletionTimestamp'],
  ['f:metadata', 'f:ownerReferences', 'k:{"uid":"u"}'],
  ['f:spec', 'f:replicas'],
  ['f:spec', 'f:containers', 'k:{"name":"c"}', 'f:image'],
  ['f:spec', 'f:containers', 'k:{"name":"c"}', 'f:resources', 'f:limits'],
  ['f:spec', 'f:ephemeralContainers', 'k:{"name":"e"}'],
  ['f:status', 'f:certificate'],
  ['f:status', 'f:conditions', 'k:{"type":"Ready"}'],
);

const labels = '.metadata.labels.a';
const times = '.metadata.deletionTimestamp';
const owners = '.metadata.ownerReferences[uid="u"]';
const metadata = [times, labels, owners];
const replicas = '.spec.replicas';
const image = '.spec.containers[name="c"].image';
const limits = '.spec.containers[name="c"].resources.limits';
const ephemeral = '.spec.ephemeralContainers[name="e"]';
const spec = [replicas, image, limits, ephemeral];
const certificate = '.status.certificate';
const condition = '.status.conditions[type="Ready"]';

test.each([
  ['configmaps', '', '', [...metadata, ...spec]],
  ['pods', '', '', [...metadata, ...spec]],
  ['pods', '', 'status', [labels, certificate, condition]],
  ['pods', '', 'ephemeralcontainers', [ephemeral]],
  ['pods', '', 'resize', [limits]],
  ['deployments', 'apps', 'status', [times, owners, certificate, condition]],
  ['deployments', 'apps', 'scale', [...metadata, ...spec, certificate, condition]],
  ['namespaces', '', 'finalize', [...metadata, ...spec]],
  ['nodes', '', 'status', [...metadata, certificate, condition]],
  ['volumeattachments', 'storage.k8s.io', 'status', [certificate, condition]],
  ['certificatesigningrequests', 'certificates.k8s.io', '', metadata],
  ['certificatesigningrequests', 'certificates.k8s.io', 'approval', [...metadata, condition]],
  ['certificatesigningrequests', 'certificates.k8s.io', 'status', [...metadata, certificate]],
])('a writer of %s.%s/%s can own %j', (resource, group, subresource, owned) => {
  const fields = ownableFields({ group, resource, subresource })(everything);
  expect([...fields.paths()].map(pathText).toSorted()).toEqual(owned.toSorted());
});

test('a custom resource keeps status apart only when its version says so', () => {
  const endpoint = { group: 'x.io', resource: 'things', subresource: '' };
  const count = (customStatus: boolean): number =>
    [...ownableFields({ ...endpoint, customStatus })(everything).paths()].length;
  expect([count(true), count(false)]).toEqual([7, 9]);
});
