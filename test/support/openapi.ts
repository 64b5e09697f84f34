import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../shared/testing/eventually.js';
import { done } from './requests/setting.js';
import type { Answer, Client } from './server.js';

/** A small specification of OpenAPI 3.0. */
export const petstore = (title = 'Petstore', more: Record<string, unknown> = {}) => ({
  openapi: '3.0.3',
  info: { title, version: '1.0' },
  paths: {
    '/pets': {
      get: { tags: ['pets'], summary: 'List pets', responses: { 200: { description: 'Pets' } } },
      post: { tags: ['pets'], operationId: 'addPet', responses: { 201: { description: 'Added' } } },
    },
  },
  components: { schemas: { Pet: { type: 'object', properties: { name: { type: 'string', nullable: true } } } } },
  ...more,
});

export const textOf = (specification: unknown) => ({ source: { text: JSON.stringify(specification) } });

/** The specification when its source is processed. */
export const processed = (client: Client, path: string): Promise<any> =>
  eventually(
    `the end of processing ${path}`,
    () => done(client.get(path)),
    ({ processingState }) => processingState === 'complete',
  );

/** Gives a specification a source and waits until it is processed. */
export async function publish(client: Client, path: string, body: unknown): Promise<any> {
  const answer: Answer<any> = await client.put(path, body);
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return processed(client, path);
}

type Served = string | { status: number; headers?: Record<string, string>; body?: string } | 'hangs';

/** A web server with files of specifications, by path; what it does not have is 404. */
export async function openFiles(files: Record<string, Served>) {
  const requests: { path: string; authorization: string | undefined }[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    requests.push({ path: url, authorization: headers.authorization });
    const served = files[url] ?? { status: 404 };
    if (served === 'hangs') return;
    const {
      status,
      headers: own = {},
      body = '',
    } = typeof served === 'string' ? { status: 200, body: served } : served;
    response.writeHead(status, own).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    files,
    requests,
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
