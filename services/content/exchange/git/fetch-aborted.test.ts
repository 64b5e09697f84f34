import { processesOf, servedRepositories } from './testing/repositories.js';

const { room, servers, makeRepository, newCache, fetched, failure, serve } = servedRepositories();

describe('ending early', () => {
  async function hanging(): Promise<{ url: string; asked: Promise<void> }> {
    let asked: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const url = await serve(() => asked());
    return { url, asked: arrived };
  }

  test('an abort leaves no process', async () => {
    const { url, asked } = await hanging();
    const cacheDir = newCache();
    const stop = new AbortController();
    const result = failure({ url: `${url}/a.git`, cacheDir, signal: stop.signal });
    await asked;
    expect(processesOf(cacheDir).length).toBeGreaterThanOrEqual(2);
    stop.abort();
    expect(await result).toMatchObject({ reason: 'aborted' });
    expect(processesOf(cacheDir)).toEqual([]);
  });

  test('a fetch that takes too long is stopped', async () => {
    const { url } = await hanging();
    const cacheDir = newCache();
    expect(await failure({ url: `${url}/a.git`, cacheDir, timeoutMs: 400 })).toMatchObject({ reason: 'timeout' });
    expect(processesOf(cacheDir)).toEqual([]);
  });

  test('an abort also ends a fetch that waits for the same clone', async () => {
    const { url, asked } = await hanging();
    const cacheDir = newCache();
    const stop = new AbortController();
    const first = failure({ url: `${url}/a.git`, cacheDir, signal: stop.signal });
    await asked;
    const impatient = AbortSignal.timeout(50);
    expect(await failure({ url: `${url}/a.git`, cacheDir, signal: impatient })).toMatchObject({ reason: 'aborted' });
    stop.abort();
    await first;
  });

  test('an abort ends the reading, and closing ends its process', async () => {
    makeRepository('reading', { 'a.md': 'a' });
    const cacheDir = newCache();
    const stop = new AbortController();
    const tree = await fetched({ url: `${servers.open.url}/reading.git`, cacheDir, signal: stop.signal });
    await tree.read('a.md');
    expect(processesOf(cacheDir)).toHaveLength(1);
    stop.abort();
    await expect(tree.read('a.md')).rejects.toMatchObject({ reason: 'aborted' });
    await tree.close();

    const other = await fetched({ url: `${servers.open.url}/reading.git`, cacheDir: newCache() });
    await other.read('a.md');
    await other.close();
    await expect(other.read('a.md')).rejects.toMatchObject({ reason: 'aborted' });
    expect(processesOf(room)).toEqual([]);
  });
});
