import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { BodyBudget, readBytes } from './body.js';

const maxBytes = 1000;

/** A request whose body comes as the test says. */
function newRequest() {
  const stream = new PassThrough();
  return { stream, request: Object.assign(stream, { headers: {} }) as unknown as IncomingMessage };
}

async function sent(budget: BodyBudget, network: string, bytes: number): Promise<number> {
  const { stream, request } = newRequest();
  stream.end(Buffer.alloc(bytes));
  return budget.holdWhile(network, async (onPart) => (await readBytes(request, maxBytes, onPart)).length);
}

describe('bodies of strangers', () => {
  const limits = { ofOwner: 1500, ofAll: 2500 };

  it('are held while something is done with them, up to what one network and all may hold', async () => {
    const budget = new BodyBudget(limits);
    const ends: (() => void)[] = [];
    const hold = (network: string) => {
      const { stream, request } = newRequest();
      stream.end(Buffer.alloc(1000));
      return new Promise<void>((isHeld) => {
        void budget.holdWhile(network, async (onPart) => {
          await readBytes(request, maxBytes, onPart);
          isHeld();
          await new Promise<void>((resolve) => ends.push(resolve));
        });
      });
    };
    await hold('a');
    await expect(sent(budget, 'a', 600)).rejects.toMatchObject({ type: 'UNAVAILABLE' });
    expect(await sent(budget, 'a', 500)).toBe(500);
    await hold('b');
    await expect(sent(budget, 'c', 900)).rejects.toMatchObject({ type: 'UNAVAILABLE' });
    for (const end of ends) end();
    await new Promise(setImmediate);
    expect(await Promise.all([sent(budget, 'a', 700), sent(budget, 'c', 1000)])).toEqual([700, 1000]);
  });

  it('are refused when they are too large, and hold nothing then', async () => {
    const budget = new BodyBudget(limits);
    for (let at = 0; at < 5; at++) await expect(sent(budget, 'a', 1001)).rejects.toMatchObject({ type: 'TOO_LARGE' });
    expect(await sent(budget, 'a', 1000)).toBe(1000);
  });
});
