// One kind of object as the server knows it: its names, what may be done with it, how it is shown, and the
// rules that make, change and check it. A table of these is the API; custom resources add rows at run time.
import type { Json } from '../../../api/meta.ts';
import type { DeleteOptions, RequestContext } from '../api.ts';
import type { FieldError } from '../../../api/crd/validation/field-error.ts';
import type { ApiObject } from '../object.ts';
import type { TypeSchema } from '../schema/type-schema.ts';

export type Verb =
  | 'create'
  | 'delete'
  | 'deletecollection'
  | 'get'
  | 'list'
  | 'patch'
  | 'update'
  | 'watch';

/** A column of a server-side table. Priority 1 is shown by `-o wide` only. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly description: string;
  readonly priority?: number;
  /** `nowMs` turns timestamps into ages. */
  readonly cell: (object: ApiObject, nowMs: number) => Json;
}

/** How the number of replicas is read from and written to an object, for its `scale` subresource. */
export interface Scaling {
  readonly replicas: (object: ApiObject) => number | undefined;
  readonly currentReplicas: (object: ApiObject) => number;
  /** Label selector as text; undefined when the kind has none. */
  readonly selector: (object: ApiObject) => string | undefined;
  readonly withReplicas: (object: ApiObject, replicas: number) => ApiObject;
}

export interface Subresource {
  readonly name: string;
  readonly verbs: readonly Verb[];
  /** The kind that it speaks, where that is not the parent's. */
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
  /** For a view of the parent: takes from `object` what a write through the view may change. */
  readonly prepareForUpdate?: Change;
  readonly validateUpdate?: UpdateCheck;
}

/** What rules may ask of the rest of the cluster while one object is written. */
export interface RuleContext {
  readonly context: RequestContext;
  readonly nowMs: number;
}

/** Every rule has an answer; registry/default-strategy.ts has those of a kind without peculiarities. */
export interface CompleteStrategy {
  /** Why a name will not do; `generated` when it is a prefix that a suffix will follow. */
  readonly nameErrors: (name: string, generated: boolean) => readonly string[];
  /** Fills in what was left out, on create and update. */
  readonly defaults: (object: ApiObject) => ApiObject;
  /** Clears what the caller may not set, such as status. */
  readonly prepareForCreate: (object: ApiObject, rules: RuleContext) => ApiObject;
  /** After uid and creation time are known: for what is made of them. */
  readonly prepareForStamped: (object: ApiObject) => ApiObject;
  /** Before an update of the whole object: keeps status and what else belongs to a subresource. */
  readonly prepareForUpdate: Change;
  /** For `…/status`: keeps everything but the status. */
  readonly prepareForStatusUpdate: Change;
  readonly validate: (object: ApiObject, rules: RuleContext) => readonly FieldError[];
  readonly validateUpdate: UpdateCheck;
  readonly validateStatusUpdate: UpdateCheck;
  readonly warnings: (object: ApiObject, before: ApiObject | undefined) => readonly string[];
  /** True when PUT of an unknown name creates it. */
  readonly allowCreateOnUpdate: boolean;
  /** True when PUT without a resourceVersion overwrites; false answers 422. */
  readonly allowUnconditionalUpdate: boolean;
  /** Whether the object has `metadata.generation` and by which change it grows. */
  readonly generation: 'none' | 'spec' | 'all-but-status' | 'all';
  /** The grace period of a delete in seconds; undefined for kinds that have none. */
  readonly graceSeconds?: (object: ApiObject, wanted: number | undefined) => number;
  /** True while more than metadata.finalizers keeps a deleted object, as a namespace's content does. */
  readonly isHeld: (object: ApiObject) => boolean;
  /** The object as it looks while it is held. */
  readonly markHeld: (object: ApiObject) => ApiObject;
  readonly deleteWarnings: (options: DeleteOptions) => readonly string[];
  /** Answer a delete with the object that was, not with a Status. */
  readonly returnsDeleted: boolean;
  /** Dependents are orphaned unless the caller says otherwise, as for ReplicationControllers. */
  readonly orphansByDefault: boolean;
}

/** What is peculiar about a kind. */
export type Strategy = Partial<CompleteStrategy>;

type Change = (object: ApiObject, before: ApiObject, rules: RuleContext) => ApiObject;
type UpdateCheck = (
  object: ApiObject,
  before: ApiObject,
  rules: RuleContext,
) => readonly FieldError[];

export interface ResourceKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  readonly subresources: readonly Subresource[];
  readonly columns: readonly Column[];
  /** Fields that a field selector may name besides metadata.name and metadata.namespace. */
  readonly fieldSelectors: Readonly<Record<string, (object: ApiObject) => string>>;
  readonly strategy: CompleteStrategy;
  /** `group/plural` under which the objects are kept: two versions of one kind share it. */
  readonly storage: string;
  /** Between the stored form and this version's; absent when they differ in apiVersion and kind only. */
  readonly convert?: {
    readonly fromStorage: (stored: ApiObject) => ApiObject;
    readonly toStorage: (object: ApiObject) => ApiObject;
  };
  readonly scaling?: Scaling;
  /** Nothing is stored: a create is a question that is answered, as for access reviews. */
  readonly isVirtual?: boolean;
  /** Sent with every answer of a version that is on its way out. */
  readonly deprecation?: string;
  /** The version in which objects are kept, where it is not this one. */
  readonly storageVersion?: string;
  /** Its definition is being deleted: nothing new is made any more. */
  readonly isTerminating?: boolean;
  /** Present for custom resources: the type that their definition describes. */
  readonly custom?: { readonly schema: TypeSchema; readonly hasStatus: boolean };
}

export function groupResourceOf(kind: ResourceKind): {
  readonly group: string;
  readonly resource: string;
} {
  return { group: kind.group, resource: kind.plural };
}

/** Custom resources and their definitions take any finalizer; the other kinds want a domain before it. */
export function wantsQualifiedFinalizers(kind: ResourceKind): boolean {
  return kind.custom === undefined && kind.group !== 'apiextensions.k8s.io';
}
