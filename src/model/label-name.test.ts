import { describe, expect, test } from 'vitest';
import vectors from '../../test/vectors/label-name.json' with { type: 'json' };
import { labelValueFaults, qualifiedNameFaults } from './label-name.ts';

describe('says what the API server says', () => {
  test.each(vectors.qualifiedNames as [string, string[]][])('of the key %j', (text, faults) => {
    expect(qualifiedNameFaults(text)).toEqual(faults);
  });

  test.each(vectors.labelValues as [string, string[]][])('of the value %j', (text, faults) => {
    expect(labelValueFaults(text)).toEqual(faults);
  });
});
