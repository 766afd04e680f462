// The GPU sizes that AKS knows how to run. In: the name of a size. Out: whose GPU it has and on which systems its
// driver works, or undefined: a size with GPUs that is not here is not offered.

export type GpuVendor = 'nvidia' | 'amd';
export type GpuSystem = 'ubuntu' | 'azurelinux' | 'azurelinux3';

export interface GpuSupport {
  readonly vendor: GpuVendor;
  readonly systems: readonly GpuSystem[];
}

interface Entry extends GpuSupport {
  readonly sizes: string;
}

const entries: readonly Entry[] = [
  {
    vendor: 'nvidia',
    systems: ['ubuntu', 'azurelinux', 'azurelinux3'],
    sizes: `nc4as_t4_v3 nc8as_t4_v3 nc16as_t4_v3 nc64as_t4_v3
      nc6s_v3 nc12s_v3 nc24s_v3 nc24rs_v3 nd40rs_v2 nd40s_v3`,
  },
  {
    vendor: 'nvidia',
    systems: ['ubuntu', 'azurelinux3'],
    sizes: `nc8ads_a10_v4 nc16ads_a10_v4 nc32ads_a10_v4
      nv6ads_a10_v5 nv12ads_a10_v5 nv18ads_a10_v5 nv36ads_a10_v5 nv36adms_a10_v5 nv72ads_a10_v5
      nc24ads_a100_v4 nc48ads_a100_v4 nc96ads_a100_v4 nd96asr_v4 nd112asr_a100_v4 nd120asr_a100_v4
      nd96ams_v4 nd96ams_a100_v4 nd96ams_a100_flex_v4 nd96amsf_a100_v4 nd96amsr_a100_v4 nd96amsrf_a100_v4
      nd112amsr_a100_v4 nd120amsr_a100_v4
      nc40ads_h100_v5 nc80adis_h100_v5 nd96is_h100_v5 nd96is_noib_h100_v5 nd96is_flex_h100_v5
      nd96isf_h100_v5 nd96isr_h100_v5 nd96isrf_h100_v5
      nd96is_h200_v5 nd96isf_h200_v5 nd96isr_h200_v5 nd96isrf_h200_v5`,
  },
  {
    vendor: 'nvidia',
    systems: ['ubuntu'],
    sizes: `nc6 nc12 nc24 nc24r nc6s_v2 nc12s_v2 nc24s_v2 nc24rs_v2 nd6s nd12s nd24s nd24rs
      nv6 nv12 nv24 nv24r nv12s_v3 nv24s_v3 nv48s_v3 nd128isr_ndr_gb200_v6 nd128isr_gb300_v6
      nc24lds_xl_rtxpro6000bse_v6 nc36ds_xl_rtxpro6000bse_v6 nc36lds_xl_rtxpro6000bse_v6
      nc72ds_xl_rtxpro6000bse_v6 nc72lds_xl_rtxpro6000bse_v6 nc144ds_xl_rtxpro6000bse_v6
      nc144lds_xl_rtxpro6000bse_v6 nc288ds_xl_rtxpro6000bse_v6 nc288lds_xl_rtxpro6000bse_v6`,
  },
  {
    vendor: 'amd',
    systems: ['ubuntu'],
    sizes: `nv4ads_v710_v5 nv8ads_v710_v5 nv12ads_v710_v5 nv24ads_v710_v5 nv28adms_v710_v5
      nd96is_mi300x_v5 nd96isr_mi300x_v5`,
  },
];

const registry: ReadonlyMap<string, GpuSupport> = new Map(
  entries.flatMap(({ sizes, vendor, systems }) =>
    sizes.split(/\s+/).map((size): [string, GpuSupport] => [size, { vendor, systems }]),
  ),
);

/** A size on promotion is the same machine. */
export function gpuSupportOf(name: string): GpuSupport | undefined {
  const size = name
    .toLowerCase()
    .replace(/^standard_/, '')
    .replace(/_promo$/, '');
  return registry.get(size);
}
