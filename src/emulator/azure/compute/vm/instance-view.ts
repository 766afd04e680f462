// What runs in a machine, as `$expand=instanceView` shows it: provisioning and power as status codes, the agent,
// disks and extensions. In: the stored machine. Out: JSON in the real service's shape.
import type { Json } from '../../../../api/meta.ts';
import { at, numberAt, textAt } from '../../../kube/json.ts';
import type { AzureEnvironment } from '../../environment.ts';
import type { Resource } from '../../store.ts';
import type { PowerState } from '../vm-events.ts';
import { extensionType, powerStateOf } from './machine.ts';

const powerWords: Readonly<Record<PowerState, string>> = {
  starting: 'VM starting',
  running: 'VM running',
  stopped: 'VM stopped',
  deallocated: 'VM deallocated',
};

export function instanceView(env: AzureEnvironment, vm: Resource): Json {
  const power = powerStateOf(vm);
  const state = textAt(vm.body, 'properties', 'provisioningState');
  const time = new Date(numberAt(vm.hidden, 'powerChangedMs') ?? vm.changedMs).toISOString();
  const isAlive = power === 'running' && at(vm.hidden, 'boots') !== false;
  const computerName = textAt(vm.body, 'properties', 'osProfile', 'computerName');
  const extensions = env.store.list(extensionType, vm.id).map((one) => extensionView(one));
  return {
    ...(isAlive ? { computerName, osName: 'linux', vmAgent: agentView(time) } : {}),
    disks: [
      {
        name: textAt(vm.body, 'properties', 'storageProfile', 'osDisk', 'name'),
        statuses: [
          status(`ProvisioningState/${state.toLowerCase()}`, `Provisioning ${state}`, time),
        ],
      },
    ],
    hyperVGeneration: textAt(vm.hidden, 'hyperVGeneration') || 'V2',
    ...(extensions.length === 0 ? {} : { extensions }),
    statuses: [
      status(
        `ProvisioningState/${state.toLowerCase()}`,
        `Provisioning ${state.toLowerCase()}`,
        time,
      ),
      { code: `PowerState/${power}`, level: 'Info', displayStatus: powerWords[power] },
    ],
  };
}

function agentView(time: string): Json {
  return {
    vmAgentVersion: '2.11.1.4',
    statuses: [
      {
        code: 'ProvisioningState/succeeded',
        level: 'Info',
        displayStatus: 'Ready',
        message: 'Guest Agent is running',
        time,
      },
    ],
  };
}

export function extensionView(extension: Resource): Json {
  const { body } = extension;
  const state = textAt(body, 'properties', 'provisioningState');
  return {
    name: extension.name,
    type: `${textAt(body, 'properties', 'publisher')}.${textAt(body, 'properties', 'type')}`,
    typeHandlerVersion: textAt(body, 'properties', 'typeHandlerVersion'),
    statuses: [
      {
        code: `ProvisioningState/${state.toLowerCase()}`,
        level: state === 'Failed' ? 'Error' : 'Info',
        displayStatus: `Provisioning ${state.toLowerCase()}`,
      },
    ],
  };
}

function status(code: string, displayStatus: string, time: string): Json {
  return { code, level: 'Info', displayStatus, time };
}
