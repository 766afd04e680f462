// Where what people see of the emulated cluster and of a real one is known to part, and why. Everything else that the
// stories show is the same in both.

export type World = 'emulated' | 'real';

interface Difference {
  readonly emulated: string;
  readonly real: string;
  readonly why: string;
}

const refused = 'dial tcp 127.0.0.1:1: connect: connection refused';

export const differences = {
  administrator: {
    emulated: 'kubernetes-admin',
    real: 'administrator',
    why: 'whoever starts a cluster names its administrator',
  },
  execRefused: {
    emulated: `Error from server: error dialing backend: ${refused}`,
    real: `error: Internal error occurred: error sending request: Post "https://127.0.0.1:1/…": ${refused}`,
    why: 'the emulated server opens no streams: it refuses before they are open, a real one after',
  },
} as const satisfies Readonly<Record<string, Difference>>;

/** Kinds of a real server that the emulated one does not serve: nothing that runs in it reads or writes them. */
export const notServed = {
  kinds: [
    'componentstatuses',
    'flowschemas.flowcontrol.apiserver.k8s.io',
    'ipaddresses.networking.k8s.io',
    'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
    'servicecidrs.networking.k8s.io',
    'volumeattributesclasses.storage.k8s.io',
  ],
  groups: ['flowcontrol.apiserver.k8s.io/v1'],
};
