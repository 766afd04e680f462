// Every generated file of the repository.
import { crdChartOutputs } from './crd-chart.ts';
import { crdReferenceOutputs } from './crd-reference.ts';
import type { Output } from './output.ts';

export const outputs: readonly Output[] = [...crdChartOutputs, ...crdReferenceOutputs];
