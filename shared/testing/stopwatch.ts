/** Milliseconds since it was called, for what a run prints. Nothing may be decided by them. */
export function stopwatch(): () => number {
  const began = performance.now();
  return () => performance.now() - began;
}
