// The document of `--scheduler-config`: how the cluster's kube-scheduler is set up where that differs from its defaults.
// In: the document as a JSON value, whichever of YAML and JSON it was written in. Out: the constraints by which pods
// without any of their own are spread, or every fault of the document with its path, value, rule and remedy.
// Strict: a misspelt field would silently mean its default, and nodes would be made for places that pods never get.
import type { TopologySpreadConstraint } from '../../api/core.ts';
import type { Json } from '../../api/meta.ts';
import { qualifiedNameFaults } from '../../model/label-name.ts';
import { blame, inside, type Place, rootPlace } from '../problem/place.ts';
import {
  closed,
  integer,
  listOf,
  oneOf,
  required,
  type Shape,
  withoutNulls,
} from '../problem/shape.ts';

/** What a pod may say about its own spread, less what is deduced for each pod. */
export type DefaultConstraint = Omit<TopologySpreadConstraint, 'labelSelector' | 'matchLabelKeys'>;

export type SchedulerConfig =
  | { readonly ok: true; readonly defaultConstraints: readonly DefaultConstraint[] }
  | { readonly ok: false; readonly faults: readonly string[] };

interface WrittenConfig {
  readonly podTopologySpread?: { readonly defaultConstraints?: readonly DefaultConstraint[] };
}

/** An empty document is `null` once it is parsed, and switches the feature off. */
export function readSchedulerConfig(document: Json): SchedulerConfig {
  if (document === null) return { ok: true, defaultConstraints: [] };
  const place = rootPlace();
  const value = withoutNulls(document);
  shape(value, place);
  if (place.faults.length > 0) return { ok: false, faults: place.faults };
  const { podTopologySpread } = value as unknown as WrittenConfig;
  const constraints = podTopologySpread?.defaultConstraints ?? [];
  checkRepetition(constraints, constraintsPlace(place));
  if (place.faults.length > 0) return { ok: false, faults: place.faults };
  return { ok: true, defaultConstraints: constraints.map(withoutEmptyKeys) };
}

const positive: Shape = (value, place) => {
  if (Number.isSafeInteger(value) && Number(value) > 0) return;
  blame(place, value, 'must be greater than 0; write a whole number, without quotes');
};

const labelName: Shape = (value, place) => {
  const faults = typeof value === 'string' ? qualifiedNameFaults(value) : ['must be a text'];
  if (faults.length === 0) return;
  const rule = `is not a valid label name, ${faults.join(', ')}`;
  blame(
    place,
    value,
    `${rule}; write the label to spread over, such as topology.kubernetes.io/zone`,
  );
};

const deduced: Shape = (value, place) => {
  blame(place, value, 'must not be set, as selectors are deduced for each pod; remove it');
};

const withoutEffect: Shape = (value, place) => {
  if (Array.isArray(value) && value.length === 0) return;
  blame(place, value, 'must not be set, as it has no effect on default constraints; remove it');
};

const policy = oneOf('Honor', 'Ignore');

const shape = closed({
  podTopologySpread: closed({
    defaultConstraints: listOf(
      closed({
        maxSkew: required(positive),
        topologyKey: required(labelName),
        whenUnsatisfiable: required(oneOf('DoNotSchedule', 'ScheduleAnyway')),
        minDomains: integer,
        nodeAffinityPolicy: policy,
        nodeTaintsPolicy: policy,
        labelSelector: deduced,
        matchLabelKeys: withoutEffect,
      }),
    ),
  }),
});

function constraintsPlace(root: Place): Place {
  return inside(inside(root, 'podTopologySpread'), 'defaultConstraints');
}

function checkRepetition(constraints: readonly DefaultConstraint[], place: Place): void {
  const first = new Map<string, number>();
  for (const [i, { topologyKey, whenUnsatisfiable }] of constraints.entries()) {
    const pair = `{${topologyKey}, ${whenUnsatisfiable}}`;
    const earlier = first.get(pair);
    if (earlier === undefined) first.set(pair, i);
    else blame(inside(place, i), pair, `is a duplicate of [${earlier}]; keep one of the two`);
  }
}

function withoutEmptyKeys(constraint: TopologySpreadConstraint): DefaultConstraint {
  const { matchLabelKeys: _, ...rest } = constraint;
  return rest;
}
