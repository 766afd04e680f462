// Which texts may be label keys and label values. In: a text. Out: what is wrong with it, in the words of
// the API server, so that a refusal here reads like a refusal there; an empty list means it is fine.

const namePattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const subdomainPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
const nameExpression = new RegExp(`^${namePattern}$`);
const subdomainExpression = new RegExp(`^${subdomainPattern}$`);

const nameMaxLength = 63;
const subdomainMaxLength = 253;

const nameShape = withExamples({
  rule: "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ['MyName', 'my.name', '123-abc'],
  pattern: namePattern,
});
const subdomainShape = withExamples({
  rule: "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  examples: ['example.com'],
  pattern: subdomainPattern,
});
const valueShape = withExamples({
  rule: "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ['MyValue', 'my_value', '12345'],
  pattern: `(${namePattern})?`,
});

/** A label key: a name of at most 63 characters, optionally after a DNS subdomain and a slash. */
export function qualifiedNameFaults(text: string): string[] {
  const parts = text.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${nameShape} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) ?? '';
  return [...(parts.length === 2 ? prefixFaults(parts[0] ?? '') : []), ...nameFaults(name)];
}

/** A label value: empty, or a name of at most 63 characters. */
export function labelValueFaults(text: string): string[] {
  const faults: string[] = [];
  if (text.length > nameMaxLength) faults.push(tooLong(nameMaxLength));
  if (text !== '' && !nameExpression.test(text)) faults.push(valueShape);
  return faults;
}

function prefixFaults(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  const faults: string[] = [];
  if (prefix.length > subdomainMaxLength) faults.push(`prefix part ${tooLong(subdomainMaxLength)}`);
  if (!subdomainExpression.test(prefix)) faults.push(`prefix part ${subdomainShape}`);
  return faults;
}

function nameFaults(name: string): string[] {
  const faults: string[] = [];
  if (name === '') faults.push('name part must be non-empty');
  else if (name.length > nameMaxLength) faults.push(`name part ${tooLong(nameMaxLength)}`);
  if (!nameExpression.test(name)) faults.push(`name part ${nameShape}`);
  return faults;
}

function tooLong(limit: number): string {
  return `must be no more than ${limit} bytes`;
}

function withExamples(shape: {
  readonly rule: string;
  readonly examples: readonly string[];
  readonly pattern: string;
}): string {
  // The doubled separator is how the API server prints it.
  const examples = shape.examples.map((example) => `'${example}', `).join(' or ');
  return `${shape.rule} (e.g. ${examples}regex used for validation is '${shape.pattern}')`;
}
