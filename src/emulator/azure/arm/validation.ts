// What Resource Manager checks of every tracked resource before its provider sees it: a body that is an object, a
// location that is offered and does not change, tags within their limits. In: the request. Out: the checked parts, or
// an ArmError.
import type { Json } from '../../../api/meta.ts';
import { isObject, stringAt, type JsonObject } from '../../kube/json.ts';
import { ArmError, invalidContent } from '../errors.ts';
import type { Regions } from '../regions.ts';
import type { Resource } from '../store.ts';

const maxTags = 50;
const maxTagName = 512;
const maxTagValue = 256;
// oxlint would rather see no control characters in a pattern; Azure refuses them, so they are named by class.
const reservedInTagNames = /[<>%&\\?/]|\p{Cc}/u;

export function objectBody(body: Json | undefined): JsonObject {
  if (isObject(body)) return body;
  throw invalidContent(
    body === undefined
      ? 'The request content is empty'
      : 'The root of the content must be an object',
  );
}

/** The normal name of the location that a new or an existing resource has. */
export function checkedLocation(options: {
  readonly regions: Regions;
  readonly type: string;
  readonly body: JsonObject;
  readonly existing: Resource | undefined;
  readonly name: string;
  readonly group: string;
}): string {
  const { regions, type, body, existing } = options;
  const asked = stringAt(body, 'location');
  const current = stringAt(existing?.body, 'location');
  if (asked === undefined || asked === '') {
    throw new ArmError(
      400,
      'LocationRequired',
      'The location property is required for this definition.',
    );
  }
  const region = regions.find(asked);
  if (region === undefined) {
    throw new ArmError(
      400,
      'LocationNotAvailableForResourceType',
      `The provided location '${asked}' is not available for resource type '${type}'. List of available regions for the resource type is '${regions.names.join(',')}'.`,
    );
  }
  if (current !== undefined && current !== region.name) {
    throw new ArmError(
      409,
      'InvalidResourceLocation',
      `The resource '${options.name}' already exists in location '${current}' in resource group '${options.group}'. A resource with the same name cannot be created in location '${asked}'. Please select a new resource name.`,
    );
  }
  return region.name;
}

export function checkedTags(tags: Json | undefined): JsonObject | undefined {
  if (tags === undefined || tags === null) return undefined;
  if (!isObject(tags)) throw invalidContent('The tags must be an object');
  const names = Object.keys(tags);
  if (names.length > maxTags) {
    throw new ArmError(
      400,
      'TooManyTags',
      `Too many tags supplied. Supplied: ${names.length}, Maximum allowed: ${maxTags}`,
    );
  }
  const reserved = names.filter((name) => reservedInTagNames.test(name));
  if (reserved.length > 0) {
    throw new ArmError(
      400,
      'InvalidTagNameCharacters',
      `The tag names '${reserved.join(',')}' have reserved characters '<,>,%,&,\\,?,/' or control characters.`,
    );
  }
  for (const name of names) checkTag(name, tags[name]);
  return tags;
}

function checkTag(name: string, value: Json | undefined): void {
  if (name.length > maxTagName) {
    throw new ArmError(
      400,
      'TagNameTooLong',
      `Tag name '${name}' is too long. Maximum allowed length is ${maxTagName} characters.`,
    );
  }
  if (typeof value !== 'string') {
    throw invalidContent(`The value of tag '${name}' must be a string`);
  }
  if (value.length > maxTagValue) {
    throw new ArmError(
      400,
      'TagValueTooLong',
      `Tag value too large. Following tag value '${value}' exceeded the maximum length. Maximum allowed length for tag value - '${maxTagValue}' characters.`,
    );
  }
}
