// storage.k8s.io: classes, drivers, attachments, what nodes can attach.
import { at, listAt, objectsAt, scalarText, textAt } from '../json.ts';
import { csiNodeDefaults, driverDefaults } from '../validation/plain-defaults.ts';
import { storageClassStrategy, volumeAttachmentStrategy } from '../validation/storage.ts';
import { builtIn } from './built-in-kind.ts';
import {
  ageColumn,
  column,
  createdAtColumn,
  flag,
  lengthOf,
  nameColumn,
  text,
  textOr,
} from './columns.ts';
import type { ResourceKind } from './resource-kind.ts';

const defaultClassAnnotation = 'storageclass.kubernetes.io/is-default-class';

const storageGroup = 'storage.k8s.io';

export const storageKinds: readonly ResourceKind[] = [
  builtIn({
    group: storageGroup,
    kind: 'CSIDriver',
    plural: 'csidrivers',
    namespaced: false,
    columns: [
      column(
        'AttachRequired',
        (object) => at(object, 'spec', 'attachRequired') !== false,
        'boolean',
      ),
      column('PodInfoOnMount', flag('spec', 'podInfoOnMount'), 'boolean'),
      column('StorageCapacity', flag('spec', 'storageCapacity'), 'boolean'),
      column('TokenRequests', (object) => {
        const audiences = objectsAt(object, 'spec', 'tokenRequests').map((item) =>
          textAt(item, 'audience'),
        );
        return audiences.length === 0 ? '<unset>' : audiences.join(',');
      }),
      column('RequiresRepublish', flag('spec', 'requiresRepublish'), 'boolean'),
      column('Modes', (object) =>
        listAt(object, 'spec', 'volumeLifecycleModes')
          .map((mode) => scalarText(mode))
          .join(','),
      ),
    ],
    strategy: { returnsDeleted: true, allowUnconditionalUpdate: false, defaults: driverDefaults },
  }),
  builtIn({
    group: storageGroup,
    kind: 'CSINode',
    plural: 'csinodes',
    namespaced: false,
    columns: [column('Drivers', lengthOf('spec', 'drivers'), 'integer')],
    strategy: { returnsDeleted: true, allowUnconditionalUpdate: false, defaults: csiNodeDefaults },
  }),
  builtIn({
    group: storageGroup,
    kind: 'CSIStorageCapacity',
    plural: 'csistoragecapacities',
    allColumns: [nameColumn, createdAtColumn],
    strategy: { allowUnconditionalUpdate: false },
  }),
  builtIn({
    group: storageGroup,
    kind: 'StorageClass',
    plural: 'storageclasses',
    shortNames: ['sc'],
    namespaced: false,
    allColumns: [
      {
        ...nameColumn,
        cell: (object) =>
          object.metadata.annotations?.[defaultClassAnnotation] === 'true'
            ? `${object.metadata.name} (default)`
            : object.metadata.name,
      },
      column('Provisioner', text('provisioner')),
      column('ReclaimPolicy', textOr('Delete', 'reclaimPolicy')),
      column('VolumeBindingMode', textOr('<unset>', 'volumeBindingMode')),
      column('AllowVolumeExpansion', flag('allowVolumeExpansion')),
      ageColumn,
    ],
    strategy: storageClassStrategy,
  }),
  builtIn({
    group: storageGroup,
    kind: 'VolumeAttachment',
    plural: 'volumeattachments',
    namespaced: false,
    subresources: ['status'],
    columns: [
      { ...column('Attacher', text('spec', 'attacher')), format: 'name' },
      column('PV', text('spec', 'source', 'persistentVolumeName')),
      column('Node', text('spec', 'nodeName')),
      column('Attached', flag('status', 'attached'), 'boolean'),
    ],
    strategy: volumeAttachmentStrategy,
  }),
];
