// The image that an instance type boots. In: the images of a node class in order of preference, and what the type is
// like. Out: the first image that fits, or the reason why none does, so that such a type is not offered in the first
// place: asking Azure for it would fail again and again.
import type { NodeImage } from '../../api/aks-node-class.ts';
import { azureLabel, label } from '../../api/labels.ts';
import { isCompatible } from '../../model/compatibility.ts';
import type { RequirementEntry } from '../../model/requirement.ts';
import {
  requirementOn,
  type Requirements,
  requirementsFromEntries,
} from '../../model/requirements.ts';
import { azureLabelRules } from '../catalog/label-rules.ts';

export type ImageChoice =
  | { readonly ok: true; readonly imageId: string }
  | { readonly ok: false; readonly reason: string };

const mayStayOpen = azureLabelRules.wellKnown.union(azureLabelRules.restricted);

export function pickImage(
  images: readonly NodeImage[],
  type: { readonly name: string; readonly requirements: Requirements },
): ImageChoice {
  const chosen = images.find(({ requirements }) =>
    isCompatible(
      type.requirements,
      // The API keeps operators as plain text; only we write them.
      requirementsFromEntries(azureLabelRules, requirements as readonly RequirementEntry[]),
      mayStayOpen,
    ),
  );
  if (chosen !== undefined) return { ok: true, imageId: chosen.id };
  return { ok: false, reason: misfit(images, type) };
}

function misfit(
  images: readonly NodeImage[],
  { name, requirements }: { readonly name: string; readonly requirements: Requirements },
): string {
  const valuesOf = (key: string): string =>
    [...requirementOn(requirements, key).values].toSorted().join(' or ') || 'any';
  const offered = images.map((image) =>
    [label.arch, azureLabel.skuHyperVGeneration]
      .map((key) => image.requirements.find((demand) => demand.key === key)?.values?.join('/'))
      .join(' generation '),
  );
  const machine = `${valuesOf(label.arch)} generation ${valuesOf(azureLabel.skuHyperVGeneration)}`;
  return `no image of the node class boots on ${name} (${machine}); there are images for ${offered.join(', ') || 'nothing'}`;
}
