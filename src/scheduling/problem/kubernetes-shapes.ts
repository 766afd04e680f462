// The fields of Kubernetes objects that a problem is solved by, and what they must hold. In: nothing. Out: shapes.
// The values of a field are those the API server accepts; what it would refuse must not reach a solver, which would
// read it as something else.
import {
  amounts,
  countOrShare,
  fields,
  integer,
  listOf,
  name,
  oneOf,
  required,
  text,
  texts,
  timestamp,
  truth,
} from './shape.ts';

const metadataFields = {
  namespace: text,
  uid: text,
  creationTimestamp: timestamp,
  deletionTimestamp: timestamp,
  labels: texts,
  annotations: texts,
  ownerReferences: listOf(
    fields({ apiVersion: required(text), kind: required(text), name: text, uid: text }),
  ),
};

const metadata = required(fields({ ...metadataFields, name: required(name) }));

const selector = fields({
  matchLabels: texts,
  matchExpressions: listOf(
    fields({
      key: required(name),
      operator: required(oneOf('In', 'NotIn', 'Exists', 'DoesNotExist')),
      values: listOf(text),
    }),
  ),
});

const nodeExpressions = listOf(
  fields({
    key: required(name),
    operator: required(oneOf('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt')),
    values: listOf(text),
  }),
);

const nodeSelectorTerm = fields({
  matchExpressions: nodeExpressions,
  matchFields: nodeExpressions,
});
const nodeSelector = fields({ nodeSelectorTerms: required(listOf(nodeSelectorTerm)) });

const podAffinityTerm = fields({
  labelSelector: selector,
  namespaces: listOf(text),
  namespaceSelector: selector,
  topologyKey: required(name),
  matchLabelKeys: listOf(text),
  mismatchLabelKeys: listOf(text),
});

const podAffinity = fields({
  requiredDuringSchedulingIgnoredDuringExecution: listOf(podAffinityTerm),
  preferredDuringSchedulingIgnoredDuringExecution: listOf(
    fields({ weight: required(integer), podAffinityTerm: required(podAffinityTerm) }),
  ),
});

const affinity = fields({
  nodeAffinity: fields({
    requiredDuringSchedulingIgnoredDuringExecution: nodeSelector,
    preferredDuringSchedulingIgnoredDuringExecution: listOf(
      fields({ weight: required(integer), preference: required(nodeSelectorTerm) }),
    ),
  }),
  podAffinity,
  podAntiAffinity: podAffinity,
});

const effect = oneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute');
export const taints = listOf(
  fields({ key: required(name), value: text, effect: required(effect) }),
);

const toleration = fields({
  key: text,
  operator: oneOf('Exists', 'Equal', 'Lt', 'Gt'),
  value: text,
  effect: oneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute', ''),
});

const policy = oneOf('Honor', 'Ignore');
const spreadConstraint = fields({
  maxSkew: required(integer),
  topologyKey: required(name),
  whenUnsatisfiable: required(oneOf('DoNotSchedule', 'ScheduleAnyway')),
  labelSelector: selector,
  minDomains: integer,
  nodeAffinityPolicy: policy,
  nodeTaintsPolicy: policy,
  matchLabelKeys: listOf(text),
});

const resources = fields({
  requests: amounts,
  limits: amounts,
  claims: listOf(fields({ name: required(text) })),
});

const container = fields({
  name: required(text),
  resources,
  restartPolicy: text,
  ports: listOf(
    fields({
      containerPort: integer,
      hostPort: integer,
      hostIP: text,
      protocol: oneOf('TCP', 'UDP', 'SCTP'),
    }),
  ),
});

const volume = fields({
  name: required(text),
  persistentVolumeClaim: fields({ claimName: required(name) }),
  ephemeral: fields({}),
});

const podSpec = fields({
  nodeName: text,
  nodeSelector: texts,
  affinity,
  tolerations: listOf(toleration),
  topologySpreadConstraints: listOf(spreadConstraint),
  containers: required(listOf(container)),
  initContainers: listOf(container),
  overhead: amounts,
  resources,
  volumes: listOf(volume),
  resourceClaims: listOf(fields({ name: required(text) })),
});

const truthValue = oneOf('True', 'False', 'Unknown');
const conditions = listOf(
  fields({ type: required(text), status: required(truthValue), reason: text, message: text }),
);

const containerStatuses = listOf(
  fields({ name: required(text), resources, allocatedResources: amounts }),
);

export const pod = fields({
  metadata,
  spec: required(podSpec),
  status: fields({
    phase: oneOf('Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'),
    conditions,
    nominatedNodeName: text,
    startTime: timestamp,
    containerStatuses,
    initContainerStatuses: containerStatuses,
  }),
});

/** Without a name of its own: the entry around it may give one. */
export const node = fields({
  metadata: fields({ ...metadataFields, name: text }),
  spec: fields({ providerID: text, taints, unschedulable: truth }),
  status: fields({ capacity: amounts, allocatable: amounts, conditions }),
});

export const daemonSet = fields({
  metadata,
  spec: required(fields({ selector, template: required(fields({ spec: required(podSpec) })) })),
});

export const namespace = fields({ metadata });

export const podDisruptionBudget = fields({
  metadata,
  spec: required(fields({ selector, minAvailable: countOrShare, maxUnavailable: countOrShare })),
  status: fields({ disruptionsAllowed: integer }),
});

export const persistentVolumeClaim = fields({
  metadata,
  spec: required(fields({ volumeName: text, storageClassName: text })),
  status: fields({ phase: oneOf('Pending', 'Bound', 'Lost') }),
});

export const persistentVolume = fields({
  metadata,
  spec: required(
    fields({
      csi: fields({ driver: required(name) }),
      nodeAffinity: fields({ required: nodeSelector }),
      storageClassName: text,
    }),
  ),
});

export const storageClass = fields({
  metadata,
  provisioner: required(text),
  volumeBindingMode: oneOf('Immediate', 'WaitForFirstConsumer'),
  allowedTopologies: listOf(
    fields({
      matchLabelExpressions: listOf(
        fields({ key: required(name), values: required(listOf(text)) }),
      ),
    }),
  ),
});

export const csiNode = fields({
  metadata,
  spec: required(
    fields({
      drivers: listOf(fields({ name: required(name), allocatable: fields({ count: integer }) })),
    }),
  ),
});

/** Only what is read of a claim that is given in part; the rest is made from its node. */
export const nodeClaim = fields({
  metadata: fields({ ...metadataFields, name: text }),
  spec: fields({
    taints,
    startupTaints: taints,
    expireAfter: text,
    terminationGracePeriod: text,
    nodeClassRef: fields({ group: required(text), kind: required(text), name: required(text) }),
    requirements: listOf(fields({ key: required(name), operator: required(text) })),
    resources: fields({ requests: amounts }),
  }),
  status: fields({
    providerID: text,
    nodeName: text,
    capacity: amounts,
    allocatable: amounts,
    conditions,
    lastPodEventTime: timestamp,
  }),
});
