import { describe, expect, test } from 'vitest';
import { parseSizeName } from './size-name.ts';
import table from './data/on-demand-prices.json' with { type: 'json' };

describe('the name of a size', () => {
  test.each([
    ['D4pls_v6', ['D', '', 4, undefined, 'pls', undefined, '6', 'Dpls_v6']],
    ['E64-16s_v3', ['E', '', 64, 16, 's', undefined, '3', 'Es_v3']],
    ['NC24ads_A100_v4', ['N', 'C', 24, undefined, 'ads', 'A100', '4', 'NCads_v4']],
    [
      'NC288ds_xl_RTXPRO6000BSE_v6',
      ['N', 'C', 288, undefined, 'ds', 'RTXPRO6000BSE', '6', 'NCds_v6'],
    ],
    ['NCC40ads_H100_v5', ['N', 'CC', 40, undefined, 'ads', 'H100', '5', 'NCCads_v5']],
    ['M96s_1_v3', ['M', '', 96, undefined, 's', undefined, '3', 'Ms_v3']],
    ['M416s_8_v2', ['M', '', 416, undefined, 's', undefined, '2', 'Ms_v2']],
    ['B2s', ['B', '', 2, undefined, 's', undefined, '1', 'Bs']],
    ['NC6_Promo', ['N', 'C', 6, undefined, '', undefined, '1', 'NC']],
    ['FX4mds', ['F', 'X', 4, undefined, 'mds', undefined, '1', 'FXmds']],
    ['HB120rs_v3', ['H', 'B', 120, undefined, 'rs', undefined, '3', 'HBrs_v3']],
    ['DC8as_cc_v5', ['D', 'C', 8, undefined, 'as', undefined, '5', 'DCas_v5']],
    ['DS13-2_v2', ['D', 'S', 13, 2, '', undefined, '2', 'DS_v2']],
    ['D2s_V3', ['D', '', 2, undefined, 's', undefined, '3', 'Ds_v3']],
    ['NV8ads_V710_v5', ['N', 'V', 8, undefined, 'ads', 'V710', '5', 'NVads_v5']],
  ])('tells its parts: %s', (size, expected) => {
    const name = parseSizeName(size)!;
    expect([
      name.family,
      name.subfamily,
      name.vcpus,
      name.constrainedVcpus,
      name.features,
      name.accelerator,
      name.version,
      name.series,
    ]).toEqual(expected);
  });

  // The original knows no MI300X as an accelerator, no GB200, no version of two digits and fewer letters.
  test.each([
    ['ND96isr_MI300X_v5', 'MI300X', 'NDisr_v5'],
    ['ND128isr_NDR_GB200_v6', 'GB200', 'NDisr_v6'],
    ['ND96is_noib_H100_v5', 'H100', 'NDis_v5'],
    ['D4s_v10', undefined, 'Ds_v10'],
    ['M896ixds_32_v3', undefined, 'Mixds_v3'],
  ])('is understood where the original gives up: %s', (size, accelerator, series) => {
    expect(parseSizeName(size)).toMatchObject({ accelerator, series });
  });

  test.each(['', 'd4s_v5', 'DCC', 'D4s v5', 'D4s_v5_?', 'DABC4s', 'ND128isrG5_GB300_v6'])(
    'that follows no pattern says nothing: %j',
    (size) => {
      expect(parseSizeName(size)).toBeUndefined();
    },
  );

  test('is understood for every established size', () => {
    const names = Object.keys(table.known).map((name) => name.slice(name.indexOf('_') + 1));
    expect(names.filter((name) => parseSizeName(name) === undefined)).toEqual([]);
    expect(names).toHaveLength(1502);
  });
});
