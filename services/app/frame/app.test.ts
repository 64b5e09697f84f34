import type { Assets } from '../../../shared/assets/open-assets.js';
import type { Call } from '../../../shared/contract/service.js';
import { apiError } from '../../../shared/errors/errors.js';
import { createLog } from '../../../shared/monitoring/log.js';
import type { AppRequest } from '../contract.js';
import { SignIns } from '../sessions/sign-ins.js';
import { App } from './app.js';
import type { OpenRoute } from './screen.js';

const noFile = { path: 'app.css', contentType: 'text/css', bytes: Buffer.alloc(0), hash: '' };
const assets: Assets = { css: noFile, scripts: {}, preload: [], font: () => null };
const unavailable: Call = async () => {
  throw apiError('UNAVAILABLE', 'identity does not answer');
};

/** The app while identity does not answer, and the lines of its log. */
function newApp(open: OpenRoute[] = []) {
  const lines: string[] = [];
  const app = new App(
    {
      config: { baseUrl: 'http://docs.example' },
      log: createLog('info', { write: (line) => lines.push(line) }),
      assets,
      signIns: new SignIns(() => unavailable),
      callAs: () => unavailable,
      formKey: Buffer.alloc(32),
    },
    { routes: [], open },
  );
  const ask = (path: string, asked: Partial<Pick<AppRequest, 'headers' | 'method'>> = {}) =>
    app.answer({
      method: 'GET',
      url: `http://docs.example${path}`,
      headers: {},
      network: '192.0.2.1',
      requestId: 'r1',
      ...asked,
    });
  return { ask, lines };
}

it('a fault is logged with its screen and the request, which people are told, but not with the address', async () => {
  const path = '/join/{organization}/{invite}';
  const { ask, lines } = newApp([{ path, show: () => Promise.reject(new Error('a fault')) }]);
  const { status, body } = await ask('/app/join/o1/hush-hush');
  expect([status, lines.length]).toEqual([500, 1]);
  expect(body).toContain('Request r1');
  expect(lines.join('')).not.toContain('hush-hush');
  expect(JSON.parse(lines.join(''))).toMatchObject({ route: path, requestId: 'r1' });
});

describe('while it is not known who asks', () => {
  const cookie = `bindery_session=bns_${'a'.repeat(43)}`;

  it('a browser is shown a screen that says so, in its language', async () => {
    const { status, headers, body } = await newApp().ask('/app/account', {
      headers: { cookie, 'accept-language': 'de' },
    });
    expect([status, headers['Content-Type']]).toEqual([503, 'text/html; charset=utf-8']);
    expect(body).toContain('<html lang="de"');
    expect(body).not.toContain('identity does not answer');
    expect(JSON.stringify(headers['Set-Cookie'] ?? '')).not.toContain('bindery_session');
  });

  it('a script is told so in JSON', async () => {
    const headers = { cookie, 'x-form-token': 'token' };
    const { status, body = '' } = await newApp().ask('/app/account', { headers, method: 'POST' });
    expect([status, JSON.parse(body).error.code]).toEqual([503, 503]);
  });
});
