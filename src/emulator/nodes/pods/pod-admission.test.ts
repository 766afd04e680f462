import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../kube/json.ts';
import { admissionError, podRequests } from './pod-admission.ts';

const container = (cpu: string, more: JsonObject = {}): JsonObject => ({
  resources: { requests: { cpu } },
  ...more,
});
const pod = (cpu: string, spec: JsonObject = {}): JsonObject => ({
  spec: { containers: [container(cpu)], ...spec },
});
const allocatable = { cpu: '1900m', memory: '4Gi', pods: '3' };
const usual = { others: [], allocatable, hasDiskPressure: false };

describe('what a pod needs', () => {
  test.each<[string, JsonObject, bigint]>([
    ['its containers together', { containers: [container('1'), container('500m')] }, 1500n],
    [
      'its hungriest init container, if that is more',
      { containers: [container('1')], initContainers: [container('3'), container('2')] },
      3000n,
    ],
    [
      'its sidecars beside both',
      {
        containers: [container('1')],
        initContainers: [container('1', { restartPolicy: 'Always' }), container('3')],
      },
      4000n,
    ],
    ['its overhead on top', { containers: [container('1')], overhead: { cpu: '250m' } }, 1250n],
  ])('is %s', (_, spec, milli) => {
    expect(podRequests({ spec }).get('cpu')).toBe(milli * 1_000_000n);
  });
});

describe('a kubelet', () => {
  test('takes what fits exactly', () => {
    const others = [podRequests(pod('900m'))];
    expect(admissionError({ ...usual, pod: pod('1'), others })).toBeUndefined();
  });

  test('refuses what does not fit beside the others', () => {
    const others = [podRequests(pod('1'))];
    expect(admissionError({ ...usual, pod: pod('1'), others })).toEqual({
      reason: 'OutOfcpu',
      message:
        "Pod was rejected: Node didn't have enough resource: cpu, requested: 1000, used: 1000, capacity: 1900",
    });
  });

  test('refuses a pod too many', () => {
    const others = Array.from({ length: 3 }, () => podRequests(pod('0')));
    expect(admissionError({ ...usual, pod: pod('0'), others })?.reason).toBe('OutOfpods');
  });

  test('refuses a resource that it does not have', () => {
    const wanted = { containers: [{ resources: { requests: { 'nvidia.com/gpu': '1' } } }] };
    expect(admissionError({ ...usual, pod: { spec: wanted } })?.reason).toBe('OutOfnvidia.com/gpu');
  });

  test('takes only critical pods while its disk is full', () => {
    const reasons = [pod('1'), pod('1', { priority: 2_000_001_000 })].map(
      (one) => admissionError({ ...usual, pod: one, hasDiskPressure: true })?.reason,
    );
    expect(reasons).toEqual(['Evicted', undefined]);
  });
});
