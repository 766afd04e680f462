// One request to Azure Resource Manager after it was let in: who asks for what. Handlers get this and nothing of HTTP;
// they answer with a status and JSON, or throw an ArmError. They never wait: time passes in operations.
import type { Json } from '../../../api/meta.ts';
import type { FaultEffect } from '../faults.ts';
import type { ArmPath } from './resource-id.ts';

/** Who asks, as its token says. */
export interface Caller {
  readonly objectId: string;
  readonly tenantId: string;
  /** Application id, or the name of a user. */
  readonly name: string;
}

export interface ArmCall {
  readonly method: string;
  readonly path: ArmPath;
  /** The id of what is addressed in canonical casing; of an action or a collection: what it stands behind. */
  readonly id: string;
  /** `Microsoft.Compute/virtualMachines/write`, as roles, faults, latencies and budgets name it. */
  readonly operation: string;
  readonly apiVersion: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The parsed body; undefined when there was none. */
  readonly body: Json | undefined;
  readonly caller: Caller;
  /** What absolute links begin with, without a slash at the end. */
  readonly baseUrl: string;
  readonly correlationId: string;
  /** What is to go wrong after the request was accepted. */
  readonly fault: FaultEffect | undefined;
}

export interface ArmReply {
  readonly status: number;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

export type ArmHandler = (call: ArmCall) => ArmReply;

/** All that can be asked of one type of resource. A method that is not here is refused as unsupported. */
export interface ResourceType {
  /** `Microsoft.Compute/virtualMachines`; its casing is that of every id. */
  readonly type: string;
  readonly get?: ArmHandler;
  readonly head?: ArmHandler;
  readonly put?: ArmHandler;
  readonly patch?: ArmHandler;
  readonly delete?: ArmHandler;
  /** GET of the collection. */
  readonly list?: ArmHandler;
  /** POST to the collection itself. */
  readonly post?: ArmHandler;
  /** POST to a resource, by the last segment of the path in any casing. */
  readonly actions?: Readonly<Record<string, ArmHandler>>;
  /** Handlers that anybody with a token may call, because they show only what the caller may see. */
  readonly open?: readonly ('get' | 'head' | 'list' | 'post')[];
  /** What `post` is called in roles; its default is `<type>/action`. */
  readonly postOperation?: string;
  /** Subresources that belong to no resource group although their path names one need not have it exist. */
  readonly ignoresGroup?: boolean;
}

export function ok(body: Json): ArmReply {
  return { status: 200, body };
}

export const noContent: ArmReply = { status: 204 };
