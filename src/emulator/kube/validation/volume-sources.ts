// The sources of a pod's volumes. In: one volume. Out: field errors, in the server's words and order. Where there are
// several sources, only the first in the server's order is looked into.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { parseQuantity } from '../../../model/quantity.ts';
import { forbidden, invalid, notSupported, required } from '../field-error.ts';
import { at, listAt, numberAt, objectAt, stringAt, textAt, type JsonObject } from '../json.ts';
import { dnsSubdomainErrors } from './names.ts';
import { downwardErrors, keyErrors, modeErrors, projectedErrors } from './projected-volume.ts';
import { backstepErrors, descendingPathErrors } from './relative-path.ts';

type Check = (source: JsonObject, field: string) => readonly FieldError[];

/** Texts and lists that may not be empty. */
const needs =
  (...names: readonly string[]): Check =>
  (source, field) =>
    names
      .filter((name) => textAt(source, name) === '' && listAt(source, name).length === 0)
      .map((name) => required(`${field}.${name}`));

const inRange =
  (name: string, lowest: number, highest: number): Check =>
  (source, field) => {
    const value = numberAt(source, name);
    if (value === undefined || (value >= lowest && value <= highest)) return [];
    const rule = `must be between ${lowest} and ${highest}, inclusive`;
    return [invalid(`${field}.${name}`, value, rule)];
  };

const oneOf =
  (name: string, ...known: readonly string[]): Check =>
  (source, field) => {
    const value = stringAt(source, name);
    return value === undefined || known.includes(value)
      ? []
      : [notSupported(`${field}.${name}`, value, known)];
  };

const all =
  (...checks: readonly Check[]): Check =>
  (source, field) =>
    checks.flatMap((check) => check(source, field));

/** A partition of zero is no partition. */
const partition: Check = (source, field) =>
  (numberAt(source, 'partition') ?? 0) === 0 ? [] : inRange('partition', 1, 255)(source, field);

