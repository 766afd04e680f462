// Calls that are answered and not stored: reviews of access and tokens. In: the handler that knows the answer. Out: one
// that also reads the body and checks its kind.
import type { VirtualCreate } from '../ports.ts';
import { decode } from '../resource/decode.ts';
import type { CreateHandler } from '../resource/kube-api.ts';

export function virtualHandler(create: VirtualCreate, subresource?: string): CreateHandler {
  return (env, { kind, context, namespace, name, body }) => {
    const view = kind.subresources.find((candidate) => candidate.name === subresource);
    const gvk = view?.kind ?? { group: kind.group, version: kind.version, kind: kind.kind };
    const object = decode(body, { ...gvk, isCustom: false, schema: env.typeOf(gvk) }, context);
    return create({ context, object, namespace: namespace ?? '', name });
  };
}
