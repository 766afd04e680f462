// A template, read and checked. In: JSON and the parameters given. Out: its resources one by one, with loops
// unrolled, children lifted out, conditions decided and dependencies known by id; or InvalidTemplate.
import type { Json } from '../../../api/meta.ts';
import {
  at,
  isArray,
  isObject,
  listAt,
  objectAt,
  objectsAt,
  scalarText,
  stringAt,
  textAt,
  without,
  withValue,
  type JsonObject,
} from '../../kube/json.ts';
import { idText, toKey } from '../arm/resource-id.ts';
import { evaluate, type Scope } from './evaluate.ts';
import { cannotEvaluate, invalidTemplate } from './template-error.ts';

export interface PlannedResource {
  readonly id: string;
  readonly apiVersion: string;
  /** Still with expressions: some can be evaluated only when what they refer to is there. */
  readonly body: JsonObject;
  readonly scope: Scope;
  /** Keys of resources of the same template. */
  readonly dependsOn: ReadonlySet<string>;
  readonly symbolicName: string;
}

/** Values for all parameters: given, or the template's own. */
export function parameterValues(template: JsonObject, given: JsonObject, scope: Scope): JsonObject {
  const declared = objectAt(template, 'parameters') ?? {};
  const unknown = Object.keys(given).filter((name) => !hasKey(declared, name));
  if (unknown.length > 0) {
    throw invalidTemplate(
      `The following parameters were supplied, but do not correspond to any parameters defined in the template: '${unknown.join(', ')}'`,
    );
  }
  const values: Record<string, Json> = {};
  for (const [name, declaration] of Object.entries(declared)) {
    const supplied = at(given, keyOf(given, name) ?? name, 'value');
    const fallback = at(declaration, 'defaultValue');
    if (supplied === undefined && fallback === undefined) {
      throw invalidTemplate(
        `The value for the template parameter '${name}' at line '1' and column '1' is not provided. Please see https://aka.ms/arm-create-parameter-file for usage details.`,
      );
    }
    // A default may use the parameters before it.
    const value = supplied ?? evaluate(fallback as Json, { ...scope, parameters: values });
    checkParameter(name, declaration, value);
    values[name] = value;
  }
  return values;
}

const parameterTypes: Readonly<Record<string, (value: Json) => boolean>> = {
  string: (value) => typeof value === 'string',
  securestring: (value) => typeof value === 'string',
  int: (value) => Number.isInteger(value),
  bool: (value) => typeof value === 'boolean',
  array: (value) => isArray(value),
  object: (value) => isObject(value),
  secureobject: (value) => isObject(value),
};

function checkParameter(name: string, declaration: Json, value: Json): void {
  const type = textAt(declaration, 'type');
  const test = parameterTypes[type.toLowerCase()];
  if (test === undefined) {
    throw invalidTemplate(`The template parameter '${name}' has the unknown type '${type}'`);
  }
  if (!test(value)) {
    throw invalidTemplate(
      `Template parameter JToken type is not valid. Expected '${type}'. Actual value of '${name}': '${scalarText(value)}'`,
    );
  }
  const allowed = listAt(declaration, 'allowedValues');
  if (allowed.length > 0 && !allowed.includes(value)) {
    throw invalidTemplate(
      `The provided value '${scalarText(value)}' for the template parameter '${name}' is not valid. The value is not part of the allowed value(s): '${allowed.map((one) => scalarText(one)).join(',')}'.`,
    );
  }
}

export function plannedResources(
  template: JsonObject,
  scope: Scope,
  base: string,
): PlannedResource[] {
  const drafts = resourceList(template).flatMap(([symbol, resource]) =>
    unroll({ resource, scope, symbolicName: symbol, parent: undefined, base }),
  );
  const known = new Map<string, string>();
  for (const draft of drafts) {
    const key = toKey(draft.id);
    if (known.has(key)) {
      throw invalidTemplate(
        `The resource '${draft.id}' at line '1' and column '1' is defined multiple times in a template. Please see https://aka.ms/arm-syntax-resources for usage details.`,
      );
    }
    known.set(key, draft.id);
  }
  const planned = drafts.map((draft) => ({ ...draft, dependsOn: dependencies(draft, drafts) }));
  checkOrder(planned);
  return planned;
}

