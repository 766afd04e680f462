// This Azure on loopback: HTTPS for Resource Manager, Entra and prices, with a certificate authority of its own, because
// Azure's clients refuse to send a token over plain HTTP. In: options. Out: addresses, the CA to trust, and a way to
// stop. After `stop` resolves no socket, timer or operation is left.
import { isIP } from 'node:net';
import { HttpServer } from '../../base/http-server.ts';
import { CertificateAuthority } from '../certificates.ts';
import { createAzure, type Azure, type AzureOptions } from './azure.ts';

export interface AzureServerOptions extends AzureOptions {
  readonly host?: string;
  /** 0 takes any free port. */
  readonly armPort?: number;
  readonly entraPort?: number;
  readonly pricesPort?: number;
  readonly bootstrappingPort?: number;
  /** Made anew unless given. */
  readonly authority?: CertificateAuthority;
}

export interface AzureServer extends Omit<Azure, 'stop'> {
  readonly armUrl: string;
  readonly entraUrl: string;
  readonly pricesUrl: string;
  /** Plain HTTP, as the real one. */
  readonly bootstrappingUrl: string;
  /** PEM of the certificate authority to trust. */
  readonly ca: string;
  stop(): Promise<void>;
}

const defaultHost = '127.0.0.1';
const maxBodyBytes = 5 * 1024 * 1024;

export async function startAzure(options: AzureServerOptions): Promise<AzureServer> {
  const { clock, log, host = defaultHost } = options;
  const authority =
    options.authority ??
    (await CertificateAuthority.create({
      commonName: 'Azure emulator',
      clock,
      random: options.random.fork(),
    }));
  const issued = await authority.issue({
    subject: { commonName: 'azure' },
    alternativeNames: {
      ipAddresses: isIP(host) === 0 ? [defaultHost] : [host],
      dnsNames: ['localhost'],
    },
    usages: ['digitalSignature', 'keyEncipherment'],
    purposes: ['serverAuth'],
  });
  const tls = { cert: issued.certificatePem, key: issued.privateKeyPem };
  const addresses = { armUrl: '', entraUrl: '', pricesUrl: '', bootstrappingUrl: '' };
  const azure = createAzure(options, () => addresses);
  const listeners = [
    ['armUrl', options.armPort, { handler: azure.armHandler, tls }],
    ['entraUrl', options.entraPort, { handler: azure.entraHandler, tls }],
    ['pricesUrl', options.pricesPort, { handler: azure.pricesHandler, tls }],
    ['bootstrappingUrl', options.bootstrappingPort, { handler: azure.bootstrappingHandler }],
  ] as const;
  const servers: HttpServer[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.close()));
  };
  try {
    for (const [address, port = 0, service] of listeners) {
      const server = await HttpServer.listen({ log, host, maxBodyBytes, port, ...service });
      servers.push(server);
      addresses[address] = server.url;
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...azure,
    ...addresses,
    ca: authority.certificatePem,
    stop: async () => {
      azure.stop();
      await close();
    },
  };
}
