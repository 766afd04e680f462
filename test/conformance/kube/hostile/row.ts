// One hostile request and what a real server answers it. In: a row and the stage it is played on. Out: the request as sent
// and whether an answer is the one that was written down.
import type { Json } from '../../../../src/api/meta.ts';
import type { Request } from '../session.ts';

/**
 * `call` is method and path. `{ns}` and the other names of the stage are filled in wherever they stand; in the verdict
 * `…` stands for whatever differs from one server or moment to the next.
 */
export type Row = readonly [what: string, call: string, request: Request, verdict: string];

export type Names = Readonly<Record<string, string>>;

export const json = 'application/json';
export const yaml = 'application/yaml';
export const jsonPatch = 'application/json-patch+json';
export const merge = 'application/merge-patch+json';
export const strategic = 'application/strategic-merge-patch+json';
export const apply = 'application/apply-patch+yaml';
export const protobuf = 'application/vnd.kubernetes.protobuf';

export const core = '/api/v1/namespaces/{ns}';
export const apps = '/apis/apps/v1/namespaces/{ns}';

export function filled(text: string, names: Names): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => names[name] ?? whole);
}

export function filledRequest(request: Request, names: Names): Request {
  const { body, text, authorization, ...rest } = request;
  return {
    ...rest,
    ...(authorization === undefined ? {} : { authorization: filled(authorization, names) }),
    ...(typeof text === 'string' ? { text: filled(text, names) } : {}),
    ...(text instanceof Uint8Array ? { text } : {}),
    ...(body === undefined
      ? {}
      : { body: JSON.parse(filled(JSON.stringify(body), names)) as Json }),
  };
}

/** The verdict as a pattern over whole answers. */
export function pattern(verdict: string, names: Names): RegExp {
  const parts = filled(verdict, names)
    .split('…')
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[^]*')}$`);
}
