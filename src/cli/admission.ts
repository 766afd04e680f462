// What an API server would make of one manifest. In: a value as written. Out: the object as it would be stored,
// or the server's own words for why not. Kinds that are not ours are reported as such, never judged.
import type { Definition, DefinitionVersion } from '../api/crd/definition.ts';
import { definitions } from '../api/crd/definitions.ts';
import { type FieldError, invalidMessage } from '../api/crd/validation/field-error.ts';
import { type CompiledSchema, compileVersion } from '../api/crd/validation/validate.ts';
import type { Json } from '../api/meta.ts';

type JsonObject = { readonly [key: string]: Json };

export type Verdict =
  | { readonly outcome: 'stored'; readonly title: string; readonly object: JsonObject }
  | { readonly outcome: 'refused'; readonly title: string; readonly reason: string }
  | { readonly outcome: 'foreign'; readonly title: string };

/** Compiles each schema at most once, however many objects are judged. */
export class Admission {
  readonly #schemas = new Map<DefinitionVersion, CompiledSchema>();

  judge(value: Json): Verdict {
    const address = addressOf(value);
    if (typeof address === 'string') return refuse('document', address);
    const { group, version, kind, name } = address;
    const title = `${kind} ${name}`.trim();
    const definition = definitions.find((row) => row.group === group && row.kind === kind);
    if (definition === undefined) return { outcome: 'foreign', title };
    const served = definition.versions.find((candidate) => candidate.name === version);
    if (served === undefined) return refuse(title, unservedMessage(definition, version));
    if (name === '') return refuse(title, 'metadata.name: Required value: name is required');
    return this.#admit(address.object, { definition, version: served, name });
  }

  #admit(
    value: JsonObject,
    found: { definition: Definition; version: DefinitionVersion; name: string },
  ): Verdict {
    const { definition, version, name } = found;
    const title = `${definition.singular}.${definition.group}/${name}`;
    const { object, errors, dropped } = this.#schemaOf(version).admit(value);
    if (dropped.length > 0) {
      const fields = dropped.map((path) => `unknown field "${path}"`).join(', ');
      return refuse(title, `strict decoding error: ${fields}`);
    }
    if (errors.length > 0) return refuse(title, message(definition, name, errors));
    return { outcome: 'stored', title, object: object as JsonObject };
  }

  #schemaOf(version: DefinitionVersion): CompiledSchema {
    let schema = this.#schemas.get(version);
    if (schema === undefined) {
      schema = compileVersion(version);
      this.#schemas.set(version, schema);
    }
    return schema;
  }
}

interface Address {
  readonly object: JsonObject;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Empty when the object has none. */
  readonly name: string;
}

function addressOf(value: Json): Address | string {
  if (!isObject(value)) return 'must be an object with apiVersion and kind';
  const { apiVersion, kind, metadata } = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
    return 'apiVersion and kind must be set';
  }
  const slash = apiVersion.indexOf('/');
  const name = isObject(metadata) ? metadata['name'] : undefined;
  return {
    object: value,
    group: slash === -1 ? '' : apiVersion.slice(0, slash),
    version: apiVersion.slice(slash + 1),
    kind,
    name: typeof name === 'string' ? name : '',
  };
}

function unservedMessage({ group, versions }: Definition, version: string): string {
  const served = versions.map((candidate) => `"${group}/${candidate.name}"`).join(', ');
  return `apiVersion: Unsupported value: "${group}/${version}": supported values: ${served}`;
}

function message(definition: Definition, name: string, errors: readonly FieldError[]): string {
  return invalidMessage({ kind: definition.kind, group: definition.group, name, errors });
}

function refuse(title: string, reason: string): Verdict {
  return { outcome: 'refused', title, reason };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
