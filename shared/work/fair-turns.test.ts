import { setImmediate as turn } from 'node:timers/promises';
import { FairTurns } from './fair-turns.js';

/** Work that runs until it is ended, and the names of what started, in order. */
function controlled() {
  const turns = new FairTurns({ max: 4, maxOfOwner: 2, waiting: 20, busy: 'Too much of it' });
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const run = (owner: string, name: string) =>
    turns.run(owner, () => {
      started.push(name);
      return new Promise<string>((resolve, reject) => {
        ends.set(name, (error) => (error ? reject(error) : resolve(name)));
      });
    });
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error);
    await turn();
  };
  return { run, started, end };
}

describe('work in turns', () => {
  it('runs two at a time of an owner, and four of all', async () => {
    const { run, started } = controlled();
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void run(name.charAt(0), name);
    await turn();
    expect(started).toEqual(['a1', 'a2', 'b1', 'b2']);
  });

  it('of the owners that wait takes turns', async () => {
    const { run, started, end } = controlled();
    for (const name of ['a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'c3', 'd1']) void run(name.charAt(0), name);
    await turn();
    for (const name of ['a1', 'a2', 'b1']) await end(name);
    expect(started.slice(4)).toEqual(['c1', 'd1', 'c2']);
    // The next one is of an owner that runs two already.
    await end('b2');
    expect(started).not.toContain('c3');
    await end('c1');
    expect(started).toContain('c3');
  });

  it('is refused with 503 when twenty pieces of the owner wait, and only those of that one', async () => {
    const { run, started, end } = controlled();
    for (let at = 1; at <= 22; at += 1) void run('a', `a${at}`);
    await expect(run('a', 'a23')).rejects.toMatchObject({ type: 'UNAVAILABLE', code: 503, message: 'Too much of it' });
    void run('b', 'b1');
    await turn();
    expect(started).toEqual(['a1', 'a2', 'b1']);
    await end('a1');
    void run('a', 'a24');
    for (let at = 2; at <= 22; at += 1) await end(`a${at}`);
    expect(started).toContain('a24');
  });

  it('is not done for those who are gone before their turn', async () => {
    const turns = new FairTurns({ max: 1, maxOfOwner: 1, waiting: 1, busy: 'Too much of it' });
    const done: string[] = [];
    let end = () => {};
    const first = turns.run('a', () => new Promise<void>((ended) => (end = ended)));
    const stop = new AbortController();
    const gone = turns.run('a', async () => done.push('gone'), stop.signal);
    stop.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    await expect(turns.run('b', async () => done.push('late'), stop.signal)).rejects.toThrow('gone');
    const next = turns.run('a', async () => done.push('next'));
    end();
    await Promise.all([first, next]);
    expect(done).toEqual(['next']);
  });

  it('makes room when it fails, and gives its result or failure', async () => {
    const { run, started, end } = controlled();
    const [first, second] = [run('a', 'a1'), run('a', 'a2')];
    void run('a', 'a3');
    const failed = expect(first).rejects.toThrow('broken');
    await turn();
    await end('a1', new Error('broken'));
    await failed;
    expect(started).toEqual(['a1', 'a2', 'a3']);
    await end('a2');
    expect(await second).toBe('a2');
  });
});
