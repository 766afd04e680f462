// The public price list on the wire. In: the address of a page. Out: the page. It is no part of Resource Manager: no token
// ever goes there.
import { CodedError } from '../../base/errors.ts';
import type { RetailPricePage, RetailPriceSource } from '../catalog/retail-prices.ts';
import type { Transport } from './transport.ts';

export function retailPriceSource(transport: Transport): RetailPriceSource {
  return {
    page: async (url, signal) => {
      const answer = await transport({
        method: 'GET',
        url,
        headers: { accept: 'application/json' },
        signal,
      });
      if (answer.status === 200) return JSON.parse(answer.text) as RetailPricePage;
      throw new CodedError('PriceListRefused', 'the price list was not given', {
        fields: { url, status: answer.status },
      });
    },
  };
}