const emptyDir: Check = (source, field) => {
  const limit = stringAt(source, 'sizeLimit');
  if (limit === undefined || parseQuantity(limit).nano >= 0n) return [];
  return [forbidden(`${field}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')];
};

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

const hostPath: Check = (source, field) => {
  const path = textAt(source, 'path');
  if (path === '') return [required(`${field}.path`)];
  return [
    ...backstepErrors(path, `${field}.path`),
    ...oneOf('type', ...hostPathTypes)(source, field),
  ];
};

const items: Check = (source, field) => [
  ...modeErrors(numberAt(source, 'defaultMode'), `${field}.defaultMode`),
  ...keyErrors(source, field),
];

const nfs: Check = (source, field) => {
  const path = textAt(source, 'path');
  const isRelative = path !== '' && !path.startsWith('/');
  return [
    ...needs('server', 'path')(source, field),
    ...(isRelative ? [invalid(`${field}.path`, path, 'must be an absolute path')] : []),
  ];
};

const initiators: Readonly<Record<string, RegExp>> = {
  iqn: /^iqn\.\d{4}-\d{2}\.([a-zA-Z0-9]+\.)+[a-zA-Z0-9\-_]+(:[^,;*&$|\s]+)?$|^iqn\.\d{4}-\d{2}\.[\w.-]+(:[^,;*&$|\s]+)?$/,
  eui: /^eui\.[a-zA-Z0-9]{16}$/,
  naa: /^naa\.[a-zA-Z0-9]{32}$/,
};

const iscsi: Check = (source, field) => {
  const name = textAt(source, 'iqn');
  const pattern = initiators[name.slice(0, 3)];
  const wantsSecret =
    at(source, 'chapAuthDiscovery') === true || at(source, 'chapAuthSession') === true;
  const start = 'must be valid format starting with iqn, eui, or naa';
  return [
    ...needs('targetPortal', 'iqn')(source, field),
    ...(name !== '' && pattern === undefined ? [invalid(`${field}.iqn`, name, start)] : []),
    ...(pattern?.test(name) === false
      ? [invalid(`${field}.iqn`, name, 'must be valid format')]
      : []),
    ...inRange('lun', 0, 255)(source, field),
    ...(wantsSecret && at(source, 'secretRef') === undefined
      ? [required(`${field}.secretRef`)]
      : []),
  ];
};

const flocker: Check = (source, field) => {
  const name = textAt(source, 'datasetName');
  const uuid = textAt(source, 'datasetUUID');
  const both = 'datasetName and datasetUUID can not be specified simultaneously';
  const slash = name.includes('/')
    ? [invalid(`${field}.datasetName`, name, "must not contain '/'")]
    : [];
  if (name === '' && uuid === '')
    return [required(field, 'one of datasetName and datasetUUID is required')];
  return name === '' || uuid === '' ? slash : [invalid(field, 'resource', both), ...slash];
};

const fibre: Check = (source, field) => {
  const names = listAt(source, 'targetWWNs');
  const ids = listAt(source, 'wwids');
  const path = `${field}.targetWWNs`;
  const either = 'must specify either targetWWNs or wwids, but not both';
  const both = 'targetWWNs and wwids can not be specified simultaneously';
  return [
    ...(names.length === 0 && ids.length === 0 ? [required(path, either)] : []),
    ...(names.length > 0 && ids.length > 0 ? [invalid(path, names, both)] : []),
    ...(names.length > 0 && at(source, 'lun') === undefined
      ? [required(`${field}.lun`, 'lun is required if targetWWNs is specified')]
      : []),
    ...inRange('lun', 0, 255)(source, field),
  ];
};

const managed =
  '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const blob = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

const azureDisk: Check = (source, field) => {
  const uri = textAt(source, 'diskURI');
  const isManaged = textAt(source, 'kind') === 'Managed';
  const fits = uri.startsWith(isManaged ? '/subscriptions/' : 'https://');
  return [
    ...needs('diskName', 'diskURI')(source, field),
    ...oneOf('cachingMode', 'None', 'ReadOnly', 'ReadWrite')(source, field),
    ...oneOf('kind', 'Dedicated', 'Managed', 'Shared')(source, field),
    ...(fits ? [] : [notSupported(`${field}.diskURI`, uri, [isManaged ? managed : blob])]),
  ];
};

const quobyte: Check = (source, field) => {
  const rule = 'must be a host:port pair or multiple pairs separated by commas';
  const registry = textAt(source, 'registry');
  const isWrong = registry.split(',').some((pair) => !/^[^:]+:.+$/.test(pair));
  return [
    ...(registry === '' ? [required(`${field}.registry`, rule)] : []),
    ...(registry !== '' && isWrong ? [invalid(`${field}.registry`, registry, rule)] : []),
    ...needs('volume')(source, field),
  ];
};

const csi: Check = (source, field) => {
  const driver = textAt(source, 'driver');
  const secret = objectAt(source, 'nodePublishSecretRef');
  return [
    ...(driver === ''
      ? [required(`${field}.driver`)]
      : dnsSubdomainErrors(driver).map((rule) => invalid(`${field}.driver`, driver, rule))),
    ...(secret !== undefined && textAt(secret, 'name') === ''
      ? [required(`${field}.nodePublishSecretRef.name`)]
      : []),
  ];
};

const ephemeral: Check = (source, field) => {
  const template = objectAt(source, 'volumeClaimTemplate');
  const below = `${field}.volumeClaimTemplate`;
  if (template === undefined) return [required(below)];
  const named = ['name', 'namespace'].filter((name) => textAt(template, 'metadata', name) !== '');
  const none = 'at least 1 access mode is required';
  return [
    ...named.map((name) => forbidden(`${below}.metadata.${name}`, 'cannot be set')),
    ...(listAt(template, 'spec', 'accessModes').length === 0
      ? [required(`${below}.spec.accessModes`, none)]
      : []),
    ...(at(template, 'spec', 'resources', 'requests', 'storage') === undefined
      ? [required(`${below}.spec.resources[storage]`)]
      : []),
  ];
};

const gitRepo: Check = (source, field) => [
  ...needs('repository')(source, field),
  ...descendingPathErrors(textAt(source, 'directory'), `${field}.directory`),
];

/** In the server's order. */
const sources: readonly (readonly [string, Check])[] = [
  ['emptyDir', emptyDir],
  ['hostPath', hostPath],
  ['gitRepo', gitRepo],
  ['gcePersistentDisk', all(needs('pdName'), partition)],
  ['awsElasticBlockStore', all(needs('volumeID'), partition)],
  ['secret', all(needs('secretName'), items)],
  ['nfs', nfs],
  ['iscsi', iscsi],
  ['glusterfs', needs('endpoints', 'path')],
  ['flocker', flocker],
  ['persistentVolumeClaim', needs('claimName')],
  ['rbd', needs('monitors', 'image')],
  ['cinder', needs('volumeID')],
  ['cephfs', needs('monitors')],
  ['quobyte', quobyte],
  ['downwardAPI', downwardErrors],
  ['fc', fibre],
  ['flexVolume', needs('driver')],
  ['configMap', all(needs('name'), items)],
  ['azureFile', needs('secretName', 'shareName')],
  ['vsphereVolume', needs('volumePath')],
  ['photonPersistentDisk', needs('pdID')],
  ['portworxVolume', needs('volumeID')],
  ['azureDisk', azureDisk],
  ['storageos', needs('volumeName')],
  ['projected', projectedErrors],
  ['scaleIO', needs('gateway', 'system', 'volumeName')],
  ['csi', csi],
  ['ephemeral', ephemeral],
  ['image', all(needs('reference'), oneOf('pullPolicy', 'Always', 'IfNotPresent', 'Never'))],
];

/** What the server calls a source in its complaints, where that is not the field's name. */
const spoken: Readonly<Record<string, string>> = { gcePersistentDisk: 'persistentDisk' };

export function sourceErrors(volume: JsonObject, field: string): readonly FieldError[] {
  const present = sources.filter(([name]) => objectAt(volume, name) !== undefined);
  if (present.length === 0) return [required(field, 'must specify a volume type')];
  return present.flatMap(([name, check], index) =>
    index === 0
      ? check(objectAt(volume, name) ?? {}, `${field}.${spoken[name] ?? name}`)
      : [forbidden(`${field}.${name}`, 'may not specify more than 1 volume type')],
  );
}
