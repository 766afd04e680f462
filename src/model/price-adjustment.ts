// What a NodeOverlay makes of a price. In: a price and the overlay's words for it. Out: the price to reckon with,
// never below zero.
import type { NodeOverlaySpec } from '../api/node-overlay.ts';

/** `price` replaces, `+1.5` and `-1.5` add, `+10%` and `-10%` scale; without either the price stays. */
export function adjustedPrice(
  price: number,
  overlay: Pick<NodeOverlaySpec, 'price' | 'priceAdjustment'>,
): number {
  if (overlay.price !== undefined) return Number(overlay.price);
  const adjustment = overlay.priceAdjustment;
  if (adjustment === undefined) return price;
  const amount = Number.parseFloat(adjustment);
  const adjusted = adjustment.endsWith('%') ? price * (1 + amount / 100) : price + amount;
  return Math.max(adjusted, 0);
}
