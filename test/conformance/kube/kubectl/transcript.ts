// Stories as people would paste them from a terminal. In: text in which `$ ` begins a command, `> ` a line of its input,
// and the rest is what it prints, output before complaints. Out: nothing, or the first command that printed otherwise.
// `[1]` at the end of what is printed is the exit code, if it is not 0. `...` stands for any lines, `…` for any text.
// Both sides are made plain first: blanks are one blank; ages, names by chance, addresses and uids say only that they are.
// `$ write <file>` puts its input into a file that the next commands find; NAMESPACE is the story's own.
import type { Outcome } from './programs.ts';
import type { Story } from './terminal.ts';

interface Step {
  readonly command: string;
  readonly input: string;
  readonly printed: readonly string[];
}

/** By name; what a transcript cannot tell is told by a function. */
export type Stories = Readonly<Record<string, string | ((story: Story) => Promise<void>)>>;

export async function play(story: Story, transcript: string): Promise<void> {
  for (const step of stepsOf(transcript)) {
    const printed = await perform(story, step);
    const wanted = step.printed.map((line) => plain(line, story)).filter((line) => line !== '');
    if (!matches(printed, wanted)) throw new Mismatch(step.command, printed, wanted);
  }
}

export class Mismatch extends Error {
  constructor(command: string, printed: readonly string[], wanted: readonly string[]) {
    super(['', `$ ${command}`, ...printed, '', 'instead of', '', ...wanted, ''].join('\n'));
  }
}

function stepsOf(transcript: string): readonly Step[] {
  const steps: { command: string; input: string; printed: string[] }[] = [];
  for (const line of transcript.split('\n').map((text) => text.trimStart())) {
    const last = steps.at(-1);
    if (line.startsWith('$ ')) steps.push({ command: line.slice(2), input: '', printed: [] });
    else if (line.startsWith('> ') && last !== undefined) last.input += `${line.slice(2)}\n`;
    else last?.printed.push(line);
  }
  return steps;
}

async function perform(story: Story, { command, input }: Step): Promise<readonly string[]> {
  const line = command.replaceAll('NAMESPACE', story.namespace);
  const [, variable = '', value = '', call = ''] = /^(?:(\w+)='([^']*)' )?(.*)$/.exec(line) ?? [];
  const [program = ''] = call.split(' ');
  const rest = call.slice(program.length + 1);
  const text = input.replaceAll('NAMESPACE', story.namespace);
  if (program === 'write') {
    await story.file(rest.trim(), text);
    return [];
  }
  const env = variable === '' ? {} : { [variable]: value };
  const run = program === 'helm' ? story.helm.bind(story) : story.kubectl.bind(story);
  const outcome = await run(rest, { input: text, env });
  return printedBy(outcome, story);
}

/** What a command printed, made plain. */
export function printedBy({ code, stdout, stderr }: Outcome, story: Story): readonly string[] {
  const ending = code === 0 ? [] : [`[${code}]`];
  return [...stdout.split('\n'), ...stderr.split('\n'), ...ending]
    .map((line) => plain(line, story))
    .filter((line) => line !== '');
}

const consonants = 'bcdfghjklmnpqrstvwxz2456789';

const replacements: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'],
  [/\w{3}, \d\d \w{3} \d{4} [\d:]{8} \+0000/g, '<time>'],
  [/\w{3} \w{3} +\d+ [\d:]{8} \d{4}/g, '<time>'],
  [/\d{4}-\d\d-\d\d [\d:.]+ \+0000( UTC)?/g, '<time>'],
  // A template's hash, and then a pod's own letters.
  [new RegExp(`-(?=[a-z]*\\d)[${consonants}]{7,10}\\b`, 'g'), '-<hash>'],
  [new RegExp(`-[${consonants}]{5}\\b`, 'g'), '-<id>'],
  [/\b10\.0\.\d+\.\d+/g, '<cluster-ip>'],
  [/\b10\.244\.\d+\.\d+/g, '<pod-ip>'],
  [/:3\d{4}\//g, ':<port>/'],
  [/https:\/\/127\.0\.0\.1:\d{2,5}/g, 'https://<server>'],
  [/(?<![\w.:/=-])(\d+h)?(\d+m)?(\d+s|\d+m)(?![\w.:-])/g, '<age>'],
  [/-{4,}/g, '----'],
  [/\s+/g, ' '],
];

function plain(line: string, { namespace, directory }: Story): string {
  let text = line.replaceAll(directory, '.').replaceAll(namespace, 'NAMESPACE');
  for (const [pattern, replacement] of replacements) text = text.replaceAll(pattern, replacement);
  return text.trim();
}

function matches(printed: readonly string[], wanted: readonly string[]): boolean {
  const [first, ...rest] = wanted;
  if (first === undefined) return printed.length === 0;
  if (first === '...') {
    return Array.from({ length: printed.length + 1 }).some((_, i) =>
      matches(printed.slice(i), rest),
    );
  }
  const [line, ...later] = printed;
  return line !== undefined && lineMatches(line, first) && matches(later, rest);
}

function lineMatches(line: string, wanted: string): boolean {
  if (!wanted.includes('…')) return line === wanted;
  const parts = wanted
    .split('…')
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`).test(line);
}
