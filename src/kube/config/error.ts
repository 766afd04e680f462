// A configuration that cannot be used, told so that a person can mend it: where, which field, what is there,
// what should be, and what to do. Secrets are never put into `value`.
import { CodedError } from '../../base/errors.ts';

export interface ConfigFault {
  readonly file?: string | undefined;
  readonly field: string;
  readonly value?: unknown;
  readonly rule: string;
  readonly fix?: string | undefined;
  readonly cause?: unknown;
}

export function configError({ cause, ...fields }: ConfigFault): CodedError<'InvalidKubeconfig'> {
  return new CodedError('InvalidKubeconfig', 'cannot use the configuration of the API server', {
    fields,
    cause,
  });
}
