// What a machine's body may contain here. In: the body. Out: nothing, or a refusal that names the first field that
// this emulator would only pretend to honour.
import { listAt, objectAt, type JsonObject } from '../../../kube/json.ts';
import { invalidParameter } from '../../errors.ts';

/** What has an effect, what is only echoed (diagnostics, licences), and what a client sends back as it was read. */
const supported = new Set(
  `hardwareProfile storageProfile osProfile networkProfile priority evictionPolicy billingProfile securityProfile
   additionalCapabilities diagnosticsProfile licenseType userData extensionsTimeBudget
   vmId provisioningState timeCreated instanceView`.split(/\s+/),
);

export function checkSupported(body: JsonObject): void {
  const properties = objectAt(body, 'properties') ?? {};
  const unknown = Object.keys(properties).find((field) => !supported.has(field));
  if (unknown !== undefined) throw unsupported(`properties.${unknown}`);
  if (listAt(properties, 'storageProfile', 'dataDisks').length > 0) {
    throw unsupported('properties.storageProfile.dataDisks');
  }
  if (listAt(properties, 'networkProfile', 'networkInterfaceConfigurations').length > 0) {
    throw unsupported('properties.networkProfile.networkInterfaceConfigurations');
  }
}

function unsupported(field: string): Error {
  return invalidParameter(
    field,
    `This emulator does not support '${field}' of a virtual machine: leave it out.`,
  );
}
