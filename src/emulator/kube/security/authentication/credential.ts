// What comes of looking at a credential: who it belongs to, or why it is not good. Three outcomes, because a token
// that is none of ours may be somebody else's, while a bad one of ours ends the search.
import type { UserInfo } from '../../api.ts';

export type Credential =
  | {
      readonly outcome: 'valid';
      readonly user: UserInfo;
      /** Of the audiences asked for, those that the credential is meant for. */
      readonly audiences: readonly string[];
    }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'invalid'; readonly reason: string };

export const unknownCredential: Credential = { outcome: 'unknown' };

export interface TokenAuthenticator {
  authenticate(token: string, audiences: readonly string[]): Credential;
}
