// NetworkPolicies. In: the object. Out: field errors, in the server's words and order.
import { BlockList, isIP } from 'node:net';
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import { forbidden, invalid, notSupported, required } from '../field-error.ts';
import {
  at,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  scalarText,
  stringAt,
  textAt,
  type JsonObject,
} from '../json.ts';
import type { ApiObject } from '../object.ts';
import { portNameErrors, portNumberErrors } from './names.ts';
import { selectorErrors } from './selector.ts';

const protocols = ['TCP', 'UDP', 'SCTP'];
const policyTypes = ['Ingress', 'Egress'];

export function networkPolicyErrors(policy: ApiObject): readonly FieldError[] {
  const rules = (direction: string, peers: string): readonly FieldError[] =>
    objectsAt(policy, 'spec', direction).flatMap((rule, index) => {
      const field = `spec.${direction}[${index}]`;
      return [
        ...objectsAt(rule, 'ports').flatMap((port, i) => portErrors(port, `${field}.ports[${i}]`)),
        ...objectsAt(rule, peers).flatMap((peer, i) => peerErrors(peer, `${field}.${peers}[${i}]`)),
      ];
    });
  return [
    ...selectorErrors(at(policy, 'spec', 'podSelector'), 'spec.podSelector'),
    ...rules('ingress', 'from'),
    ...rules('egress', 'to'),
    ...typeErrors(listAt(policy, 'spec', 'policyTypes').map(scalarText)),
  ];
}

function typeErrors(types: readonly string[]): readonly FieldError[] {
  const field = 'spec.policyTypes';
  if (types.length > policyTypes.length)
    return [invalid(field, types, 'may not specify more than two policyTypes')];
  return types.flatMap((type, index) =>
    policyTypes.includes(type) ? [] : [notSupported(`${field}[${index}]`, type, policyTypes)],
  );
}

function portErrors(port: JsonObject, field: string): readonly FieldError[] {
  const protocol = stringAt(port, 'protocol');
  const isKnown = protocol === undefined || protocols.includes(protocol);
  return [
    ...(isKnown ? [] : [notSupported(`${field}.protocol`, protocol, protocols)]),
    ...rangeErrors(port, field),
  ];
}

function rangeErrors(port: JsonObject, field: string): readonly FieldError[] {
  const first = at(port, 'port');
  const last = numberAt(port, 'endPort');
  const alone = (when: string): readonly FieldError[] =>
    last === undefined
      ? []
      : [invalid(`${field}.endPort`, last, `may not be specified when ${when}`)];
  if (first === undefined) return alone('`port` is not specified');
  if (typeof first !== 'number') {
    const name = scalarText(first);
    return [
      ...alone('`port` is non-numeric'),
      ...portNameErrors(name).map((rule) => invalid(`${field}.port`, name, rule)),
    ];
  }
  const errors = portNumberErrors(first).map((rule) => invalid(`${field}.port`, first, rule));
  if (last === undefined) return errors;
  return [
    ...errors,
    // The server shows the other of the two here.
    ...(last < first
      ? [invalid(`${field}.endPort`, first, 'must be greater than or equal to `port`')]
      : []),
    ...portNumberErrors(last).map((rule) => invalid(`${field}.endPort`, last, rule)),
  ];
}

function peerErrors(peer: JsonObject, field: string): readonly FieldError[] {
  const block = objectAt(peer, 'ipBlock');
  const selectors = ['podSelector', 'namespaceSelector'].filter((name) => name in peer);
  const errors = [
    ...selectors.flatMap((name) => selectorErrors(at(peer, name), `${field}.${name}`)),
    ...(block === undefined ? [] : blockErrors(block, `${field}.ipBlock`)),
  ];
  if (selectors.length === 0 && block === undefined) {
    return [...errors, required(field, 'must specify a peer')];
  }
  return selectors.length > 0 && block !== undefined
    ? [...errors, forbidden(field, 'may not specify both ipBlock and another peer')]
    : errors;
}

function blockErrors(block: JsonObject, field: string): readonly FieldError[] {
  const cidr = textAt(block, 'cidr');
  if (cidr === '') return [required(`${field}.cidr`)];
  const whole = readCidr(cidr);
  if (whole === undefined) return [notCidr(`${field}.cidr`, cidr)];
  return listAt(block, 'except').flatMap((value, index) => {
    const text = scalarText(value);
    const part = readCidr(text);
    if (part === undefined) return [notCidr(`${field}.except[${index}]`, text)];
    if (isStrictlyWithin(part, whole)) return [];
    return [invalid(`${field}.except[${index}]`, text, 'must be a strict subset of `cidr`')];
  });
}

function notCidr(field: string, text: string): FieldError {
  const rule = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
  return invalid(field, text, rule);
}

interface Cidr {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

function readCidr(text: string): Cidr | undefined {
  const [, written = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  // The server takes zeros before the digits of an old policy, and reads them as decimal.
  const address = written.includes(':') ? written : written.replaceAll(/\b0+(?=\d)/g, '');
  const family = isIP(address);
  const bits = Number(length);
  if (family === 0 || bits > (family === 4 ? 32 : 128)) return undefined;
  return { address, bits, family: family === 4 ? 'ipv4' : 'ipv6' };
}

function isStrictlyWithin(part: Cidr, whole: Cidr): boolean {
  if (part.family !== whole.family || part.bits <= whole.bits) return false;
  const list = new BlockList();
  list.addSubnet(whole.address, whole.bits, whole.family);
  return list.check(part.address, part.family);
}
