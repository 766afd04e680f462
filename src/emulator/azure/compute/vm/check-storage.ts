// Image and disks: does the image exist there and can the size boot it, does an ephemeral disk fit where it is to
// lie. In: the request and the size. Out: the image, or the compute provider's refusal.
import { numberAt, objectAt, stringAt, textAt, type JsonObject } from '../../../kube/json.ts';
import type { ArmCall } from '../../arm/arm-call.ts';
import { groupId, parseResourceId, typeOf } from '../../arm/resource-id.ts';
import { ArmError, invalidParameter, requiredParameter } from '../../errors.ts';
import type { EphemeralPlacement, SizeFacts } from '../../facts.ts';
import type { Compute } from '../compute.ts';
import { diskNameRule, diskType } from '../disks.ts';
import { badRequest } from '../errors.ts';
import type { GalleryImage } from '../images.ts';
import type { VmRequest } from './request.ts';

const communityImage = /^\/CommunityGalleries\/([^/]+)\/Images\/([^/]+)\/Versions\/([^/]+)$/i;
const galleryVersionType = 'microsoft.compute/galleries/images/versions';

export interface StorageContext {
  readonly call: ArmCall;
  readonly size: SizeFacts;
  readonly location: string;
}

export function checkedImage(
  compute: Compute,
  request: VmRequest,
  context: StorageContext,
): GalleryImage {
  const createOption = textAt(request.osDisk, 'createOption').toLowerCase();
  if (createOption !== 'fromimage') {
    throw invalidParameter(
      'osDisk.createOption',
      'This emulator makes OS disks from images only: set osDisk.createOption to FromImage.',
    );
  }
  if (request.image === undefined) throw requiredParameter('storageProfile.imageReference');
  const found = findImage(compute, request.image, context);
  const { image } = found;
  const { size } = context;
  if (image.architecture !== size.architecture) {
    throw badRequest(
      `Cannot create a VM of size '${size.name}' because this VM size only supports a CPU Architecture of '${size.architecture}', but an image or disk with CPU Architecture '${image.architecture}' was given. Please check that the CPU Architecture of the image or disk is compatible with that of the VM size.`,
    );
  }
  if (!size.hyperVGenerations.includes(image.hyperVGeneration)) {
    throw badRequest(
      `The selected VM size '${size.name}' cannot boot Hypervisor Generation '${image.hyperVGeneration.slice(1)}'. If this was a Create operation please check that the Hypervisor Generation of the Image matches the Hypervisor Generation of the selected VM Size. If this was an Update operation please select a Hypervisor Generation '${image.hyperVGeneration.slice(1)}' VM Size. For more information, see https://aka.ms/azuregen2vm`,
    );
  }
  checkDiskName(compute, request, context);
  checkDiskSize(request, found);
  checkEphemeral(request, size);
  checkEncryptionSet(compute, request);
  return found;
}

function findImage(
  compute: Compute,
  reference: JsonObject,
  { call, location }: StorageContext,
): GalleryImage {
  const id = stringAt(reference, 'communityGalleryImageId') ?? stringAt(reference, 'id');
  if (id === undefined) {
    throw invalidParameter(
      'imageReference',
      'This emulator knows images of galleries only: give imageReference.communityGalleryImageId or imageReference.id.',
    );
  }
  const parts = communityParts(id) ?? galleryParts(compute, id, call);
  const found =
    parts === undefined ? undefined : compute.images.find({ ...parts, region: location });
  if (found !== undefined) return found;
  throw new ArmError(
    404,
    'GalleryImageNotFound',
    `The gallery image ${id} is not available in ${location} region. Please contact image owner to replicate to this region, or change your requested region.`,
    { target: 'imageReference' },
  );
}

interface ImageParts {
  readonly gallery: string;
  readonly definition: string;
  readonly version: string;
}

function communityParts(id: string): ImageParts | undefined {
  const [, gallery, definition, version] = communityImage.exec(id) ?? [];
  return gallery === undefined || definition === undefined || version === undefined
    ? undefined
    : { gallery, definition, version };
}

/** A gallery of another subscription takes a token for that one besides the caller's own. */
function galleryParts(compute: Compute, id: string, call: ArmCall): ImageParts | undefined {
  const parsed = parseResourceId(id);
  if (parsed === undefined || typeOf(parsed).toLowerCase() !== galleryVersionType) return undefined;
  const [gallery = '', definition = '', version = ''] = parsed.names;
  const isOurs = compute.env.subscriptions.some(({ id: own }) => own === parsed.subscriptionId);
  if (!isOurs && !hasAuxiliaryToken(compute, call)) {
    throw new ArmError(
      403,
      'LinkedAuthorizationFailed',
      `The client has permission to perform action 'Microsoft.Compute/galleries/images/versions/read' on scope '${call.id}', however the current tenant '${compute.env.tenantId}' is not authorized to access linked subscription '${parsed.subscriptionId}'.`,
    );
  }
  const galleryId = `${parsed.scope}/providers/Microsoft.Compute/galleries/${gallery}`;
  return { gallery: galleryId, definition, version };
}

