import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeProtobuf } from './decode-message.ts';

type Part = readonly [number: number, value: string | number | Uint8Array];

/** A message by hand: texts and bytes with their length, numbers as varints. */
function message(...parts: readonly Part[]): Uint8Array {
  return Buffer.concat(
    parts.map(([number, value]) => {
      if (typeof value === 'number') return Buffer.concat([varint(number << 3), varint(value)]);
      const bytes = Buffer.from(value);
      return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
    }),
  );
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const more = rest > 127n;
    bytes.push(Number(rest & 127n) | (more ? 128 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return Buffer.from(bytes);
}

function envelope(apiVersion: string, kind: string, raw: Uint8Array): Uint8Array {
  const body = message([1, message([1, apiVersion], [2, kind])], [2, raw], [3, ''], [4, '']);
  return Buffer.concat([Buffer.from('k8s\0'), body]);
}

describe('an object in its binary form', () => {
  test('reads as its JSON would', () => {
    const metadata = message(
      [1, 'web'],
      [3, ''],
      [7, 0],
      [8, message([1, 0], [2, 0])],
      [11, message([1, 'app'], [2, 'x'])],
      [11, message([1, 'tier'], [2, 'y'])],
    );
    const resources = message([2, message([1, 'cpu'], [2, message([1, '100m'])])]);
    const port = message([1, ''], [2, 0], [3, 80], [4, 'TCP']);
    const container = message(
      [1, 'c'],
      [2, 'nginx'],
      [3, 'run'],
      [3, 'fast'],
      [6, port],
      [8, resources],
      [16, 0],
    );
    const template = message([2, message([2, container], [11, 0])]);
    const rolling = message([1, message([1, 1], [3, '25%'])], [2, message([1, 0], [2, 1])]);
    const spec = message([1, 0], [3, template], [4, message([1, 'RollingUpdate'], [2, rolling])]);
    const raw = message([1, metadata], [2, spec], [3, message()]);
    expect(decodeProtobuf(envelope('apps/v1', 'Deployment', raw), 'Deployment')).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', labels: { app: 'x', tier: 'y' } },
      spec: {
        // A zero that was written, because nothing would mean one.
        replicas: 0,
        template: {
          spec: {
            containers: [
              {
                name: 'c',
                image: 'nginx',
                command: ['run', 'fast'],
                ports: [{ containerPort: 80, protocol: 'TCP' }],
                resources: { requests: { cpu: '100m' } },
              },
            ],
          },
        },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: 1 } },
      },
    });
  });

  test('keeps bytes, times and inlined messages', () => {
    const secret = message([2, message([1, 'key'], [2, Uint8Array.from([0, 255])])]);
    expect(decodeProtobuf(envelope('v1', 'Secret', secret), 'Secret')).toMatchObject({
      data: { key: 'AP8=' },
    });
    const volume = message([1, 'v'], [2, message([2, message([1, ''])])]);
    const pod = message([2, message([1, volume], [4, 0])]);
    expect(decodeProtobuf(envelope('v1', 'Pod', pod), 'Pod')).toMatchObject({
      spec: { volumes: [{ name: 'v', emptyDir: {} }], terminationGracePeriodSeconds: 0 },
    });
    const lease = message([2, message([4, message([1, 1_767_225_600], [2, 5000])])]);
    expect(
      decodeProtobuf(envelope('coordination.k8s.io/v1', 'Lease', lease), 'Lease'),
    ).toMatchObject({
      spec: { renewTime: '2026-01-01T00:00:00.000000Z' },
    });
  });

  test('what is none is refused, and never more than refused', () => {
    expect(() => decodeProtobuf(Buffer.from('{}'), 'Pod')).toThrow(
      'does not appear to be a protobuf message',
    );
    expect(() => decodeProtobuf(envelope('v1', 'Nope', message()), 'Pod')).toThrow(
      'no kind "Nope" is registered',
    );
    const outcome = (bytes: Uint8Array): unknown => {
      try {
        return typeof decodeProtobuf(envelope('v1', 'Pod', bytes), 'Pod');
      } catch (error) {
        return (error as { code: unknown }).code;
      }
    };
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(['object', 400]).toContain(outcome(bytes));
      }),
    );
  });
});
