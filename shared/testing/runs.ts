import fc from 'fast-check';

/** How often a random test runs: `RUNS=20` makes it 20 times as often, to look for what it has not found yet. */
export const runs = (times: number): number => Math.ceil(times * Number(process.env.RUNS ?? 1));

/** Any character but halves of one. The unit `binary` of fast-check is the same, and takes a second to make. */
export const anyCharacter = fc
  .nat(0x10ffff - 0x800)
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));
