// Why a size cannot be an AKS node. In: a row of Azure's list. Out: the first reason that applies, if any.
// Nothing here depends on a node class: that is class-filter.ts.
import { gpuSupportOf } from './gpu-registry.ts';
import type { SizeName } from './size-name.ts';
import { type Capabilities, isClosedIn, numberOf, type SkuRecord } from './sku-record.ts';

export type Exclusion =
  | 'not a virtual machine'
  | 'restricted'
  | 'unknown name'
  | 'closed in the region'
  | 'too few vCPUs'
  | 'too little memory'
  | 'unknown architecture'
  | 'unsupported accelerator'
  | 'constrained vCPUs'
  | 'confidential';

export interface SizeRow {
  readonly record: SkuRecord;
  readonly region: string;
  readonly name: string;
  readonly parts: SizeName | undefined;
  readonly capabilities: Capabilities;
}

/** Too small for AKS, or known to give trouble. */
const restricted = new Set([
  ...['A0', 'A1', 'A1_v2', 'B1s', 'B1ms', 'F1', 'F1s'].map((size) => `Standard_${size}`),
  ...['A0', 'A1', 'A2', 'A3', 'A4'].map((size) => `Basic_${size}`),
  'Standard_E64i_v3',
  'Standard_E64is_v3',
]);

const rules: readonly (readonly [Exclusion, (row: SizeRow) => boolean])[] = [
  ['not a virtual machine', ({ record }) => record.resourceType !== 'virtualMachines'],
  ['restricted', ({ name }) => restricted.has(name)],
  ['unknown name', ({ parts }) => parts === undefined],
  ['closed in the region', ({ record, region }) => isClosedIn(record, region)],
  ['too few vCPUs', ({ capabilities }) => (numberOf(capabilities, 'vCPUs') ?? 0) < 2],
  ['too little memory', ({ capabilities }) => (numberOf(capabilities, 'MemoryGB') ?? 0) < 3.5],
  ['unsupported accelerator', hasUnsupportedAccelerator],
  ['constrained vCPUs', ({ parts }) => parts?.constrainedVcpus !== undefined],
  ['confidential', ({ parts }) => /^[DE]C/.test(`${parts?.family}${parts?.subfamily}`)],
  ['unknown architecture', ({ capabilities }) => !capabilities.has('cpuarchitecturetype')],
];

export function exclusionOf(row: SizeRow): Exclusion | undefined {
  return rules.find(([, applies]) => applies(row))?.[0];
}

/** Some accelerators are no GPUs in Azure's eyes, but their names show them. */
function hasUnsupportedAccelerator({ name, parts, capabilities }: SizeRow): boolean {
  const accelerated = (numberOf(capabilities, 'GPUs') ?? 0) > 0 || parts?.accelerator !== undefined;
  return accelerated && gpuSupportOf(name) === undefined;
}
