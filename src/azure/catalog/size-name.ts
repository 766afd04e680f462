// What the name of a VM size says. In: a name without its tier, `NC24ads_A100_v4`. Out: its parts, or undefined for
// a name that follows no known pattern: nobody knows what such a size is.
//   family · subfamily · vCPUs [- active vCPUs] · features   then, each after an underscore:
//   accelerator (A100, MI300X) · a word or number that sets variants apart (xl, cc, noib, NDR, 24) · version · Promo
// Letters nobody has used yet and versions beyond 9 are read as well: new sizes should not wait for us.

export interface SizeName {
  readonly family: string;
  readonly subfamily: string;
  readonly vcpus: number;
  /** Only this many of the vCPUs are active. */
  readonly constrainedVcpus: number | undefined;
  readonly features: string;
  readonly accelerator: string | undefined;
  /** `1` for the first, which is not written. */
  readonly version: string;
  /** `NCads_v4` */
  readonly series: string;
}

const machine =
  /^(?<family>[A-Z])(?<subfamily>[A-Z]{0,2})(?<vcpus>\d+)(?:-(?<constrained>\d+))?(?<features>[A-Za-z]*)$/;

/** Groups that take part in every match, and one that need not. */
type MachineParts = Readonly<Record<'family' | 'subfamily' | 'vcpus' | 'features', string>> & {
  readonly constrained?: string;
};

const accelerator = /^[A-Z]+\d+[A-Z]*$/;
const version = /^[vV]\d{1,2}$/;
const variant = /^(?:[a-z]+|[A-Z]+|\d+|Promo)$/;

export function parseSizeName(size: string): SizeName | undefined {
  const [first = '', ...segments] = size.split('_');
  const groups = machine.exec(first)?.groups;
  if (groups === undefined || !segments.every(isKnownSegment)) return undefined;
  const { family, subfamily, vcpus, constrained, features } = groups as MachineParts;
  const digits = segments.find((segment) => version.test(segment))?.slice(1);
  const series = `${family}${subfamily}${features}`;
  return {
    family,
    subfamily,
    vcpus: Number(vcpus),
    constrainedVcpus: constrained === undefined ? undefined : Number(constrained),
    features,
    accelerator: segments.find(isAccelerator),
    version: digits ?? '1',
    series: digits === undefined ? series : `${series}_v${digits}`,
  };
}

/** `V5` has the shape of an accelerator, too; `V620` is one. */
function isAccelerator(segment: string): boolean {
  return accelerator.test(segment) && !version.test(segment);
}

function isKnownSegment(segment: string): boolean {
  return [accelerator, version, variant].some((pattern) => pattern.test(segment));
}
