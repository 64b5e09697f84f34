import { request } from 'node:http';

/** Connects ssh with a server by way of the guarded proxy: `node ssh-tunnel.js <host> <port>`, with the pass in `BINDERY_GIT_PROXY`. */
const [, , host = '', port = ''] = process.argv;
const proxy = new URL(process.env.BINDERY_GIT_PROXY ?? '');
const credential = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64');

const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
const connecting = request({
  host: proxy.hostname,
  port: proxy.port,
  method: 'CONNECT',
  path: target,
  headers: { 'proxy-authorization': `Basic ${credential}` },
});
connecting.on('connect', ({ statusCode }, socket, head) => {
  if (statusCode !== 200) return fail(`the proxy answered ${statusCode}`);
  process.stdout.write(head);
  socket.pipe(process.stdout);
  process.stdin.pipe(socket);
  socket.on('error', () => process.exit(1));
  return socket.on('close', () => process.exit(0));
});
connecting.on('error', ({ message }) => fail(message));
connecting.end();

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
