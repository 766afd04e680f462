// The selectors of an access review. In: its resource attributes. Out: the field selector as a request would send it,
// and a remark on what could not be read; that is left out, which can only make the question broader.
import { listAt, objectAt, objectsAt, stringAt, type JsonObject } from '../../json.ts';
import { parseFieldSelector } from '../../selector/field-selector.ts';
import { parseLabelSelector } from '../../selector/label-selector.ts';
import { StatusError } from '../../status-error.ts';

interface Reading {
  readonly terms: readonly string[];
  readonly failed: boolean;
}

export function readSelectors(attributes: JsonObject | undefined): {
  readonly fieldSelector: string;
  /** Empty when all was read. */
  readonly error: string;
} {
  const fields = readSelector(objectAt(attributes, 'fieldSelector'), fieldTerm, isFieldSelector);
  const labels = readSelector(objectAt(attributes, 'labelSelector'), labelTerm, isLabelSelector);
  const errors = [remark('fieldSelector', fields), remark('labelSelector', labels)];
  return {
    fieldSelector: fields.terms.join(','),
    error: errors.filter((error) => error !== '').join('; '),
  };
}

function readSelector(
  selector: JsonObject | undefined,
  toTerm: (requirement: JsonObject) => string | undefined,
  isReadable: (raw: string) => boolean,
): Reading {
  const raw = stringAt(selector, 'rawSelector') ?? '';
  if (raw !== '') return isReadable(raw) ? { terms: [raw], failed: false } : nothing;
  const requirements = objectsAt(selector, 'requirements');
  const terms = requirements.flatMap((requirement) => toTerm(requirement) ?? []);
  return { terms, failed: terms.length < requirements.length };
}

const nothing: Reading = { terms: [], failed: true };

function remark(name: string, { terms, failed }: Reading): string {
  if (!failed) return '';
  const partially = terms.length > 0 ? 'partially ' : '';
  return `spec.resourceAttributes.${name} ${partially}ignored due to parse error`;
}

/** Fields are compared with one value only. */
function fieldTerm(requirement: JsonObject): string | undefined {
  const key = stringAt(requirement, 'key') ?? '';
  const [value, ...others] = listAt(requirement, 'values').map(String);
  if (value === undefined || others.length > 0) return undefined;
  const operator = stringAt(requirement, 'operator');
  if (operator === 'In') return `${key}=${value}`;
  return operator === 'NotIn' ? `${key}!=${value}` : undefined;
}

function labelTerm(requirement: JsonObject): string | undefined {
  const known = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist']);
  return known.has(stringAt(requirement, 'operator') ?? '') ? 'known' : undefined;
}

/** Whether the fields exist is not asked here, only whether the text can be read. */
function isFieldSelector(raw: string): boolean {
  const anyField = new Proxy({}, { get: () => () => '' });
  return reads(() => parseFieldSelector(raw, anyField));
}

function isLabelSelector(raw: string): boolean {
  return reads(() => parseLabelSelector(raw));
}

function reads(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
}
