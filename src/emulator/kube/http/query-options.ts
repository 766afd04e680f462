// The options of a request that stand in its query, checked as the real server checks them. In: the query.
// Out: options of one call; a StatusError names the option that will not do.
import type { DeleteOptions, FieldValidation, PatchType } from '../api.ts';
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { forbidden, notSupported, required, tooLong, invalid } from '../field-error.ts';
import { isObject, type JsonObject } from '../json.ts';
import { badRequest, invalidObject } from '../status-error.ts';

export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  readonly force?: boolean;
}

const validations: readonly string[] = ['', 'Ignore', 'Strict', 'Warn'];

export function writeOptions(
  query: URLSearchParams,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  patchType?: PatchType,
): WriteOptions {
  const manager = query.get('fieldManager') ?? '';
  const dryRun = query.getAll('dryRun').filter((value) => value !== '');
  const validation = query.get('fieldValidation') ?? '';
  const force = booleanOption(query, 'force');
  const errors: FieldError[] = [];
  if (kind === 'PatchOptions') errors.push(...patchErrors(manager, force, patchType));
  errors.push(...managerErrors(manager), ...dryRunErrors(dryRun));
  if (!validations.includes(validation)) {
    errors.push(notSupported('fieldValidation', validation, validations));
  }
  if (errors.length > 0) throw invalidObject({ group: 'meta.k8s.io', kind }, '', errors);
  return {
    dryRun: dryRun.length > 0,
    fieldManager: manager,
    fieldValidation: validation === '' ? 'Warn' : (validation as FieldValidation),
    ...(force === undefined ? {} : { force }),
  };
}

function patchErrors(
  manager: string,
  force: boolean | undefined,
  patchType: PatchType | undefined,
): readonly FieldError[] {
  if (patchType === 'application/apply-patch+yaml') {
    return manager === '' ? [required('fieldManager', 'is required for apply patch')] : [];
  }
  return force === undefined
    ? []
    : [forbidden('force', 'may not be specified for non-apply patch')];
}

function managerErrors(manager: string): readonly FieldError[] {
  const errors: FieldError[] = manager.length > 128 ? [tooLong('fieldManager', 128)] : [];
  const position = manager.search(/[^\P{C}]/u);
  if (position >= 0) {
    const code = manager.codePointAt(position) ?? 0;
    const shown = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
    const detail = `invalid character ${shown} (at position ${position})`;
    errors.push(invalid('fieldManager', manager, detail));
  }
  return errors;
}

function dryRunErrors(dryRun: readonly string[]): readonly FieldError[] {
  if (dryRun.every((value) => value === 'All')) return [];
  return [notSupported('dryRun', dryRun, ['All'])];
}

/** Options of a delete: a body, where there is one, else the query. */
export function deleteOptions(
  query: URLSearchParams,
  body: JsonObject | undefined,
): { readonly options: DeleteOptions; readonly dryRun: boolean } {
  if (body !== undefined) return fromBody(body);
  const grace = integerOption(query, 'gracePeriodSeconds');
  const orphan = booleanOption(query, 'orphanDependents');
  const policy = query.get('propagationPolicy') ?? '';
  const dryRun = query.getAll('dryRun').filter((value) => value !== '');
  checkDryRun(dryRun);
  return {
    dryRun: dryRun.length > 0,
    options: {
      ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
      ...(orphan === undefined ? {} : { orphanDependents: orphan }),
      ...(policy === '' ? {} : { propagationPolicy: policy as 'Orphan' }),
    },
  };
}

function fromBody(body: JsonObject) {
  const { gracePeriodSeconds, orphanDependents, propagationPolicy, preconditions, dryRun } = body;
  const dryRuns = Array.isArray(dryRun) ? (dryRun as string[]) : [];
  checkDryRun(dryRuns);
  return {
    dryRun: dryRuns.length > 0,
    options: {
      ...(typeof gracePeriodSeconds === 'number' ? { gracePeriodSeconds } : {}),
      ...(typeof orphanDependents === 'boolean' ? { orphanDependents } : {}),
      ...(typeof propagationPolicy === 'string'
        ? { propagationPolicy: propagationPolicy as 'Orphan' }
        : {}),
      ...(isObject(preconditions) ? { preconditions } : {}),
    },
  };
}

function checkDryRun(dryRun: readonly string[]): void {
  const errors = dryRunErrors(dryRun);
  if (errors.length > 0) {
    throw invalidObject({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  }
}

export interface ReadOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly timeoutSeconds?: number;
  readonly allowWatchBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
}

const textOptions = [
  'labelSelector',
  'fieldSelector',
  'resourceVersion',
  'resourceVersionMatch',
  'continue',
] as const;

export function readOptions(query: URLSearchParams): ReadOptions {
  const texts = textOptions.flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const limit = integerOption(query, 'limit');
  const timeoutSeconds = integerOption(query, 'timeoutSeconds');
  const allowWatchBookmarks = booleanOption(query, 'allowWatchBookmarks');
  const sendInitialEvents = booleanOption(query, 'sendInitialEvents');
  return {
    ...Object.fromEntries(texts),
    ...(limit === undefined ? {} : { limit }),
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
    ...(allowWatchBookmarks === undefined ? {} : { allowWatchBookmarks }),
    ...(sendInitialEvents === undefined ? {} : { sendInitialEvents }),
  };
}

export function integerOption(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  const isNumber = /^[+-]?\d+$/.test(text);
  if (isNumber && Number(text) < 2 ** 63 && Number(text) >= -(2 ** 63)) return Number(text);
  const problem = isNumber ? 'value out of range' : 'invalid syntax';
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${problem}`);
}

/** Everything but `false` and `0` counts as true, also the bare name. */
export function booleanOption(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  return text !== '0' && text.toLowerCase() !== 'false';
}
