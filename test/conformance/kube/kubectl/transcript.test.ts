import { expect, test } from 'vitest';
import type { Outcome } from './programs.ts';
import type { Story } from './terminal.ts';
import { play } from './transcript.ts';

function storyOf(outcome: Partial<Outcome>): Story {
  const kubectl = () => Promise.resolve({ code: 0, stdout: '', stderr: '', ...outcome });
  return { namespace: 'story-1', directory: '/tmp/story-1', kubectl } as unknown as Story;
}

const table = 'NAME    READY   AGE\nweb-5d5dfc587b-x7k2p   1/1     12s\n';

test.each<[string, Partial<Outcome>, string]>([
  ['word for word', { stdout: 'pod/web created\n' }, 'pod/web created'],
  ['with names by chance and ages', { stdout: table }, 'NAME READY AGE\nweb-<hash>-<id> 1/1 <age>'],
  ['with lines that do not matter', { stdout: 'a\nb\nc\n' }, 'a\n...\nc'],
  ['with text that does not matter', { stdout: 'took 3 tries.' }, 'took … tries.'],
  ['with its own namespace', { stdout: 'in story-1' }, 'in NAMESPACE'],
  ['with complaints and an exit code', { code: 1, stderr: 'no\n' }, 'no\n[1]'],
])('takes what is printed %s', async (_, outcome, wanted) => {
  await expect(play(storyOf(outcome), `$ kubectl x\n${wanted}`)).resolves.toBeUndefined();
});

test.each<[string, Partial<Outcome>, string]>([
  ['another word', { stdout: 'pod/web configured' }, 'pod/web created'],
  ['more lines', { stdout: 'a\nb' }, 'a'],
  ['fewer lines', { stdout: 'a' }, 'a\nb'],
  ['nothing after lines that do not matter', { stdout: 'a\nb' }, 'a\n...\nc'],
  ['an exit code that nobody expects', { code: 1, stdout: 'a' }, 'a'],
  ['no exit code where one is expected', { stdout: 'a' }, 'a\n[1]'],
])('does not take %s', async (_, outcome, wanted) => {
  await expect(play(storyOf(outcome), `$ kubectl x\n${wanted}`)).rejects.toThrow('instead of');
});
