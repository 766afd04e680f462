// HTTPS to the cluster that a kubeconfig names, for what the stories set up beside kubectl. In: the text of a kubeconfig
// with a token. Out: parsed answers, and the events of a watch as they come. After `close` no connection is left.
import { Agent, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { parse } from 'yaml';

/** As much of any object as is read here. */
export interface KubeObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly deletionTimestamp?: string;
  };
  readonly spec: {
    readonly nodeName?: string;
    readonly containers?: readonly { readonly name: string; readonly image: string }[];
  };
  readonly status?: { readonly phase?: string };
}

export interface Answer {
  readonly status: number;
  readonly body: object;
}

interface Kubeconfig {
  readonly clusters: readonly [
    {
      readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string };
    },
  ];
  readonly users: readonly [{ readonly user: { readonly token: string } }];
}

export class Connection {
  readonly url: string;
  readonly authorityPem: string;
  readonly #token: string;
  readonly #agent: Agent;

  constructor(kubeconfig: string) {
    const { clusters, users } = parse(kubeconfig) as Kubeconfig;
    const { server, 'certificate-authority-data': authority } = clusters[0].cluster;
    this.url = server;
    this.authorityPem = Buffer.from(authority, 'base64').toString();
    this.#token = users[0].user.token;
    this.#agent = new Agent({ keepAlive: true, ca: this.authorityPem });
  }

  async send(
    method: string,
    path: string,
    body?: object,
    type = 'application/json',
  ): Promise<Answer> {
    const call = { method, path, type, text: body === undefined ? '' : JSON.stringify(body) };
    // A kept connection may end in the very moment in which it is used again.
    const reply = await this.#open(call).catch(() => this.#open(call));
    let answer = '';
    for await (const chunk of reply.setEncoding('utf8')) answer += String(chunk);
    return { status: reply.statusCode ?? 0, body: JSON.parse(answer) as object };
  }

  /** What is there at first comes as added. Ends when the signal is aborted or the server ends it. */
  async *watch(
    path: string,
    signal: AbortSignal,
  ): AsyncIterable<{ readonly type: string; readonly object: KubeObject }> {
    const reply = await this.#open({ method: 'GET', path: `${path}?watch=1`, text: '', signal });
    let rest = '';
    for await (const chunk of reply.setEncoding('utf8')) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as { type: string; object: KubeObject };
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #open(call: {
    readonly method: string;
    readonly path: string;
    readonly text: string;
    readonly type?: string;
    readonly signal?: AbortSignal;
  }): Promise<IncomingMessage> {
    const { method, path, text, type = 'application/json', signal } = call;
    const headers = {
      authorization: `Bearer ${this.#token}`,
      'content-type': type,
      // Node sends the body of a DELETE without its length unless told.
      'content-length': Buffer.byteLength(text),
    };
    return new Promise((resolve, reject) => {
      const options = { method, headers, agent: this.#agent };
      const sent = request(
        `${this.url}${path}`,
        signal === undefined ? options : { ...options, signal },
        resolve,
      );
      sent.on('error', reject);
      sent.end(text);
    });
  }
}
