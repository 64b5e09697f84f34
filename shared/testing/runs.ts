/** How often a random test runs: `RUNS=20` makes it 20 times as often, to look for what it has not found yet. */
export const runs = (times: number): number => Math.ceil(times * Number(process.env.RUNS ?? 1));
