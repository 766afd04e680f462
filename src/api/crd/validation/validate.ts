// An API server's view of a custom resource's schema: what it drops, what it fills in, what it refuses and in
// which words. Takes the schema of any CustomResourceDefinition, not only of ours.
//
// 1. A schema is compiled once; checking an object compiles nothing.
// 2. Objects handed in are never changed.
// 3. CEL rules run only on objects whose structure is sound, as on a server.
// 4. The cost of rules is not limited, and an unchanged invalid field is not excused on update (ratcheting).
import type { Json } from '../../meta.ts';
import { createCelEnvironment } from './cel-environment.ts';
import { fillDefaults } from './default.ts';
import type { DefinitionVersion, ScaleSubresource } from '../definition.ts';
import { checkEmbedded, hasEmbeddedResources } from './embedded-resource.ts';
import type { FieldError, FieldErrorType } from './field-error.ts';
import { isRecord } from './json-value.ts';
import { checkLists, toListNode } from './list-type.ts';
import type { OpenApiSchema } from '../open-api.ts';
import { pruneUnknown } from './prune.ts';
import { checkRules, ruleProblems, toRuleNode } from './rules.ts';
import { checkReplicas } from './scale.ts';
import { checkStructure } from './structural.ts';
import { toStructuralNode } from './structural-node.ts';

export interface Admission {
  /** The object as it would be stored. */
  readonly object: Json;
  readonly errors: readonly FieldError[];
  /** Paths of the fields that were dropped; a strict client wants to hear of them. */
  readonly dropped: readonly string[];
}

export interface CompiledSchema {
  /** The object without fields that the schema does not know; `onDrop` hears their paths. */
  prune(object: Json, onDrop?: (path: string) => void): Json;
  /** The object with defaults filled in, and without nulls that the schema does not allow. */
  applyDefaults(object: Json): Json;
  /** What is wrong with an object that is created, or that replaces `oldObject`. */
  validate(object: Json, oldObject?: Json): readonly FieldError[];
  /** What is wrong with an object whose `status` alone is replaced. */
  validateStatus(object: Json, oldObject: Json): readonly FieldError[];
  /** All of it, in the server's order: prune, fill in, validate. */
  admit(object: Json, oldObject?: Json): Admission;
  /** Why rules of the schema cannot run; empty for a sound schema. */
  readonly problems: readonly string[];
}

const blocking: ReadonlySet<FieldErrorType> = new Set<FieldErrorType>([
  'NotSupported',
  'Required',
  'TooLong',
  'TooMany',
  'TypeInvalid',
]);

const rulesSkipped: FieldError = {
  field: '<nil>',
  type: 'Invalid',
  detail:
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  value: null,
};

/** `scale` is the CRD's scale subresource, whose fields are held to more than the schema says. */
export function compileSchema(
  schema: OpenApiSchema,
  options: { readonly scale?: ScaleSubresource | undefined } = {},
): CompiledSchema {
  const { scale } = options;
  const root = toStructuralNode(schema);
  const status = root.properties.get('status');
  const lists = toListNode(root);
  const embeds = hasEmbeddedResources(root);
  const rules = toRuleNode(root, createCelEnvironment());

  const duplicates = (object: Json, oldObject: Json | undefined): readonly FieldError[] => {
    const errors = lists === undefined ? [] : checkLists(lists, object);
    // Duplicates that were there before do not stand in the way of an update.
    if (errors.length === 0 || lists === undefined || oldObject === undefined) return errors;
    return checkLists(lists, oldObject).length > 0 ? [] : errors;
  };

  const afterRules = (errors: FieldError[], object: Json, oldObject?: Json): FieldError[] => {
    if (rules === undefined) return errors;
    if (errors.some((error) => blocking.has(error.type))) return [...errors, rulesSkipped];
    return [...errors, ...checkRules(rules, object, oldObject)];
  };

  const compiled: CompiledSchema = {
    prune: (object, onDrop) => pruneUnknown(object, root, onDrop),
    applyDefaults: (object) => fillDefaults(object, root),
    problems: rules === undefined ? [] : ruleProblems(rules),
    admit(object, oldObject) {
      const dropped: string[] = [];
      const pruned = compiled.prune(object, (path) => dropped.push(path));
      const complete = compiled.applyDefaults(pruned);
      return { object: complete, errors: compiled.validate(complete, oldObject), dropped };
    },
    validate(object, oldObject) {
      const errors = [
        ...checkStructure(root, object),
        ...(scale ? checkReplicas(object, scale.specReplicasPath) : []),
        ...(scale ? checkReplicas(object, scale.statusReplicasPath) : []),
        ...(embeds ? checkEmbedded(root, object) : []),
        ...duplicates(object, oldObject),
      ];
      return afterRules(errors, object, oldObject);
    },
    validateStatus(object, oldObject) {
      const value = isRecord(object) ? object['status'] : undefined;
      const errors = [
        ...(status === undefined || value === undefined
          ? []
          : checkStructure(status, value, 'status')),
        ...(scale ? checkReplicas(object, scale.statusReplicasPath) : []),
        ...duplicates(object, oldObject),
      ];
      return afterRules(errors, object, oldObject);
    },
  };
  return compiled;
}

/** The schema of one version of our own kinds. */
export function compileVersion(version: DefinitionVersion): CompiledSchema {
  return compileSchema(version.openApi, { scale: version.scale });
}
