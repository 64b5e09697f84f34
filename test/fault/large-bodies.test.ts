import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { packageFile } from '../../shared/process/package-root.js';
import { eventually } from '../../shared/testing/eventually.js';
import { newOrganization, newSpace } from '../support/fixtures.js';
import { type StartedServer, startServer } from '../support/server.js';

const mebibyte = 1024 * 1024;
/** Bytes of a body that is announced, and of it that comes: five such bodies are more than one network may have under way. */
const announced = 32 * mebibyte;
const sent = 30 * mebibyte;

let server: StartedServer;
let space: string;
let spec: string;
/** The token of another member, who may do the same. */
let other: string;
beforeAll(async () => {
  server = await startServer();
  const organization = await newOrganization(server);
  space = await newSpace(server, organization);
  spec = `/v1/orgs/${organization}/openapi/large`;
  const email = 'other@example.com';
  await server.post(`/v1/orgs/${organization}/invites`, { emails: [email], role: 'admin' });
  const command = [packageFile('dist/services/commands/token.js'), 'create', '--email', email];
  const env = { ...process.env, ...server.settings };
  other = (await promisify(execFile)(process.execPath, command, { env })).stdout.trim();
});
afterAll(() => server.stop());

/** Sends most of a large body, and waits with the rest. */
async function begun(token = server.token): Promise<{ socket: Socket; answer: () => string }> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket
    .on('error', () => {})
    .on('data', (part) => {
      text += part;
    });
  await once(socket, 'connect');
  socket.write(
    `PUT ${spec} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${announced}\r\n\r\n`,
  );
  socket.write(Buffer.alloc(sent, ' '));
  return { socket, answer: () => text };
}

it('bodies under way are bounded together: one more is refused, small ones pass, and all pass when the others are gone', async () => {
  const text = JSON.stringify({ source: { text: 'x'.repeat(sent) } });
  const bodies = await Promise.all([1, 2, 3, 4, 5].map(() => begun()));
  await eventually('a refusal', () => bodies.some(({ answer }) => answer() !== ''));
  expect(bodies.map(({ answer }) => answer().split('\r\n', 1)[0]).filter((line) => line !== '')).toEqual([
    'HTTP/1.1 503 Service Unavailable',
  ]);
  expect((await server.patch(`/v1/spaces/${space}`, { title: 'Meanwhile' })).status).toBe(200);
  // Another user of the same address, as behind a proxy, has room: the text is read, and refused for its length alone.
  expect(await putText(text, other)).toBe(413);
  for (const { socket } of bodies) socket.destroy();
  await eventually('room for a large body', async () => (await putText(text)) !== 503);
});

const putText = async (body: string, token = server.token): Promise<number> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return (await fetch(server.url + spec, { method: 'PUT', headers, body })).status;
};
