// The options of a pod's log. In: the query. Out: what is asked of a kubelet; a StatusError for what makes no sense,
// whether or not there is anybody to ask.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { forbidden, invalid } from '../field-error.ts';
import { booleanOption, integerOption } from '../http/query-options.ts';
import type { PodLogOptions } from '../ports.ts';
import { secondTime } from '../schema/go-time.ts';
import { badRequest, invalidObject } from '../status-error.ts';

export type AskedLog = Omit<PodLogOptions, 'container' | 'signal'>;

export function logOptions(query: URLSearchParams, pod: string): AskedLog {
  const numbers = {
    sinceSeconds: integerOption(query, 'sinceSeconds'),
    tailLines: integerOption(query, 'tailLines'),
    limitBytes: integerOption(query, 'limitBytes'),
  };
  const sinceTime = timeOption(query.get('sinceTime') ?? '');
  const errors = [
    ...numberErrors(numbers, sinceTime !== undefined),
    ...(query.has('stream') ? [forbidden('stream', 'may not be specified')] : []),
  ];
  if (errors.length > 0) throw invalidObject({ group: '', kind: 'PodLogOptions' }, pod, errors);
  const flag = (name: string): boolean => booleanOption(query, name) ?? false;
  const given = Object.entries({ ...numbers, sinceTime }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    follow: flag('follow'),
    previous: flag('previous'),
    timestamps: flag('timestamps'),
    ...Object.fromEntries(given),
  };
}

type Numbers = Readonly<Record<'sinceSeconds' | 'tailLines' | 'limitBytes', number | undefined>>;

function numberErrors(
  { sinceSeconds, tailLines, limitBytes }: Numbers,
  hasTime: boolean,
): readonly FieldError[] {
  return [
    ...below(tailLines, 0, { field: 'tailLines', detail: 'must be greater than or equal to 0' }),
    ...below(limitBytes, 1, { field: 'limitBytes', detail: 'must be greater than 0' }),
    ...(sinceSeconds !== undefined && hasTime
      ? [forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified')]
      : below(sinceSeconds, 1, { field: 'sinceSeconds', detail: 'must be greater than 0' })),
  ];
}

function below(
  value: number | undefined,
  least: number,
  { field, detail }: { readonly field: string; readonly detail: string },
): readonly FieldError[] {
  return value !== undefined && value < least ? [invalid(field, value, detail)] : [];
}

function timeOption(text: string): string | undefined {
  if (text === '') return undefined;
  const time = secondTime(text);
  if (!time.ok) throw badRequest(time.problem);
  return text;
}
