// Where a command prints. In: text. Out: standard output and standard error, with colour only on a terminal
// that shows it. Handed to every command, so that tests read what a person would.
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

export interface Terminal {
  print(text: string): void;
  complain(text: string): void;
  /** The text in this style, or as it is where colours would only be noise. */
  styled(style: Style, text: string): string;
}

export function processTerminal(): Terminal {
  return {
    print: (text) => void process.stdout.write(`${text}\n`),
    complain: (text) => void process.stderr.write(`${text}\n`),
    styled: (style, text) =>
      styleText(style, text, { stream: process.stdout, validateStream: true }),
  };
}
