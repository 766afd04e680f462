// Tokens handed out when the world was made, such as the administrator's. In: a list. Out: their users.
import type { UserInfo } from '../../api.ts';
import { unknownCredential, type Credential, type TokenAuthenticator } from './credential.ts';

export interface StaticToken {
  readonly token: string;
  readonly user: UserInfo;
}

export function staticTokens(options: {
  readonly tokens: readonly StaticToken[];
  /** Of the server: these tokens name none of their own. */
  readonly audiences: readonly string[];
}): TokenAuthenticator {
  const users = new Map(options.tokens.map(({ token, user }) => [token, user]));
  return {
    authenticate(token: string, wanted: readonly string[]): Credential {
      const user = users.get(token);
      const audiences = options.audiences.filter((audience) => wanted.includes(audience));
      if (user === undefined || audiences.length === 0) return unknownCredential;
      return { outcome: 'valid', user, audiences };
    },
  };
}
