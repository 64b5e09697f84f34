import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a script, or who develops it, calls the API with. */
export interface GivenTokens {
  integration: string;
  installation: string;
}

/** The machine of a developer at the end of a tunnel: keeps the tokens that it is given with each event. */
export interface DeveloperMachine {
  url: string;
  given: GivenTokens[];
  close(): void;
}

export async function developerMachine(): Promise<DeveloperMachine> {
  const given: GivenTokens[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = { 'content-type': String(request.headers['content-type']) };
    const form = await new Response(Buffer.concat(chunks), { headers }).formData();
    given.push(JSON.parse(String(form.get('environment'))).apiTokens);
    response.end('the developer');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, given, close: () => void server.close() };
}
