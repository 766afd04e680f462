// A path below a domain, by which controllers name themselves. In: the text. Out: field errors, in the server's words.
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { invalid, required } from '../field-error.ts';
import { dnsSubdomainErrors } from './names.ts';

/** `acme.io/foo`. */
export function prefixedPathErrors(value: string, field: string): readonly FieldError[] {
  if (value === '') return [required(field)];
  const [, host = '', path = ''] = /^([^/]+)\/(.+)$/.exec(value) ?? [];
  if (host === '') {
    return [invalid(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const pathRule = String.raw`Invalid path (regex used for validation is '[A-Za-z0-9/\-._~%!$&'()*+,;=:]+')`;
  return [
    ...dnsSubdomainErrors(host).map((rule) => invalid(field, host, rule)),
    ...(/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(path) ? [] : [invalid(field, path, pathRule)]),
  ];
}
