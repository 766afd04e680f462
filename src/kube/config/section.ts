// One entry of a kubeconfig (a cluster, a user, a context), read field by field. In: what YAML gave. Out:
// values of the type asked for, or an error that names file, field and rule.
import { dirname, isAbsolute, join } from 'node:path';
import { configError } from './error.ts';
import type { ConfigHost } from './host.ts';

export class ConfigSection {
  readonly file: string;
  /** Such as `users[admin].user`. */
  readonly path: string;
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(file: string, path: string, values: unknown) {
    this.file = file;
    this.path = path;
    if (values !== undefined && values !== null && !isRecord(values)) {
      throw configError({ file, field: path, value: values, rule: 'must be a mapping' });
    }
    this.#values = values ?? {};
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined && this.#values[name] !== null;
  }

  raw(name: string): unknown {
    return this.#values[name];
  }

  /** Undefined when absent or empty. */
  text(name: string): string | undefined {
    const value = this.#values[name];
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'string') throw this.fault(name, 'must be text', { value });
    return value;
  }

  flag(name: string): boolean {
    const value = this.#values[name] ?? false;
    if (typeof value !== 'boolean') throw this.fault(name, 'must be true or false', { value });
    return value;
  }

  texts(name: string): readonly string[] {
    const value = this.#values[name] ?? [];
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
      throw this.fault(name, 'must be a list of texts', { value });
    }
    return value;
  }

  section(name: string): ConfigSection {
    return new ConfigSection(this.file, `${this.path}.${name}`, this.#values[name]);
  }

  sections(name: string): readonly ConfigSection[] {
    const value = this.#values[name] ?? [];
    if (!Array.isArray(value)) throw this.fault(name, 'must be a list', { value });
    return value.map(
      (item, index) => new ConfigSection(this.file, `${this.path}.${name}[${index}]`, item),
    );
  }

  names(): readonly string[] {
    return Object.keys(this.#values);
  }

  /** Decoded base64; not shown in errors, it may be a key. */
  data(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const bytes = Buffer.from(text, 'base64');
    if (bytes.length === 0 || !/^[\w+/=\s-]+$/.test(text)) {
      throw this.fault(name, 'must be base64');
    }
    return bytes.toString('utf8');
  }

  /** A path, taken from the folder of the file it stands in. */
  filePath(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined || isAbsolute(text)) return text;
    return join(dirname(this.file), text);
  }

  /** The data under `<name>-data`, or else the content of the file under `<name>`. */
  async dataOrFile(name: string, host: ConfigHost): Promise<string | undefined> {
    const data = this.data(`${name}-data`);
    const path = this.filePath(name);
    if (data !== undefined || path === undefined) return data;
    try {
      return await host.readFile(path);
    } catch (cause) {
      throw this.fault(name, 'must be a file that can be read', { value: path, cause });
    }
  }

  fault(
    name: string,
    rule: string,
    more: { readonly value?: unknown; readonly fix?: string; readonly cause?: unknown } = {},
  ): Error {
    return configError({ file: this.file, field: `${this.path}.${name}`, rule, ...more });
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
