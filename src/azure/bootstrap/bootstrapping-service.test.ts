import { describe, expect, test } from 'vitest';
import { bootstrappingRequest, readBootstrappingAnswer } from './bootstrapping-service.ts';
import { provisionValues } from './provision-profile.ts';
import { testCluster, testPlan } from './test-node.ts';

const token = 'abcdef.0123456789abcdef';
const gap = '{{.TokenID}}.{{.TokenSecret}}';
const encode = (text: string) => Buffer.from(text).toString('base64');

describe('the bootstrapping service', () => {
  test('is asked about the cluster, for half a minute at most', () => {
    const values = provisionValues(testCluster(), testPlan());
    expect(bootstrappingRequest(testCluster(), testPlan())).toEqual({
      ok: true,
      request: {
        method: 'GET',
        path: '/subscriptions/sub-1/resourceGroups/cluster-group/providers/Microsoft.ContainerService/managedclusters/cluster-1/nodeBootstrapping',
        body: values.ok && values.values,
        timeoutMs: 30_000,
      },
    });
  });

  test('is not asked about an image it does not know', () => {
    const plan = testPlan({ plan: { imageId: 'mine' } });
    expect(bootstrappingRequest(testCluster(), plan).ok).toBe(false);
  });

  test('leaves a gap for the token, wherever it needs it', () => {
    const answer = { customData: encode(`a ${gap} b ${gap}`), cse: `run ${gap} and ${gap}` };
    expect(readBootstrappingAnswer(answer, token)).toEqual({
      ok: true,
      customData: encode(`a ${token} b ${token}`),
      cse: `run ${token} and ${token}`,
    });
  });

  test('needs no gap', () => {
    const answer = { customData: encode('a'), cse: 'run' };
    expect(readBootstrappingAnswer(answer, token)).toEqual({ ok: true, ...answer });
  });

  test('gets the token as it is, also one with signs that mean something in a replacement', () => {
    const answer = { customData: encode(gap), cse: gap };
    expect(readBootstrappingAnswer(answer, "$&$'")).toEqual({
      ok: true,
      customData: encode("$&$'"),
      cse: "$&$'",
    });
  });

  test.each([
    [{}, 'without a script'],
    [{ customData: encode('a') }, 'without a script'],
    [{ customData: encode('a'), cse: '' }, 'without a script'],
    [{ cse: 'run' }, 'without custom data'],
    [{ customData: '', cse: 'run' }, 'without custom data'],
    [{ customData: 'not base64!', cse: 'run' }, 'with custom data that is not base64'],
  ])('is of no use when it answers %j', (answer, fault) => {
    expect(readBootstrappingAnswer(answer, token)).toEqual({
      ok: false,
      reason: `the bootstrapping service answered ${fault}`,
    });
  });
});
