import { eventually } from '../../shared/testing/eventually.js';

const firstMs = 500;

/**
 * Makes something that ends soon, and asks for its status until it is no longer 200. What `make` does must be over before that end: where it
 * was not, it is done again with twice the time. Expects 200 of all that is asked before the end, and of nothing that is asked after it.
 */
export async function untilItsEnd<T>(
  make: (end: Date) => Promise<T>,
  ask: (made: T) => Promise<number>,
): Promise<{ made: T; status: number }> {
  const { end, made } = await madeInTime(make, firstMs);
  const last = await eventually(
    'the end of what expires',
    async () => ({ asked: new Date(), status: await ask(made) }),
    ({ asked, status }) => {
      if (status === 200) expect(asked < end).toBe(true);
      return status !== 200;
    },
  );
  expect(new Date() >= end).toBe(true);
  return { made, status: last.status };
}

/** Ends are whole seconds, as in certificates and JWTs. */
async function madeInTime<T>(make: (end: Date) => Promise<T>, ms: number): Promise<{ end: Date; made: T }> {
  const end = new Date(Math.ceil((Date.now() + ms) / 1000) * 1000);
  const made = await Promise.allSettled([make(end)]);
  if (new Date() >= end) return madeInTime(make, 2 * ms);
  if (made[0].status === 'rejected') throw made[0].reason;
  return { end, made: made[0].value };
}
