// Which build this is. The bundle has both values written in; run from the source tree they are read there.
import { readFileSync } from 'node:fs';

declare const KARPENTER_VERSION: string | undefined;
declare const KARPENTER_COMMIT: string | undefined;

export interface Build {
  readonly version: string;
  readonly commit: string;
}

export function build(): Build {
  if (typeof KARPENTER_VERSION === 'string' && typeof KARPENTER_COMMIT === 'string') {
    return { version: KARPENTER_VERSION, commit: KARPENTER_COMMIT };
  }
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return { version: (JSON.parse(manifest) as { version: string }).version, commit: 'source' };
}
