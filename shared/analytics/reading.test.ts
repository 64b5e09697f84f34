import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLog } from '../monitoring/log.js';
import { openAnalytics } from './analytics.js';
import { readRows } from './reading.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serverThat(answers: RequestListener): Promise<string> {
  const server = createServer(answers).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The failure of a query on the server at `url`. */
async function failureAt(url: string): Promise<unknown> {
  const { client, close } = await openAnalytics({ url, dataDir: '', log: createLog('silent') });
  try {
    return await readRows(client, { query: 'SELECT 1', parameters: {} });
  } finally {
    await close();
  }
}

const exception = (code: number, type: string) =>
  serverThat((_, response) => {
    response.writeHead(500, { 'X-ClickHouse-Exception-Code': String(code) });
    response.end(`Code: ${code}. DB::Exception: Something of the inside. (${type}) (version 25.3.1.1)\n`);
  });

describe('a failed query', () => {
  it.each([
    [158, 'TOO_MANY_ROWS'],
    [159, 'TIMEOUT_EXCEEDED'],
    [241, 'MEMORY_LIMIT_EXCEEDED'],
    [307, 'TOO_MANY_BYTES'],
    [396, 'TOO_MANY_ROWS_OR_BYTES'],
  ])('that reached a limit (%i %s) is answered with 422 and a way out', async (code, type) => {
    await expect(failureAt(await exception(code, type))).rejects.toMatchObject({
      type: 'UNPROCESSABLE',
      message: expect.stringMatching(/: narrow its range or group by less$/),
    });
  });

  it('that finds no database is answered with 503', async () => {
    const resetting = await serverThat((request) => request.socket.destroy());
    const busy = await exception(202, 'TOO_MANY_SIMULTANEOUS_QUERIES');
    for (const url of ['http://127.0.0.1:1', resetting, busy])
      await expect(failureAt(url)).rejects.toMatchObject({
        type: 'UNAVAILABLE',
        message: 'The analytics database does not answer; try again',
      });
  });

  it('is no answer by design otherwise', async () => {
    await expect(failureAt(await exception(47, 'UNKNOWN_IDENTIFIER'))).rejects.toMatchObject({ code: '47' });
  });
});
