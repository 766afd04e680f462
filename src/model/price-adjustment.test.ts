import { expect, test } from 'vitest';
import type { NodeOverlaySpec } from '../api/node-overlay.ts';
import { adjustedPrice } from './price-adjustment.ts';

test.each<[number, Pick<NodeOverlaySpec, 'price' | 'priceAdjustment'>, number]>([
  [10, {}, 10],
  [10, { price: '1.25' }, 1.25],
  [10, { price: '0' }, 0],
  [10, { priceAdjustment: '+2.5' }, 12.5],
  [10, { priceAdjustment: '-2.5' }, 7.5],
  [10, { priceAdjustment: '-.5' }, 9.5],
  [10, { priceAdjustment: '-12' }, 0],
  [10, { priceAdjustment: '+10%' }, 11],
  [10, { priceAdjustment: '-25%' }, 7.5],
  [10, { priceAdjustment: '-100%' }, 0],
  [0, { priceAdjustment: '+50%' }, 0],
])('%d with %j is %d', (price, overlay, expected) => {
  expect(adjustedPrice(price, overlay)).toBeCloseTo(expected, 12);
});