function hasAuxiliaryToken({ env }: Compute, call: ArmCall): boolean {
  const header = call.headers['x-ms-authorization-auxiliary'] ?? '';
  const tokens = header.split(/[,;]/).map((part) => /Bearer (\S+)/i.exec(part)?.[1] ?? '');
  return tokens.some((token) => typeof env.tokens.verify(token) !== 'string');
}

/** A disk of that name that is there already belongs to somebody, if only to who detached it. */
function checkDiskName({ env }: Compute, { osDisk }: VmRequest, { call }: StorageContext): void {
  const name = stringAt(osDisk, 'name');
  if (name === undefined) return;
  if (!diskNameRule.pattern.test(name)) {
    throw invalidParameter(
      'osDisk.name',
      `The disk name '${name}' is invalid. ${diskNameRule.rule}`,
    );
  }
  const { subscriptionId, resourceGroup } = call.path;
  const id = `${groupId(subscriptionId, resourceGroup)}/providers/${diskType}/${name}`;
  if (env.store.get(id) === undefined) return;
  throw new ArmError(
    409,
    'ConflictingUserInput',
    `Disk ${name} already exists in resource group ${resourceGroup.toUpperCase()}. Only CreateOption.Attach is supported.`,
    { target: 'osDisk' },
  );
}

function checkDiskSize({ osDisk }: VmRequest, { image }: GalleryImage): void {
  const askedGb = numberAt(osDisk, 'diskSizeGB');
  const imageGb = image.osDiskSizeGb ?? 30;
  if (askedGb === undefined || askedGb >= imageGb) return;
  throw new ArmError(
    409,
    'ResizeDiskError',
    `The specified disk size ${askedGb} GB is smaller than the size of the corresponding disk in the VM image: ${imageGb} GB. This is not allowed. Please choose equal or greater size or do not specify an explicit size.`,
    { target: 'osDisk.diskSizeGB' },
  );
}

function checkEphemeral({ osDisk }: VmRequest, size: SizeFacts): void {
  const settings = objectAt(osDisk, 'diffDiskSettings');
  if (settings === undefined) return;
  if (!size.ephemeralOsDisk) {
    throw invalidParameter(
      'vmSize',
      `Ephemeral OS disk is not supported for VM size ${size.name}.`,
    );
  }
  const caching = textAt(osDisk, 'caching');
  if (caching !== 'ReadOnly') {
    throw invalidParameter(
      'osDisk.caching',
      `The value '${caching}' of parameter 'osDisk.caching' is not supported for Ephemeral OS disks. Supported values are: 'ReadOnly'.`,
    );
  }
  const placement = placementOf(settings, size);
  const maxGb = Math.floor(placementBytes(size, placement) / 2 ** 30);
  const askedGb = numberAt(osDisk, 'diskSizeGB') ?? 30;
  if (askedGb <= maxGb) return;
  throw new ArmError(
    400,
    'NotSupported',
    `OS disk of Ephemeral VM with size greater than ${maxGb} GB is not allowed for VM size ${size.name} when the DiffDiskPlacement is ${placement}.`,
  );
}

function placementOf(settings: JsonObject, size: SizeFacts): EphemeralPlacement {
  const supported = size.ephemeralPlacements ?? [];
  const asked = stringAt(settings, 'placement');
  const chosen = supported.find((one) => one === (asked ?? supported.at(-1)));
  if (chosen !== undefined) return chosen;
  throw invalidParameter(
    'osDisk.diffDiskSettings.placement',
    `The DiffDiskPlacement ${asked ?? ''} is not supported for VM size ${size.name}. Supported values are: '${supported.join(',')}'.`,
  );
}

function placementBytes(size: SizeFacts, placement: EphemeralPlacement): number {
  const bytes: Readonly<Record<EphemeralPlacement, number>> = {
    CacheDisk: size.cacheDiskBytes ?? 0,
    ResourceDisk: (size.tempDiskMiB ?? 0) * 2 ** 20,
    NvmeDisk: (size.nvmeDiskMiB ?? 0) * 2 ** 20,
  };
  return bytes[placement];
}

function checkEncryptionSet(compute: Compute, { osDisk }: VmRequest): void {
  const id = stringAt(osDisk, 'managedDisk', 'diskEncryptionSet', 'id');
  if (id === undefined || compute.env.store.get(id) !== undefined) return;
  throw new ArmError(
    404,
    'DiskEncryptionSetNotFound',
    `The disk encryption set '${id}' could not be found.`,
  );
}
