import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { startChild } from '../workers/children.js';
import { inBackground } from '../workers/process-priority.js';
import { DevTools } from './devtools.js';

const start = (command: string, args: string[] = []) =>
  startChild({ command, args, cwd: tmpdir(), env: {}, niceness: inBackground });

it('a command to a browser that had ended before is refused', async () => {
  const { stdin, stdout, stderr, closed } = await start('/bin/true');
  for (const stream of [stdout, stderr]) stream.resume();
  await closed;
  const tools = new DevTools(stdin, stdout);
  await expect(tools.send('Browser.getVersion')).rejects.toThrow('the browser has ended');
});

it('a long text for a browser that reads nothing ends with it', async () => {
  const { stdin, stdout, pid } = await start('/bin/sleep', ['1000']);
  const tools = new DevTools(stdin, stdout);
  const sent = tools.send('Page.setDocumentContent', {}, { longName: 'html', text: 'x'.repeat(8_000_000) });
  sent.catch(() => {});
  tools.end(new Error('stopped'));
  await expect(sent).rejects.toThrow('stopped');
  process.kill(-pid, 'SIGKILL');
  if (!stdout.closed) await once(stdout, 'close');
});
