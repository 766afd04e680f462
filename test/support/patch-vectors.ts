// Recorded answers of a real API server, small enough to read. In: a request and its answer, or the record of both. Out:
// the other. Objects are kept as the change against the object before, sets of owned fields as one text each, and times
// as the number of the step in which the server wrote them.
import type { Json } from '../../src/api/meta.ts';
import {
  isArray,
  isObject,
  type JsonObject,
  objectAt,
  sameJson,
  withValue,
} from '../../src/emulator/kube/json.ts';
import type { Answer } from './patch-replay.ts';
import type { PatchRequest } from './patch-scenarios.ts';

export interface RecordedStep {
  /** The body of an update is its change against the object before. */
  readonly request: PatchRequest;
  readonly code: number;
  /** The change of the object, or for a refusal its message and causes. */
  readonly answer: JsonObject;
}

/** `2026-01-01T00:00:03Z` for step 3. */
export function timeOfStep(step: number): string {
  return `2026-01-01T00:00:${String(step).padStart(2, '0')}Z`;
}

/** Real times by the step that brought them. */
export class RecordingTimes {
  readonly #steps = new Map<string, number>();
  step = -1;

  /** Counts a step and gives the newest time of its answer. */
  take(object: JsonObject): string {
    this.step++;
    const times = entriesOf(object).map((entry) => (entry as { time?: string }).time ?? '');
    for (const time of times) if (!this.#steps.has(time)) this.#steps.set(time, this.step);
    return times.toSorted().at(-1) ?? '';
  }

  recorded(time: string): string {
    return timeOfStep(this.#steps.get(time) ?? 0);
  }
}

function entriesOf(object: JsonObject): readonly Json[] {
  const entries = objectAt(object, 'metadata')?.['managedFields'];
  return isArray(entries) ? entries : [];
}

function mapEntries(object: JsonObject, change: (entry: JsonObject) => JsonObject): JsonObject {
  const entries = objectAt(object, 'metadata')?.['managedFields'];
  if (!isArray(entries)) return object;
  const changed = entries.map((entry) => (isObject(entry) ? change(entry) : entry));
  return withValue(object, ['metadata', 'managedFields'], changed);
}

export function encodeStep(options: {
  readonly request: PatchRequest;
  readonly answer: Answer;
  readonly before: JsonObject | undefined;
  readonly times: RecordingTimes;
}): RecordedStep {
  const { request, answer, times } = options;
  const before = recorded(options.before ?? {}, times);
  const isUpdate = request.type === 'update';
  const body = isUpdate
    ? difference(before, recorded(request.body as JsonObject, times))
    : request.body;
  const { message = '' } = answer.body;
  const causes = objectAt(answer.body, 'details')?.['causes'];
  return {
    request: { ...request, body },
    code: answer.code,
    answer:
      answer.code >= 400
        ? { message, ...(causes !== undefined && { causes }) }
        : difference(before, recorded(answer.body, times)),
  };
}

/** Without what no two servers have in common. */
function recorded(object: JsonObject, times: RecordingTimes): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata)) return object;
  const { resourceVersion: _, uid, creationTimestamp, ...rest } = metadata;
  const stable = {
    ...rest,
    ...(uid !== undefined && { uid: 'the-uid' }),
    ...(creationTimestamp !== undefined && { creationTimestamp: timeOfStep(0) }),
  };
  return mapEntries({ ...object, metadata: stable }, (entry) => {
    const { fieldsV1, time } = entry;
    return {
      ...entry,
      ...(typeof time === 'string' && { time: times.recorded(time) }),
      ...(fieldsV1 !== undefined && { fieldsV1: JSON.stringify(fieldsV1) }),
    };
  });
}

/** The merge patch from one to the other. */
function difference(before: JsonObject, after: JsonObject): JsonObject {
  const gone = Object.keys(before).filter((name) => after[name] === undefined);
  const changed = Object.entries(after).flatMap(([name, value]) => {
    const earlier = before[name];
    if (sameJson(earlier, value)) return [];
    return [
      [name, isObject(earlier) && isObject(value) ? difference(earlier, value) : value] as const,
    ];
  });
  return {
    ...Object.fromEntries(gone.map((name) => [name, null])),
    ...Object.fromEntries(changed),
  };
}

/** Undoes `difference`: as a merge patch would, but lists are taken as they stand. */
function changed(before: JsonObject, change: JsonObject): JsonObject {
  const after: { [name: string]: Json } = { ...before };
  for (const [name, value] of Object.entries(change)) {
    const earlier = before[name];
    if (value === null) delete after[name];
    else after[name] = isObject(earlier) && isObject(value) ? changed(earlier, value) : value;
  }
  return after;
}

/** `before` as recorded: keep the result's `recorded` for the next step. */
export function decodeStep(
  step: RecordedStep,
  before: JsonObject | undefined,
): {
  readonly request: PatchRequest;
  readonly answer: Answer;
  readonly after: JsonObject | undefined;
} {
  const { request, code } = step;
  const base = before ?? {};
  const body =
    request.type === 'update' ? decoded(changed(base, request.body as JsonObject)) : request.body;
  if (code >= 400) {
    const { message = '', causes = [] } = step.answer;
    return {
      request: { ...request, body },
      answer: { code, body: { message, details: { causes } } },
      after: before,
    };
  }
  const after = changed(base, step.answer);
  return { request: { ...request, body }, answer: { code, body: decoded(after) }, after };
}

/** A recorded object as the server sent it. */
export function decoded(object: JsonObject): JsonObject {
  return mapEntries(object, (entry) => {
    const { fieldsV1 } = entry;
    return typeof fieldsV1 === 'string'
      ? { ...entry, fieldsV1: JSON.parse(fieldsV1) as Json }
      : entry;
  });
}
