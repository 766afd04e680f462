// Lint rules of the house, and the layer table: which folder of src may import which.
// In: the source tree. Out: errors only; a rule that cannot be kept is removed here, not silenced there.
// test/lint/layers.test.ts plants violations and expects this file to catch them.
import { defineConfig, type OxlintOverride } from 'oxlint';

/** What each layer may import from `src` besides itself. A layer not named here is free. */
const layers: Record<string, readonly string[]> = {
  base: [],
  api: [],
  model: ['base', 'api'],
  scheduling: ['base', 'api', 'model'],
  kube: ['base', 'api', 'model'],
  cloud: ['base', 'api', 'model'],
  state: ['base', 'api', 'model', 'kube', 'cloud', 'scheduling'],
  controllers: ['base', 'api', 'model', 'kube', 'cloud', 'scheduling', 'state'],
  azure: ['base', 'api', 'model', 'kube', 'cloud'],
  dashboard: ['base', 'api', 'model', 'state'],
  emulator: ['base', 'api', 'model'],
  operator: [
    'base',
    'api',
    'model',
    'kube',
    'cloud',
    'scheduling',
    'state',
    'controllers',
    'azure',
    'dashboard',
  ],
};

const folders = [...Object.keys(layers), 'nap', 'simulation', 'cli'];

const restrictedGlobals = [
  { name: 'setTimeout', message: 'Take a Clock (src/base/clock.ts).' },
  { name: 'setInterval', message: 'Take a Clock (src/base/clock.ts).' },
  { name: 'setImmediate', message: 'Take a Clock (src/base/clock.ts).' },
];

const restrictedProperties = [
  { object: 'Date', property: 'now', message: 'Take a Clock (src/base/clock.ts).' },
  { object: 'performance', property: 'now', message: 'Take a Clock (src/base/clock.ts).' },
  { object: 'Math', property: 'random', message: 'Take a Random (src/base/random.ts).' },
];

/** Folders below a layer are at most this deep; a deeper file would escape the rules. */
const maxDepth = 3;

function relativeFrom(depth: number, target: string): string {
  return `^${'\\.\\./'.repeat(depth + 1)}${target}`;
}

function layerPatterns(layer: string, allowed: readonly string[], depth: number) {
  const forbidden = folders.filter((folder) => folder !== layer && !allowed.includes(folder));
  const patterns = [
    {
      regex: relativeFrom(depth, `(${forbidden.join('|')})/`),
      message: `src/${layer} may import only: ${[layer, ...allowed].join(', ')} (docs/architecture.md).`,
    },
  ];
  if (layer === 'scheduling') {
    patterns.push({
      regex: `${relativeFrom(depth, 'base/(clock|random|async|log|metrics|http-server)')}|^node:`,
      message: 'The solver is pure: no clock, no randomness, no I/O, no logger.',
    });
  }
  if (layer === 'emulator') {
    patterns.push({
      regex: relativeFrom(depth, 'model/[^q]'),
      message: 'The emulator shares no meaning with the client it tests: of model only quantities.',
    });
  }
  return patterns;
}

/** One override per depth, so that `emulator/kube` and `kube` are told apart by how far up an import climbs. */
function layerRules(layer: string, allowed: readonly string[]): OxlintOverride[] {
  return Array.from({ length: maxDepth + 1 }, (_, depth) => ({
    files: [`src/${layer}/${'*/'.repeat(depth)}*.ts`],
    rules: {
      'no-restricted-imports': ['error', { patterns: layerPatterns(layer, allowed, depth) }],
    },
  }));
}

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'node', 'vitest'],
  options: { typeAware: true },
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  ignorePatterns: ['node_modules', 'dist', 'coverage', 'web/dist', 'test/lint/planted'],
  rules: {
    complexity: ['error', { max: 10 }],
    'max-depth': ['error', { max: 3 }],
    'max-params': ['error', { max: 4 }],
    'max-lines': ['error', { max: 500, skipBlankLines: false, skipComments: false }],
    'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
    'no-restricted-globals': ['error', ...restrictedGlobals],
    'no-restricted-properties': ['error', ...restrictedProperties],
    'no-console': 'error',
    eqeqeq: 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': [
      'error',
      { considerDefaultExhaustiveForUnions: true },
    ],
    'typescript/no-unnecessary-condition': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/no-non-null-assertion': 'error',
    // A loop that awaits is how an ordered step or a retry reads best.
    'no-await-in-loop': 'off',
    // Shadowing a short name in a nested arrow is clearer than inventing a second one.
    'no-shadow': 'off',
    // Node 24 runs these without cost; spread of small objects is how immutable updates read.
    'oxc/no-map-spread': 'off',
    // Named imports from `node:*` read as sentences.
    'unicorn/prefer-node-protocol': 'error',
    'vitest/no-focused-tests': 'error',
    'vitest/no-disabled-tests': 'error',
    'vitest/require-mock-type-parameters': 'off',
    'import/no-unassigned-import': 'off',
    // `fc.array` tells a reader where the name comes from.
    'import/no-named-as-default-member': 'off',
    // An expectation that is set up first and awaited after time has moved; floating ones are caught above.
    'vitest/valid-expect': 'off',
    'vitest/require-to-throw-message': 'off',
    'unicorn/consistent-function-scoping': 'off',
    // Bounds checked by the loop, and JSON typed at the edge: both need assertions that this rule forbids.
    'typescript/no-unsafe-type-assertion': 'off',
  },
  overrides: [
    ...Object.entries(layers).flatMap(([layer, allowed]) => layerRules(layer, allowed)),
    {
      // The only place that touches real time and real randomness.
      files: ['src/base/**/*.ts'],
      rules: { 'no-restricted-globals': 'off', 'no-restricted-properties': 'off' },
    },
    {
      files: ['**/*.test.ts', 'test/**/*.ts'],
      rules: {
        'max-lines': ['error', { max: 800 }],
        'max-lines-per-function': 'off',
        'typescript/no-non-null-assertion': 'off',
        'typescript/unbound-method': 'off',
      },
    },
    {
      // Programs for a terminal: they print, and benchmarks measure real time.
      files: ['tools/**', 'bench/**/*.ts', 'src/cli/**/*.ts', 'bin/**'],
      rules: { 'no-console': 'off' },
    },
    {
      files: ['bench/**/*.ts', 'tools/**'],
      rules: { 'no-restricted-globals': 'off', 'no-restricted-properties': 'off' },
    },
    {
      files: ['*.config.ts', 'test/support/closing-summary.ts'],
      rules: { 'import/no-default-export': 'off' },
    },
  ],
});
