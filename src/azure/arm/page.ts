// Lists that come in pages. In: the call for the first page. Out: page after page, each fetched when it is asked for, by the
// address that the one before it names.
import type { Arm, ArmAnswer, ArmCall } from './send.ts';

interface Page<T> {
  readonly value?: readonly T[];
  readonly nextLink?: string | null;
}

export async function* pages<T>(
  arm: Arm,
  call: Omit<ArmCall, 'method'>,
): AsyncGenerator<readonly T[]> {
  let next: ArmCall | undefined = { ...call, method: 'GET' };
  while (next !== undefined) {
    const answer: ArmAnswer<Page<T>> = await arm.send(next);
    yield answer.body?.value ?? [];
    const nextLink = answer.body?.nextLink ?? '';
    // The link carries api-version and filter by itself.
    next = nextLink === '' ? undefined : { method: 'GET', path: nextLink, signal: call.signal };
  }
}

export async function listAll<T>(arm: Arm, call: Omit<ArmCall, 'method'>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const page of pages<T>(arm, call)) all.push(...page);
  return all;
}
