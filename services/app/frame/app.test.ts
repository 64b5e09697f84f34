import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAssets } from '../../../shared/assets/open-assets.js';
import { createLog } from '../../../shared/monitoring/log.js';
import { SignIns } from '../sessions/sign-ins.js';
import { App } from './app.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'app-'));
  const [css, app] = ['app-00000000.css', 'app-00000000.js'];
  for (const name of [css, app]) writeFileSync(join(folder, name), '');
  const manifest = { inputs: '', css, scripts: { app }, fonts: [], preload: [] };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('a fault is logged with its screen and the request, which people are told, but not with the address', async () => {
  const lines: string[] = [];
  const callAs = () => () => Promise.reject(new Error('nobody is asked'));
  const app = new App(
    {
      config: { baseUrl: 'http://docs.example' },
      log: createLog('info', { write: (line) => lines.push(line) }),
      assets: openAssets(folder),
      signIns: new SignIns(callAs),
      callAs,
      formKey: Buffer.alloc(32),
    },
    {
      routes: [],
      open: [
        {
          path: '/join/{organization}/{invite}',
          show: () => Promise.reject(new Error('a fault')),
        },
      ],
    },
  );
  const url = 'http://docs.example/app/join/o1/hush-hush';
  const { status, body } = await app.answer({ method: 'GET', url, headers: {}, network: '', requestId: 'r1' });
  expect([status, lines.length]).toEqual([500, 1]);
  expect(body).toContain('Request r1');
  expect(lines.join('')).not.toContain('hush-hush');
  expect(JSON.parse(lines.join(''))).toMatchObject({ route: '/join/{organization}/{invite}', requestId: 'r1' });
});
