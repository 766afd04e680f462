// Names, labels and keys: what they may consist of, and the server's words when they do not.
// In: a text. Out: the complaints, none when it is fine.

function regexError(message: string, pattern: string, ...examples: readonly string[]): string {
  const listed = examples.map((example) => `'${example}', `).join(' or ');
  return `${message} (${listed === '' ? '' : `e.g. ${listed}`}regex used for validation is '${pattern}')`;
}

function tooLong(maxLength: number, unit = 'characters'): string {
  return `must be no more than ${maxLength} ${unit}`;
}

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const qualifiedPart = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValue = '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?';

const labelPattern = new RegExp(`^${label}$`);
const subdomainPattern = new RegExp(`^${subdomain}$`);
const label1035Pattern = new RegExp(`^${label1035}$`);
const qualifiedPattern = new RegExp(`^${qualifiedPart}$`);
const labelValuePattern = new RegExp(`^${labelValue}$`);

/** What a name of a kind may be; `generated` when it is a prefix that a suffix will follow. */
export type NameRule = (name: string, generated: boolean) => readonly string[];

export function dnsLabelErrors(value: string): readonly string[] {
  const errors: string[] = [];
  if (value.length > 63) errors.push(tooLong(63));
  if (!labelPattern.test(value)) {
    errors.push(
      subdomainPattern.test(value)
        ? 'must not contain dots'
        : regexError(
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
            label,
            'my-name',
            '123-abc',
          ),
    );
  }
  return errors;
}

export function dnsSubdomainErrors(value: string): readonly string[] {
  const errors: string[] = [];
  if (value.length > 253) errors.push(tooLong(253));
  if (!subdomainPattern.test(value)) {
    errors.push(
      regexError(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
        subdomain,
        'example.com',
      ),
    );
  }
  return errors;
}

export function dns1035LabelErrors(value: string): readonly string[] {
  const errors: string[] = [];
  if (value.length > 63) errors.push(tooLong(63));
  if (!label1035Pattern.test(value)) {
    errors.push(
      regexError(
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
        label1035,
        'my-name',
        'abc-123',
      ),
    );
  }
  return errors;
}

/** A trailing dash of a prefix is filled up by the suffix. */
function whole(name: string, generated: boolean): string {
  return generated && name.endsWith('-') ? `${name.slice(0, -1)}a` : name;
}

export const dnsLabelName: NameRule = (name, generated) => dnsLabelErrors(whole(name, generated));
export const dnsSubdomainName: NameRule = (name, generated) =>
  dnsSubdomainErrors(whole(name, generated));
export const dns1035LabelName: NameRule = (name, generated) =>
  dns1035LabelErrors(whole(name, generated));

/** Names that only have to fit into a path: those of roles, bindings and custom storage. */
export const pathSegmentName: NameRule = (name) => {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%']
    .filter((mark) => name.includes(mark))
    .map((mark) => `may not contain '${mark}'`);
};

/** `example.com/MyName` or `MyName`: label keys, annotation keys, finalizers, resource names. */
export function qualifiedNameErrors(value: string): readonly string[] {
  const parts = value.split('/');
  const message =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  const examples = ['MyName', 'my.name', '123-abc'] as const;
  if (parts.length > 2) {
    const text = regexError(message, qualifiedPart, ...examples);
    return [
      `a valid label key ${text} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const errors: string[] = [];
  const name = parts.at(-1) ?? '';
  const [prefix] = parts.length === 2 ? parts : [];
  if (prefix === '') errors.push('prefix part must be non-empty');
  else if (prefix !== undefined) {
    errors.push(...dnsSubdomainErrors(prefix).map((error) => `prefix part ${error}`));
  }
  if (name === '') errors.push('name part must be non-empty');
  else if (name.length > 63) errors.push(`name part ${tooLong(63, 'bytes')}`);
  if (!qualifiedPattern.test(name)) {
    errors.push(`name part ${regexError(message, qualifiedPart, ...examples)}`);
  }
  return errors;
}

export function labelValueErrors(value: string): readonly string[] {
  const errors: string[] = [];
  if (value.length > 63) errors.push(tooLong(63, 'bytes'));
  if (!labelValuePattern.test(value)) {
    errors.push(
      regexError(
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
        labelValue,
        'MyValue',
        'my_value',
        '12345',
      ),
    );
  }
  return errors;
}

const dataKey = '[-._a-zA-Z0-9]+';
const dataKeyPattern = new RegExp(`^${dataKey}$`);

/** Keys of a ConfigMap or Secret. */
export function dataKeyErrors(value: string): readonly string[] {
  const errors: string[] = [];
  if (value.length > 253) errors.push(tooLong(253));
  if (!dataKeyPattern.test(value)) {
    errors.push(
      regexError(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
        dataKey,
        'key.name',
        'KEY_NAME',
        'key-name',
      ),
    );
  }
  if (value === '.') errors.push("must not be '.'");
  else if (value === '..') errors.push("must not be '..'");
  else if (value.startsWith('..')) errors.push("must not start with '..'");
  return errors;
}

export function portNameErrors(value: string): readonly string[] {
  const errors: string[] = [];
  if (value.length > 15) errors.push(tooLong(15));
  if (!/^[-a-z0-9]+$/.test(value)) {
    errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(value)) errors.push('must contain at least one letter (a-z)');
  if (value.includes('--')) errors.push('must not contain consecutive hyphens');
  if (value.startsWith('-') || value.endsWith('-')) {
    errors.push('must not begin or end with a hyphen');
  }
  return errors;
}

export function portNumberErrors(value: number): readonly string[] {
  return value >= 1 && value <= 65_535 ? [] : ['must be between 1 and 65535, inclusive'];
}
