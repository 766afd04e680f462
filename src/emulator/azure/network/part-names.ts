// Names of what is written inside a network resource: subnets, IP configurations, pools, rules. In: the parts. Out:
// nothing, or the refusal of the network provider: every part has a name that fits into an id, and no two have the
// same.
import { stringAt, type JsonObject } from '../../kube/json.ts';
import { invalidName } from '../errors.ts';
import { invalidFormat, networkNameRule } from './errors.ts';

export function checkPartNames(ownerId: string, list: string, parts: readonly JsonObject[]): void {
  const seen = new Set<string>();
  for (const part of parts) {
    const name = stringAt(part, 'name') ?? '';
    if (name === '') {
      throw invalidFormat(
        'MissingJsonProperty',
        `Required property name was not found in JSON. Path properties.${list}.`,
      );
    }
    if (!networkNameRule.pattern.test(name)) throw invalidName(name, networkNameRule.rule);
    if (seen.has(name.toLowerCase())) {
      throw invalidFormat(
        'DuplicateResourceName',
        `Resource ${ownerId}/${list}/ has two child resources with the same name (${name}).`,
      );
    }
    seen.add(name.toLowerCase());
  }
}