/** A list, or, in the newer form of the language, a map by symbolic name. */
function resourceList(template: JsonObject): (readonly [symbol: string, resource: JsonObject])[] {
  const resources = at(template, 'resources');
  if (isObject(resources)) {
    return Object.entries(resources).flatMap(([symbol, one]) =>
      isObject(one) ? [[symbol, one] as const] : [],
    );
  }
  return objectsAt(template, 'resources').map((one) => ['', one] as const);
}

type Draft = Omit<PlannedResource, 'dependsOn'> & { readonly parentId: string | undefined };

interface Unrolled {
  readonly resource: JsonObject;
  readonly scope: Scope;
  readonly symbolicName: string;
  readonly parent:
    | { readonly type: string; readonly name: string; readonly id: string }
    | undefined;
  /** What ids begin with: a group, or a subscription. */
  readonly base: string;
}

const maxCopies = 800;

function unroll(options: Unrolled): Draft[] {
  const { resource, scope } = options;
  const loop = objectAt(resource, 'copy');
  if (loop === undefined) return one(options);
  const name = textAt(loop, 'name');
  const count = evaluate(loop['count'] ?? 0, scope);
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > maxCopies) {
    throw invalidTemplate(
      `The copy count of '${name}' must be a number between 0 and ${maxCopies}, not '${scalarText(count)}'`,
    );
  }
  return Array.from({ length: count }, (_, index) =>
    one({
      ...options,
      resource: without(resource, 'copy'),
      scope: { ...scope, loops: [...scope.loops, { name, index }] },
    }),
  ).flat();
}

function one(options: Unrolled): Draft[] {
  const { resource, scope, parent, symbolicName } = options;
  const condition = resource['condition'];
  if (condition !== undefined && evaluate(condition, scope) === false) return [];
  const ownType = scalarText(evaluate(textAt(resource, 'type'), scope));
  const ownName = scalarText(evaluate(textAt(resource, 'name'), scope));
  const isChild = parent !== undefined && !ownType.includes('.');
  const type = isChild ? `${parent.type}/${ownType}` : ownType;
  const name = isChild ? `${parent.name}/${ownName}` : ownName;
  const id = resourceIdOf(options, type, name);
  const apiVersion = stringAt(resource, 'apiVersion');
  if (apiVersion === undefined) {
    throw invalidTemplate(`The template resource '${name}' must have an apiVersion`);
  }
  const children = objectsAt(resource, 'resources').flatMap((child) =>
    unroll({ ...options, resource: child, symbolicName: '', parent: { type, name, id } }),
  );
  const body = contentOf(resource);
  return [{ id, apiVersion, body, scope, symbolicName, parentId: parent?.id }, ...children];
}

function resourceIdOf({ resource, scope, base }: Unrolled, type: string, name: string): string {
  const names = name.split('/');
  if (names.length !== type.split('/').length - 1) {
    throw invalidTemplate(
      `The template resource '${name}' for type '${type}' at line '1' and column '1' has incorrect segment lengths. A nested resource type must have identical number of segments as its resource name. A root resource type must have segment length one greater than its resource name. Please see https://aka.ms/arm-syntax-resources for usage details.`,
    );
  }
  if (type.toLowerCase() === 'microsoft.resources/resourcegroups') {
    return `${scope.subscription.id}/resourceGroups/${name}`;
  }
  const group = stringAt(resource, 'resourceGroup');
  const within = stringAt(resource, 'scope');
  if (within !== undefined) {
    const text = scalarText(evaluate(within, scope));
    return idText({ scope: text.startsWith('/') ? text : relative(base, text), type, names });
  }
  return group === undefined
    ? idText({ scope: base, type, names })
    : idText({
        scope: `${scope.subscription.id}/resourceGroups/${scalarText(evaluate(group, scope))}`,
        type,
        names,
      });
}

