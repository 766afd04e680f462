// Who the cluster is, across restarts: its authority, the key of its tokens and its administrator's token. In: the files
// that the objects are in. Out: the same identity as before, or a new one that is kept from now on.
// 1. Kubeconfigs, certificates and tokens of one run are good in the next.
// 2. A damaged file is an error, never a new identity: credentials in use would silently stop working.
import { createPrivateKey, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import type { Json } from '../../../api/meta.ts';
import type { Clock } from '../../../base/clock.ts';
import { CodedError } from '../../../base/errors.ts';
import type { Random } from '../../../base/random.ts';
import { CertificateAuthority } from '../../certificates.ts';
import { textAt } from '../json.ts';
import type { JournalFiles } from '../store/journal.ts';

export interface ClusterIdentity {
  readonly authority: CertificateAuthority;
  readonly tokenKey: KeyObject;
  readonly administratorToken: string;
}

interface IdentityOptions {
  readonly clock: Clock;
  /** Of serial numbers. */
  readonly random: Random;
  /** Without them nothing is kept. */
  readonly files?: JournalFiles | undefined;
  /** Taken as they are; whoever hands them in keeps them too. */
  readonly given: Partial<ClusterIdentity>;
}

const identityFile = 'cluster.identity';

export async function clusterIdentity(options: IdentityOptions): Promise<ClusterIdentity> {
  const { authority, tokenKey, administratorToken } = options.given;
  const own = await ownIdentity(options);
  return {
    authority: authority ?? own.authority,
    tokenKey: tokenKey ?? own.tokenKey,
    administratorToken: administratorToken ?? own.administratorToken,
  };
}

async function ownIdentity(options: IdentityOptions): Promise<ClusterIdentity> {
  const text = options.files?.read(identityFile);
  if (text !== undefined) return restored(text, options);
  const made = await newIdentity(options);
  options.files?.replace(identityFile, [`${JSON.stringify(kept(made))}\n`]);
  return made;
}

async function newIdentity({ clock, random }: IdentityOptions): Promise<ClusterIdentity> {
  return {
    authority: await CertificateAuthority.create({ commonName: 'kubernetes', clock, random }),
    tokenKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
    administratorToken: randomBytes(24).toString('base64url'),
  };
}

function kept({ authority, tokenKey, administratorToken }: ClusterIdentity): object {
  return {
    authority: authority.toPem(),
    tokenKeyPem: tokenKey.export({ format: 'pem', type: 'pkcs8' }),
    administratorToken,
  };
}

function restored(text: string, { clock, random }: IdentityOptions): ClusterIdentity {
  try {
    const identity = JSON.parse(text) as Json;
    const administratorToken = textAt(identity, 'administratorToken');
    // An empty token would let in whoever sends none.
    if (administratorToken === '') throw new Error('there is no administrator token in it');
    return {
      authority: CertificateAuthority.restore({
        certificatePem: textAt(identity, 'authority', 'certificatePem'),
        privateKeyPem: textAt(identity, 'authority', 'privateKeyPem'),
        clock,
        random,
      }),
      tokenKey: createPrivateKey(textAt(identity, 'tokenKeyPem')),
      administratorToken,
    };
  } catch (error) {
    throw new CodedError(
      'IdentityCorrupt',
      'the kept identity of the cluster is damaged: restore the file, or remove it for a new identity',
      { fields: { file: identityFile }, cause: error },
    );
  }
}
