// VM extensions: what is installed into a running machine. In: publisher, type, version and settings. Out: the
// extension; its protected settings are kept and never shown. Who makes machines come alive is told of each one that
// was installed.
import {
  objectAt,
  stringAt,
  textAt,
  withValue,
  without,
  type JsonObject,
} from '../../kube/json.ts';
import type { ResourceType } from '../arm/arm-call.ts';
import { managedType, type Write, type WritePlan } from '../arm/managed-type.ts';
import { parentOf, parseResourceId } from '../arm/resource-id.ts';
import { ArmError, requiredParameter } from '../errors.ts';
import type { Resource } from '../store.ts';
import type { Compute } from './compute.ts';
import { badRequest, entityNotFound, operationNotAllowed } from './errors.ts';
import { extensionFrom, extensionType, machineFrom, powerStateOf } from './vm/machine.ts';
import { extensionView } from './vm/instance-view.ts';

/** Publishers with the types that this Azure has. */
const known: Readonly<Record<string, readonly string[]>> = {
  'microsoft.azure.extensions': ['customscript'],
  'microsoft.aks': ['compute.aks.linux.billing', 'compute.aks.windows.billing', 'aksnode'],
};

export function vmExtensions(compute: Compute): ResourceType {
  const { env } = compute;
  return managedType(env, {
    type: extensionType,
    isTracked: true,
    whenBusy: 'preempt',
    notFound: () => entityNotFound(),
    plan: (write) => planExtension(compute, write),
    patch: (write) => {
      const { body, existing } = write;
      const settings = objectAt(body, 'properties', 'settings');
      const secret = objectAt(body, 'properties', 'protectedSettings');
      const tags = objectAt(body, 'tags');
      const tagged = tags === undefined ? existing.body : { ...existing.body, tags };
      return {
        body:
          settings === undefined ? tagged : withValue(tagged, ['properties', 'settings'], settings),
        ...(secret === undefined ? {} : { hidden: { protectedSettings: secret } }),
      };
    },
    show: (extension, call) =>
      call.query.get('$expand') === 'instanceView'
        ? withValue(extension.body, ['properties', 'instanceView'], extensionView(extension))
        : extension.body,
  });
}

function planExtension(compute: Compute, write: Write): WritePlan {
  const { env } = compute;
  const vm = machineOf(compute, write.id);
  const properties = objectAt(write.body, 'properties') ?? {};
  checkHandler(properties, write.location);
  checkOnlyOne(compute, vm, { name: write.name, properties });
  if (powerStateOf(vm) !== 'running') {
    throw operationNotAllowed('Cannot modify extensions in the VM when the VM is not running.');
  }
  const secret = objectAt(properties, 'protectedSettings');
  return {
    body: { properties: without(properties, 'protectedSettings') },
    hidden: secret === undefined ? {} : { protectedSettings: secret },
    finish: (extension) => {
      const current = env.store.get(vm.id);
      if (current === undefined) throw entityNotFound();
      compute.events.emit({
        kind: 'extended',
        vm: machineFrom(env, current),
        extension: extensionFrom(extension),
      });
      return undefined;
    },
  };
}

function machineOf({ env }: Compute, extensionId: string): Resource {
  const parsed = parseResourceId(extensionId);
  const vm = env.store.get((parsed === undefined ? undefined : parentOf(parsed)) ?? '');
  if (vm === undefined) throw entityNotFound();
  return vm;
}

function checkHandler(properties: JsonObject, location: string): void {
  for (const field of ['publisher', 'type', 'typeHandlerVersion']) {
    if (stringAt(properties, field) === undefined) throw requiredParameter(field);
  }
  const publisher = textAt(properties, 'publisher');
  const type = textAt(properties, 'type');
  if (known[publisher.toLowerCase()]?.includes(type.toLowerCase()) === true) return;
  throw new ArmError(
    404,
    'ArtifactNotFound',
    `The VM extension with publisher '${publisher}' and type '${type}' could not be found in location '${location}'.`,
  );
}

function checkOnlyOne(
  { env }: Compute,
  vm: Resource,
  asked: { readonly name: string; readonly properties: JsonObject },
): void {
  const handler = handlerOf(asked.properties);
  const twin = env.store
    .list(extensionType, vm.id)
    .find(
      ({ name, body }) =>
        name.toLowerCase() !== asked.name.toLowerCase() &&
        handlerOf(objectAt(body, 'properties')).toLowerCase() === handler.toLowerCase(),
    );
  if (twin === undefined) return;
  throw badRequest(
    `Multiple VMExtensions per handler not supported for OS type 'Linux'. VMExtension '${twin.name}' with handler '${handler}' already added or specified in input.`,
  );
}

function handlerOf(properties: JsonObject | undefined): string {
  return `${textAt(properties, 'publisher')}.${textAt(properties, 'type')}`;
}

/** As a machine lists them under `resources`. */
export function extensionsOf({ env }: Compute, vm: Resource): JsonObject[] {
  return env.store
    .list(extensionType, vm.id)
    .map(({ id, name, type, body }) => ({ ...body, id, name, type }));
}
