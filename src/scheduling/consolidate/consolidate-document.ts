// What consolidation found, as it is printed. In: outcomes per way. Out: a document in the format of the original's oracle,
// and what goes beyond it: all commands of `best`, and why nodes stay.
import { type ClaimDocument, claimDocument, podNames } from '../plan/plan-document.ts';
import type { Candidate } from './candidates.ts';
import type { Command } from './command.ts';
import type { Method, MethodOutcome } from './consolidate.ts';
import type { Reason } from './reason.ts';

export interface ConsolidationDocument {
  readonly nodes: number;
  readonly pods: number;
  /** Of all nodes whose price is known, per hour. */
  readonly price: number;
  readonly methods: Readonly<Partial<Record<Method, MethodDocument>>>;
}

export interface MethodDocument {
  readonly candidates: number;
  /** Pool → nodes that may go now. */
  readonly budget: Readonly<Record<string, number>>;
  /** Null: nothing to do. `best` may have several, and lists them all. */
  readonly command?: CommandDocument | null;
  readonly commands?: readonly CommandDocument[];
  /** Node → why it stays. */
  readonly explanations?: Readonly<Record<string, Reason>>;
}

export interface CommandDocument {
  readonly reason: string;
  readonly decision: Command['decision'];
  readonly candidates: readonly CandidateDocument[];
  readonly replacements: readonly ClaimDocument[];
  readonly savings: number;
  readonly moved: readonly { readonly name: string; readonly pods: readonly string[] }[];
}

export interface CandidateDocument {
  readonly node: string;
  readonly nodePool: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: string;
  readonly price: number;
  readonly disruptionCost: number;
}

export function methodDocument(
  method: Method,
  outcome: MethodOutcome,
  explain: boolean,
): MethodDocument {
  const budgets = [...outcome.budgets].map(([pool, { remaining }]) => [pool, remaining] as const);
  const commands = outcome.commands.map(commandDocument);
  const staying = [...outcome.staying].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    candidates: outcome.candidates.length,
    budget: Object.fromEntries(budgets.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    ...(method === 'best' ? { commands } : { command: commands[0] ?? null }),
    ...(explain && { explanations: Object.fromEntries(staying) }),
  };
}

function commandDocument(command: Command): CommandDocument {
  return {
    reason: command.reason,
    decision: command.decision,
    candidates: command.candidates
      .map(candidateDocument)
      .toSorted((a, b) => (a.node < b.node ? -1 : 1)),
    replacements: command.replacements.map(claimDocument),
    savings: command.savings,
    moved: command.moved
      .map(({ name, pods }) => ({ name, pods: podNames(pods) }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

function candidateDocument(candidate: Candidate): CandidateDocument {
  const { name, pool, instanceType, zone, capacityType, price, disruptionCost } = candidate;
  return {
    node: name,
    nodePool: pool.metadata.name,
    instanceType: instanceType?.name ?? '',
    zone,
    capacityType,
    price,
    disruptionCost,
  };
}
