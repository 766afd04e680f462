// What it takes to talk to one API server: the outcome of every kind of configuration, and all that a
// transport needs to know.
import type { Credentials } from './credentials.ts';

export interface TlsTrust {
  /** PEM. Without one, the system's authorities. */
  readonly ca?: string | undefined;
  /** The name to expect in the server's certificate instead of its host. */
  readonly serverName?: string | undefined;
  /** Anyone may pretend to be the server. */
  readonly insecure?: boolean | undefined;
}

export interface KubeAccess {
  /** With scheme and, where the server sits behind a path, that path. */
  readonly server: URL;
  readonly tls: TlsTrust;
  readonly credentials: Credentials;
  /** Sent with every request (impersonation). */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly proxy?: string | undefined;
  /** Where things go that name no namespace. */
  readonly namespace: string;
}
