import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Replay, type StoryKind } from '../../../../test/support/patch-replay.ts';
import {
  decoded,
  decodeStep,
  type RecordedStep,
  timeOfStep,
} from '../../../../test/support/patch-vectors.ts';
import type { JsonObject } from '../json.ts';

interface StoryFile {
  readonly source: string;
  readonly kind: StoryKind;
  readonly stories: readonly (readonly RecordedStep[])[];
}

const vectors = new URL('../../../../test/vectors/', import.meta.url);
const replay = new Replay();

describe.each(['apply', 'patch'])('%s stories, as a real server ended them', (plot) => {
  const directory = new URL(`${plot}/`, vectors);

  test.each(readdirSync(directory))('%s', (name) => {
    const file = JSON.parse(readFileSync(new URL(name, directory), 'utf8')) as StoryFile;
    for (const story of file.stories) {
      let before: JsonObject | undefined;
      for (const [index, step] of story.entries()) {
        const { request, answer, after } = decodeStep(step, before);
        const live = before === undefined ? undefined : decoded(before);
        const time = timeOfStep(index);
        const differences = replay.differences({
          kind: file.kind,
          before: live,
          request,
          answer,
          time,
        });
        expect(differences, `step ${index} of a story`).toEqual([]);
        before = after;
      }
    }
  });
});
