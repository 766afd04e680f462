// Every edge case, in the order of the rules they show.
import { capacityCases } from './capacity.ts';
import type { EdgeCase } from './edge-case.ts';
import { labelCases } from './labels.ts';
import { topologyCases } from './topology.ts';

export const edgeCases: readonly EdgeCase[] = [...labelCases, ...capacityCases, ...topologyCases];
