import { expect, test } from 'vitest';
import { stableUid } from './stable-uid.ts';

// Computed by another SHA-1. The lengths lie on both sides of where the padding needs another block.
test.each([
  [0, '9ec2a6f2-05ac-aa10-56cd-4bfc0f467d3e'],
  [42, '3de9ee26-9f98-b404-ec9f-c619c47d850e'],
  [43, 'e825988d-adcf-9c76-536f-e48de2577b20'],
  [50, '15111a7b-9c95-2546-7529-798e0a88a49b'],
  [51, '6e1e6142-5c6c-88fa-e4d4-1e6eb056ebec'],
  [107, 'b3b0ee7c-f5b0-31b4-dd0a-7e7b521eb5a7'],
  [200, '8eec44a5-e82f-8a5d-74fc-34be3cf70c08'],
])('the UID of a pod whose name has %i letters', (length, uid) => {
  expect(stableUid('pod', 'default', 'x'.repeat(length))).toBe(uid);
});

test('the UID of a name that is not ASCII', () => {
  expect(stableUid('pod', 'default', 'gr\u00fcn')).toBe('48c05ab9-7b93-1914-cd11-1ac69df16eff');
});

test('the UID that other readers of the format derive', () => {
  expect(stableUid('nodepool', '', 'spot')).toBe('9b8a7935-bb7e-1ea5-d8af-ac697d0becb6');
});
