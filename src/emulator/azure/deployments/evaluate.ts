// Values of a template. In: JSON with expressions, and the place it is deployed to. Out: plain JSON. Parameters and
// variables are looked up as they are met; `reference` asks for a resource as it is at that moment.
import type { Json } from '../../../api/meta.ts';
import { isArray, isObject, scalarText, type JsonObject } from '../../kube/json.ts';
import { idText } from '../arm/resource-id.ts';
import { parseText, type Expression } from './expression.ts';
import { cannotEvaluate } from './template-error.ts';
import { valueFunctions } from './value-functions.ts';

export interface Scope {
  readonly subscription: JsonObject & { readonly id: string };
  /** Absent at the level of a subscription. */
  readonly resourceGroup?: JsonObject & { readonly id: string };
  readonly tenantId: string;
  readonly deployment: JsonObject;
  readonly parameters: JsonObject;
  /** Still with expressions. */
  readonly variables: JsonObject;
  /** The properties of a resource that is there; `full` for all of it. */
  readonly reference: (id: string, isFull: boolean) => Json;
  /** Names of the loops around, innermost last. */
  readonly loops: readonly { readonly name: string; readonly index: number }[];
  readonly now: () => number;
  readonly newGuid: () => string;
}

export function evaluate(value: Json, scope: Scope): Json {
  if (typeof value === 'string') return run(parseText(value), scope);
  if (isArray(value)) return value.map((item) => evaluate(item, scope));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(
    ([key, item]) => [scalarText(evaluate(key, scope)), evaluate(item, scope)] as const,
  );
  return Object.fromEntries(entries);
}

function run(expression: Expression, scope: Scope): Json {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'member':
      return member(run(expression.target, scope), run(expression.key, scope));
    default:
      return call(expression, scope);
  }
}

function member(target: Json, key: Json): Json {
  if (isArray(target) && typeof key === 'number') {
    const item = target[key];
    if (item !== undefined) return item;
  }
  if (isObject(target) && typeof key === 'string') {
    const name = Object.keys(target).find((one) => one.toLowerCase() === key.toLowerCase());
    if (name !== undefined) return target[name] ?? null;
  }
  throw cannotEvaluate(
    `The language expression property '${scalarText(key)}' doesn't exist, available properties are '${isObject(target) ? Object.keys(target).join(', ') : ''}'.`,
  );
}

function call(expression: Expression & { readonly kind: 'call' }, scope: Scope): Json {
  const name = expression.name.toLowerCase();
  // Only the branch that is taken may be looked at.
  if (name === 'if') {
    const [test, yes, no] = expression.args;
    const chosen = test !== undefined && run(test, scope) === true ? yes : no;
    return chosen === undefined ? null : run(chosen, scope);
  }
  const args = expression.args.map((arg) => run(arg, scope));
  const own = scopeFunctions[name];
  if (own !== undefined) return own(scope, args);
  const found = valuesByName.get(name);
  if (found !== undefined) return found(...args);
  throw cannotEvaluate(
    `The template function '${expression.name}' is not valid. Please see https://aka.ms/arm-functions for usage details.`,
  );
}

const valuesByName = new Map(
  Object.entries(valueFunctions).map(([name, run]) => [name.toLowerCase(), run]),
);

type ScopeFunction = (scope: Scope, args: readonly Json[]) => Json;

const scopeFunctions: Readonly<Record<string, ScopeFunction>> = {
  parameters: (scope, [name]) => named(scope.parameters, name, 'parameter'),
  variables: (scope, [name]) => evaluate(named(scope.variables, name, 'variable'), scope),
  subscription: ({ subscription }) => subscription,
  resourcegroup: ({ resourceGroup }) => {
    if (resourceGroup !== undefined) return resourceGroup;
    throw cannotEvaluate(
      "The function 'resourceGroup' is not valid at the level of a subscription.",
    );
  },
  deployment: ({ deployment }) => deployment,
  tenant: ({ tenantId }) => ({ tenantId }),
  reference: (scope, [id, , full]) =>
    scope.reference(scalarText(id), scalarText(full).toLowerCase() === 'full'),
  resourceid: (scope, args) => resourceId(scope, args),
  subscriptionresourceid: (scope, args) =>
    typedId(scope.subscription.id, scalarText(args[0]).includes('/') ? args : args.slice(1)),
  tenantresourceid: (_, args) => typedId('', args),
  extensionresourceid: (_, [scope, ...args]) => typedId(scalarText(scope), args),
  copyindex: (scope, args) => copyIndex(scope, args),
  utcnow: ({ now }) => new Date(now()).toISOString(),
  newguid: ({ newGuid }) => newGuid(),
};

function named(table: JsonObject, name: Json | undefined, what: string): Json {
  const wanted = scalarText(name).toLowerCase();
  const found = Object.keys(table).find((key) => key.toLowerCase() === wanted);
  if (found !== undefined) return table[found] ?? null;
  throw cannotEvaluate(`The template ${what} '${scalarText(name)}' is not found.`);
}

/** `resourceId([subscription], [group], type, names…)`: the type is the first with a slash. */
function resourceId(scope: Scope, args: readonly Json[]): string {
  const texts = args.map((arg) => scalarText(arg));
  const at = texts.findIndex((text) => text.includes('/'));
  if (at === -1) throw cannotEvaluate("The function 'resourceId' needs a type.");
  const before = texts.slice(0, at);
  const group = before.at(-1);
  const subscription = before.length > 1 ? `/subscriptions/${before[0]}` : scope.subscription.id;
  const base =
    group === undefined
      ? (scope.resourceGroup?.id ?? subscription)
      : `${subscription}/resourceGroups/${group}`;
  return typedId(base, args.slice(at));
}

function typedId(scope: string, args: readonly Json[]): string {
  const [type = '', ...names] = args.map((arg) => scalarText(arg));
  return idText({ scope, type, names: names.flatMap((name) => name.split('/')) });
}

function copyIndex({ loops }: Scope, args: readonly Json[]): Json {
  const [first, second] = args;
  const loop =
    typeof first === 'string' ? loops.findLast(({ name }) => name === first) : loops.at(-1);
  if (loop === undefined) throw cannotEvaluate("The function 'copyIndex' needs a copy loop.");
  const offset = typeof first === 'number' ? first : second;
  return loop.index + (typeof offset === 'number' ? offset : 0);
}