/** `Microsoft.Network/virtualNetworks/vnet`, as a scope may be written. */
function relative(base: string, text: string): string {
  return `${base}/providers/${text}`;
}

const notContent = new Set(
  [
    'type name apiVersion dependsOn condition copy comments resources scope resourceGroup subscriptionId existing',
  ].flatMap((words) => words.split(' ')),
);

function contentOf(resource: JsonObject): JsonObject {
  const kept = Object.entries(resource).filter(([field]) => !notContent.has(field));
  return { ...Object.fromEntries(kept), ...dependsOnPart(resource) };
}

/** Kept beside the content until the dependencies are read. */
function dependsOnPart(resource: JsonObject): JsonObject {
  const dependsOn = resource['dependsOn'];
  return dependsOn === undefined ? {} : { dependsOn };
}

function dependencies(draft: Draft, all: readonly Draft[]): ReadonlySet<string> {
  const keys = new Set<string>();
  if (draft.parentId !== undefined) keys.add(toKey(draft.parentId));
  for (const item of listAt(draft.body, 'dependsOn')) {
    const text = scalarText(evaluate(item, draft.scope));
    const found = all.filter((other) => isNamed(other, text));
    if (found.length === 0) {
      throw invalidTemplate(
        `The resource '${text}' is not defined in the template. Please see https://aka.ms/arm-syntax for usage details.`,
      );
    }
    for (const other of found) keys.add(toKey(other.id));
  }
  // What is referred to by name must be there first, said or not.
  for (const other of all) {
    if (other !== draft && refersTo(draft, other)) keys.add(toKey(other.id));
  }
  return keys;
}

/** By id, by the end of an id, by a loop's name or by symbolic name. */
function isNamed(draft: Draft, text: string): boolean {
  const key = toKey(draft.id);
  const wanted = toKey(text);
  if (key === wanted || key.endsWith(`/${wanted}`)) return true;
  if (draft.symbolicName !== '' && draft.symbolicName === text) return true;
  return draft.scope.loops.some((loop) => loop.name === text);
}

function refersTo(draft: Draft, other: Draft): boolean {
  const content = JSON.stringify(draft.body);
  const name = other.id.split('/').at(-1) ?? '';
  return content.includes(`reference('${name}'`) || content.includes(`reference('${other.id}'`);
}

function checkOrder(planned: readonly PlannedResource[]): void {
  const done = new Set<string>();
  let rest = [...planned];
  while (rest.length > 0) {
    const ready = rest.filter(({ dependsOn }) => [...dependsOn].every((key) => done.has(key)));
    if (ready.length === 0) {
      throw invalidTemplate(
        `Circular dependency detected on resource: '${rest[0]?.id ?? ''}'. Please see https://aka.ms/arm-syntax-resources for usage details.`,
      );
    }
    for (const { id } of ready) done.add(toKey(id));
    rest = rest.filter((one) => !ready.includes(one));
  }
}

/** What is sent to the provider, all evaluated; only a template within that reads itself stays as it is. */
export function finalBody({ body, scope }: PlannedResource): JsonObject {
  const inner = innerTemplate(body);
  const content = without(body, 'dependsOn');
  const outer =
    inner === undefined ? content : withValue(content, ['properties', 'template'], undefined);
  const value = evaluate(outer, scope);
  if (!isObject(value)) throw cannotEvaluate('A resource must be an object.');
  return inner === undefined ? value : withValue(value, ['properties', 'template'], inner);
}

function innerTemplate(body: JsonObject): JsonObject | undefined {
  const options = objectAt(body, 'properties', 'expressionEvaluationOptions');
  return textAt(options, 'scope').toLowerCase() === 'inner'
    ? objectAt(body, 'properties', 'template')
    : undefined;
}

function keyOf(table: JsonObject, name: string): string | undefined {
  return Object.keys(table).find((key) => key.toLowerCase() === name.toLowerCase());
}

function hasKey(table: JsonObject, name: string): boolean {
  return keyOf(table, name) !== undefined;
}
