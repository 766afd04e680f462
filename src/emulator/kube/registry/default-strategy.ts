// The rules of a kind without peculiarities: nothing is filled in, nothing refused, and status has no owner of its own.
import { without, type JsonObject } from '../json.ts';
import type { ApiObject } from '../object.ts';
import { dnsSubdomainName } from '../validation/names.ts';
import type { CompleteStrategy } from './resource-kind.ts';

const same = (object: ApiObject): ApiObject => object;
const nothing = (): readonly never[] => [];

function keepAllButStatus(object: ApiObject, before: ApiObject): ApiObject {
  const { status } = object;
  const rest = without(before, 'status');
  const merged: JsonObject = status === undefined ? rest : { ...rest, status };
  return { ...merged, metadata: object.metadata } as ApiObject;
}

export const defaultStrategy: CompleteStrategy = {
  nameErrors: dnsSubdomainName,
  defaults: same,
  prepareForCreate: same,
  prepareForStamped: same,
  prepareForUpdate: same,
  prepareForStatusUpdate: keepAllButStatus,
  validate: nothing,
  validateUpdate: nothing,
  validateStatusUpdate: nothing,
  warnings: nothing,
  allowCreateOnUpdate: false,
  allowUnconditionalUpdate: true,
  generation: 'none',
  isHeld: () => false,
  markHeld: same,
  deleteWarnings: nothing,
  returnsDeleted: false,
  orphansByDefault: false,
};
