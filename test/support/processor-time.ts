/** Milliseconds of processor time that `run` takes: other tests run at the same time. */
export function processorMs(run: () => void): number {
  const from = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
}
